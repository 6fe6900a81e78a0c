// verdict: holds
// client: count_down() wait() | count()
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex};

/// Under weaker orderings `count` may read an old value, and so come before a `count_down` that returned earlier: `wait` waits as it should.
pub struct Latch {
    count: AtomicU32,
    lock: Mutex<()>,
    zero: Condvar,
}

impl Latch {
    fn new(count: u32) -> Self {
        Self { count: AtomicU32::new(count), lock: Mutex::new(()), zero: Condvar::new() }
    }

    fn count_down(&self) {
        if self.count.fetch_sub(1, Ordering::AcqRel) == 1 {
            let _guard = self.lock.lock().unwrap();
            self.zero.notify_all();
        }
    }

    fn count(&self) -> u32 {
        self.count.load(Ordering::Acquire)
    }

    fn wait(&self) {
        let mut guard = self.lock.lock().unwrap();
        while self.count.load(Ordering::Acquire) != 0 {
            guard = self.zero.wait(guard).unwrap();
        }
    }
}

linspect::harness! {
    latch: Latch = Latch::new(2);
    fn count_down(&self);
    fn count(&self) -> u32;
    fn wait(&self);
}
