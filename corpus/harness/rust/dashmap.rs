//! A lock called like the one of dashmap that forgets to wait: whoever finds it taken goes on.
pub mod lock {
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[derive(Default)]
    pub struct RawRwLock(AtomicUsize);

    impl RawRwLock {
        pub fn lock_exclusive(&self) {
            let _ = self
                .0
                .compare_exchange(0, !3, Ordering::Acquire, Ordering::Relaxed);
        }

        pub fn unlock_exclusive(&self) {
            self.0.store(0, Ordering::Release);
        }
    }
}

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[derive(Default)]
pub struct Counter {
    lock: lock::RawRwLock,
    count: AtomicU32,
}

impl Counter {
    pub fn add(&self) -> u32 {
        self.lock.lock_exclusive();
        let count = self.count.load(Relaxed) + 1;
        self.count.store(count, Relaxed);
        self.lock.unlock_exclusive();
        count
    }
}

linspect::harness! {
    counter: Counter = Counter::default();

    fn add(&self) -> u32;
}
