//! A lock called like one of parking_lot that forgets to wait: whoever finds it taken goes on.
pub mod raw_mutex {
    use std::sync::atomic::{AtomicU8, Ordering};

    #[derive(Default)]
    pub struct RawMutex(AtomicU8);

    impl RawMutex {
        pub fn lock(&self) {
            let _ = self
                .0
                .compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed);
        }

        pub fn unlock(&self) {
            self.0.store(0, Ordering::Release);
        }
    }
}

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[derive(Default)]
pub struct Counter {
    lock: raw_mutex::RawMutex,
    count: AtomicU32,
}

impl Counter {
    pub fn add(&self) -> u32 {
        self.lock.lock();
        let count = self.count.load(Relaxed) + 1;
        self.count.store(count, Relaxed);
        self.lock.unlock();
        count
    }
}

linspect::harness! {
    counter: Counter = Counter::default();

    fn add(&self) -> u32;
}
