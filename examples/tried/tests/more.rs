//! A third round of published crates; docs/tried.md says what became of them.

use std::sync::Mutex;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};

linspect::harness! {
    arcshift: Shifted = Shifted(arcshift::ArcShift::new(0));
    fn update(&self, value: u32 in 1..=2) => arcshift.0.clone().update(value);
    fn get(&self) -> u32 => *arcshift.0.shared_get();
}
pub struct Shifted(arcshift::ArcShift<u32>);

linspect::harness! {
    async_broadcast: Broadcast = {
        let (sender, receiver) = async_broadcast::broadcast(1);
        Broadcast(sender, Mutex::new(receiver))
    };
    fn try_broadcast(&self, value: u32 in 1..=2) -> bool => async_broadcast.0.try_broadcast(value).is_ok();
    #[single_thread]
    fn try_recv(&self) -> Option<u32> => async_broadcast.1.lock().unwrap().try_recv().ok();
}
pub struct Broadcast(async_broadcast::Sender<u32>, Mutex<async_broadcast::Receiver<u32>>);

linspect::harness! {
    async_oneshot: Once = {
        let (sender, receiver) = async_oneshot::oneshot();
        Once(Mutex::new(sender), Mutex::new(Some(receiver)))
    };
    #[at_most(1)]
    fn send(&self, value: u32 in [1]) -> bool => async_oneshot.0.lock().unwrap().send(value).is_ok();
    #[at_most(1)]
    async fn recv(&self) -> Option<u32> => {
        let receiver = async_oneshot.1.lock().unwrap().take();
        match receiver { Some(receiver) => receiver.await.ok(), None => None }
    };
}
pub struct Once(Mutex<async_oneshot::Sender<u32>>, Mutex<Option<async_oneshot::Receiver<u32>>>);

linspect::harness! {
    atomic_refcell: atomic_refcell::AtomicRefCell<u32> = atomic_refcell::AtomicRefCell::new(0);
    #[may_fail(nil)]
    fn get(&self) -> Option<u32> => atomic_refcell.try_borrow().ok().map(|v| *v);
    #[may_fail(false)]
    fn add(&self) -> bool => match atomic_refcell.try_borrow_mut() { Ok(mut v) => { *v += 1; true } Err(_) => false };
}

#[derive(atomig::Atom, Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
pub enum Light { Red, Yellow, Green }
linspect::harness! {
    atomig: atomig::Atomic<Light> = atomig::Atomic::new(Light::Red);
    fn swap(&self, light: Light in [Light::Yellow, Light::Green]) -> Light => atomig.swap(light, SeqCst);
    fn load(&self) -> Light => atomig.load(Relaxed);
}

linspect::harness! {
    concurrent_map: Maps = Maps(Mutex::new(concurrent_map::ConcurrentMap::new()));
    fn insert(&self, key: u32 in [1], value: u32 in 1..=2) -> Option<u32> => concurrent_map.own().insert(key, value);
    fn get(&self, key: u32 in [1]) -> Option<u32> => concurrent_map.own().get(&key);
    fn remove(&self, key: u32 in [1]) -> Option<u32> => concurrent_map.own().remove(&key);
}
pub struct Maps(Mutex<concurrent_map::ConcurrentMap<u32, u32>>);
impl Maps {
    fn own(&self) -> concurrent_map::ConcurrentMap<u32, u32> { self.0.lock().unwrap().clone() }
}

linspect::harness! {
    evmap: Evmap = {
        let (writer, reader) = evmap::new();
        Evmap(Mutex::new(reader), Mutex::new(writer))
    };
    #[single_thread]
    fn update(&self, value: u32 in 1..=2) => { evmap.1.lock().unwrap().update(1, value).publish(); };
    fn get(&self) -> Option<u32> => evmap.0.lock().unwrap().clone().get_one(&1).map(|v| *v);
}
pub struct Evmap(Mutex<evmap::handles::ReadHandle<u32, u32>>, Mutex<evmap::handles::WriteHandle<u32, u32>>);

hazarc::domain!(Domain(2));
linspect::harness! {
    hazarc: hazarc::AtomicArc<u32, Domain> = hazarc::AtomicArc::new(std::sync::Arc::new(0).into());
    fn load(&self) -> u32 => **hazarc.load();
    fn swap(&self, value: u32 in 1..=2) -> u32 => *hazarc.swap(std::sync::Arc::new(value).into());
}

linspect::harness! {
    arc_intern: Interner = Interner;
    fn intern(&self, value: u32 in 1..=2) -> bool => { let one = internment::ArcIntern::new(value); *one == value && one.refcount() >= 1 };
}
pub struct Interner;

linspect::harness! {
    keepcalm: keepcalm::SharedMut<u32> = keepcalm::SharedMut::new_rcu(0);
    fn read(&self) -> u32 => *keepcalm.read();
    fn add(&self) -> u32 => { let mut value = keepcalm.write(); *value += 1; *value };
}

linspect::harness! {
    lasso: lasso::ThreadedRodeo = lasso::ThreadedRodeo::new();
    fn intern(&self, text: &str in ["a", "b"]) -> usize => lasso::Key::into_usize(lasso.get_or_intern(text));
    fn len(&self) -> usize;
}

pub struct Add(u32);
impl left_right::Absorb<Add> for u32 {
    fn absorb_first(&mut self, add: &mut Add, _: &Self) { *self += add.0; }
    fn absorb_second(&mut self, add: Add, _: &Self) { *self += add.0; }
    fn sync_with(&mut self, first: &Self) { *self = *first; }
}
linspect::harness! {
    left_right: LeftRight = {
        let (writer, reader) = left_right::new::<u32, Add>();
        LeftRight(reader.factory(), Mutex::new(writer))
    };
    #[single_thread]
    fn add(&self) => { left_right.1.lock().unwrap().append(Add(1)).publish(); };
    fn get(&self) -> u32 => left_right.0.handle().enter().map_or(0, |v| *v);
}
pub struct LeftRight(left_right::ReadHandleFactory<u32>, Mutex<left_right::WriteHandle<u32, Add>>);

linspect::harness! {
    lock_pool: Locked = Locked(lockable::LockPool::new(), AtomicU32::new(0));
    fn next(&self) -> u32 => {
        let _guard = lock_pool.0.blocking_lock(1);
        let number = lock_pool.1.load(Relaxed);
        lock_pool.1.store(number + 1, Relaxed);
        number
    };
}
pub struct Locked(lockable::LockPool<u32>, AtomicU32);

linspect::harness! {
    mea_latch: mea::latch::Latch = mea::latch::Latch::new(2);
    fn count_down(&self);
    fn count(&self) -> u32;
    async fn wait(&self);
}
linspect::harness! {
    mea_semaphore: mea::semaphore::Semaphore = mea::semaphore::Semaphore::new(1);
    fn try_acquire(&self) -> bool => mea_semaphore.try_acquire_and_forget(1);
    fn release(&self) => mea_semaphore.release(1);
    async fn acquire(&self) => mea_semaphore.acquire_and_forget(1).await;
}
linspect::harness! {
    mea_once: mea::once::OnceCell<u32> = mea::once::OnceCell::new();
    async fn get_or_init(&self, value: u32 in 1..=2) -> u32 => *mea_once.get_or_init(async || value).await;
    fn get(&self) -> Option<u32> => mea_once.get().copied();
}

linspect::harness! {
    once_map: once_map::OnceMap<u32, Box<u32>> = once_map::OnceMap::new();
    fn insert(&self, key: u32 in [1], value: u32 in 1..=2) -> u32 => *once_map.insert(key, |_| Box::new(value));
    fn get(&self, key: u32 in [1]) -> Option<u32> => once_map.get(&key).copied();
}

linspect::harness! {
    piper: Pipe = { let (reader, writer) = piper::pipe(1); Pipe(Mutex::new(reader), Mutex::new(writer)) };
    #[single_thread]
    fn fill(&self, byte: u8 in 1..=2) -> usize => piper.1.lock().unwrap().try_fill(&[byte]);
    #[single_thread]
    fn drain(&self) -> Option<u8> => { let mut one = [0]; (piper.0.lock().unwrap().try_drain(&mut one) == 1).then_some(one[0]) };
}
pub struct Pipe(Mutex<piper::Reader>, Mutex<piper::Writer>);

linspect::harness! {
    postage_mpsc: Postage = { let (sender, receiver) = postage::mpsc::channel(1); Postage(sender, Mutex::new(receiver)) };
    fn try_send(&self, value: u32 in 1..=2) -> bool => postage::prelude::Sink::try_send(&mut postage_mpsc.0.clone(), value).is_ok();
    #[single_thread]
    fn try_recv(&self) -> Option<u32> => postage::prelude::Stream::try_recv(&mut *postage_mpsc.1.lock().unwrap()).ok();
}
pub struct Postage(postage::mpsc::Sender<u32>, Mutex<postage::mpsc::Receiver<u32>>);

linspect::harness! {
    tachyonix: Tachyonix = { let (sender, receiver) = tachyonix::channel(1); Tachyonix(sender, Mutex::new(receiver)) };
    fn try_send(&self, value: u32 in 1..=2) -> bool => tachyonix.0.try_send(value).is_ok();
    #[single_thread]
    fn try_recv(&self) -> Option<u32> => tachyonix.1.lock().unwrap().try_recv().ok();
}
pub struct Tachyonix(tachyonix::Sender<u32>, Mutex<tachyonix::Receiver<u32>>);

linspect::harness! {
    waitgroup: Group = { let group = waitgroup::WaitGroup::new(); let worker = group.worker(); Group(Mutex::new(Some(group)), Mutex::new(Some(worker))) };
    #[at_most(1)]
    fn done(&self) => drop(waitgroup.1.lock().unwrap().take());
    #[at_most(1)]
    async fn wait(&self) => { let group = waitgroup.0.lock().unwrap().take(); if let Some(group) = group { group.wait().await } };
}
pub struct Group(Mutex<Option<waitgroup::WaitGroup>>, Mutex<Option<waitgroup::Worker>>);

linspect::harness! {
    wait_map: waitmap::WaitMap<String, u32> = waitmap::WaitMap::new();
    fn insert(&self, key: &str in ["a"], value: u32 in 1..=2) -> Option<u32> => wait_map.insert(key.to_owned(), value);
    fn get(&self, key: &str in ["a"]) -> Option<u32> => wait_map.get(key).map(|v| *v.value());
    async fn wait(&self, key: &str in ["a"]) -> Option<u32> => wait_map.wait(key).await.map(|v| *v.value());
}
