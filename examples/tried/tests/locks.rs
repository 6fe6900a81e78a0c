//! Harnesses of published crates; docs/tried.md says what became of them.

linspect::harness! {
    spin_mutex: spin::Mutex<u32> = spin::Mutex::new(0);
    fn add(&self, by: u32 in [1, 10]) -> u32 => { let mut n = spin_mutex.lock(); *n += by; *n };
}
linspect::harness! {
    spin_rwlock: spin::RwLock<u32> = spin::RwLock::new(0);
    fn write(&self, value: u32 in 1..=2) => *spin_rwlock.write() = value;
    fn read(&self) -> u32 => *spin_rwlock.read();
}
linspect::harness! {
    spin_once: spin::Once<u32> = spin::Once::new();
    fn call_once(&self, value: u32 in 1..=2) -> u32 => *spin_once.call_once(|| value);
    fn get(&self) -> Option<u32> => spin_once.get().copied();
}
linspect::harness! {
    spin_ticket: spin::mutex::TicketMutex<u32> = spin::mutex::TicketMutex::new(0);
    fn add(&self, by: u32 in [1, 10]) -> u32 => { let mut n = spin_ticket.lock(); *n += by; *n };
}
linspect::harness! {
    try_lock: try_lock::TryLock<u32> = try_lock::TryLock::new(0);
    fn add(&self, by: u32 in [1, 10]) -> u32 => loop { if let Some(mut n) = try_lock.try_lock() { *n += by; break *n; } std::thread::yield_now() };
}
linspect::harness! {
    mcs_lock: mcslock::raw::spins::Mutex<u32> = mcslock::raw::spins::Mutex::new(0);
    fn add(&self, by: u32 in [1, 10]) -> u32 => { let mut node = mcslock::raw::MutexNode::new(); mcs_lock.lock_with_then(&mut node, |mut n| { *n += by; *n }) };
}
linspect::harness! {
    usync_mutex: usync::Mutex<u32> = usync::Mutex::new(0);
    fn add(&self, by: u32 in [1, 10]) -> u32 => { let mut n = usync_mutex.lock(); *n += by; *n };
}
linspect::harness! {
    usync_rwlock: usync::RwLock<u32> = usync::RwLock::new(0);
    fn write(&self, value: u32 in 1..=2) => *usync_rwlock.write() = value;
    fn read(&self) -> u32 => *usync_rwlock.read();
}
linspect::harness! {
    spinning_top: spinning_top::Spinlock<u32> = spinning_top::Spinlock::new(0);
    fn add(&self, by: u32 in [1, 10]) -> u32 => { let mut n = spinning_top.lock(); *n += by; *n };
}
linspect::harness! {
    simple_mutex: simple_mutex::Mutex<u32> = simple_mutex::Mutex::new(0);
    fn add(&self, by: u32 in [1, 10]) -> u32 => { let mut n = simple_mutex.lock(); *n += by; *n };
}
linspect::harness! {
    async_lock_mutex: async_lock::Mutex<u32> = async_lock::Mutex::new(0);
    fn add(&self, by: u32 in [1, 10]) -> u32 => { let mut n = async_lock_mutex.lock_blocking(); *n += by; *n };
}
linspect::harness! {
    async_lock_rwlock: async_lock::RwLock<u32> = async_lock::RwLock::new(0);
    fn write(&self, value: u32 in 1..=2) => *async_lock_rwlock.write_blocking() = value;
    fn read(&self) -> u32 => *async_lock_rwlock.read_blocking();
}
linspect::harness! {
    async_lock_once: async_lock::OnceCell<u32> = async_lock::OnceCell::new();
    fn set(&self, value: u32 in 1..=2) -> bool => async_lock_once.set_blocking(value).is_ok();
    fn get(&self) -> Option<u32> => async_lock_once.get().copied();
}
linspect::harness! {
    countdown_latch: countdown_latch::CountDownLatch = countdown_latch::CountDownLatch::new(2);
    fn count_down(&self);
    fn get_count(&self) -> usize;
}
linspect::harness! {
    latch: latches::sync::Latch = latches::sync::Latch::new(2);
    fn count_down(&self);
    fn count(&self) -> usize;
    fn try_wait(&self) -> bool => latch.try_wait().is_ok();
}
use atomic_counter::AtomicCounter;
linspect::harness! {
    consistent_counter: atomic_counter::ConsistentCounter = atomic_counter::ConsistentCounter::new(0);
    fn inc(&self) -> usize;
    fn reset(&self) -> usize;
    fn get(&self) -> usize;
}
linspect::harness! {
    atomic_float: atomic_float::AtomicF64 = atomic_float::AtomicF64::new(0.0);
    fn add(&self, by: u32 in [1, 10]) -> u32 => atomic_float.fetch_add(f64::from(by), std::sync::atomic::Ordering::SeqCst) as u32;
    fn load(&self) -> u32 => atomic_float.load(std::sync::atomic::Ordering::SeqCst) as u32;
}
use governor::{Quota, RateLimiter, clock::FakeRelativeClock, state::{InMemoryState, NotKeyed}, middleware::NoOpMiddleware};
linspect::harness! {
    governor: RateLimiter<NotKeyed, InMemoryState, FakeRelativeClock, NoOpMiddleware<governor::nanos::Nanos>> = RateLimiter::direct_with_clock(Quota::per_hour(std::num::NonZeroU32::new(1).unwrap()), FakeRelativeClock::default());
    fn check(&self) -> bool => governor.check().is_ok();
}
linspect::harness! {
    sharded_mutex: sharded_mutex::ShardedMutex<u32> = sharded_mutex::ShardedMutex::new(0);
    fn add(&self, by: u32 in [1, 10]) -> u32 => { let mut n = sharded_mutex.lock(); *n += by; *n };
}
