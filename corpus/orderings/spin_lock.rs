// A spin lock whose unlock is relaxed: whoever locks next does not come after it, so what was written under the lock need not be there.
use std::sync::atomic::{AtomicBool, Ordering};

pub struct SpinLock {
    held: AtomicBool,
}

impl SpinLock {
    pub fn lock(&self) {
        while self.held.swap(true, Ordering::Acquire) {
            std::hint::spin_loop();
        }
    }

    pub fn unlock(&self) {
        self.held.store(false, Ordering::Relaxed);
    }
}

linspect::harness! {
    lock: SpinLock = SpinLock { held: AtomicBool::new(false) };
    fn lock(&self);
    fn unlock(&self);
    spec = mutex;
}

// repair: 16 Relaxed → Release
