// exit 0: LINEARIZABLE
// options: --operations 3 --threads 2
// The same with relaxed accesses between fences, which order them.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering::*, fence};

pub struct Slot {
    full: AtomicBool,
    value: UnsafeCell<u32>,
}

unsafe impl Sync for Slot {}

impl Slot {
    fn put(&self, value: u32) {
        unsafe { *self.value.get() = value };
        fence(Release);
        self.full.store(true, Relaxed);
    }

    fn get(&self) -> Option<u32> {
        if !self.full.load(Relaxed) {
            return None;
        }
        fence(Acquire);
        Some(unsafe { *self.value.get() })
    }
}

linspect::harness! {
    slot: Slot = Slot { full: AtomicBool::new(false), value: UnsafeCell::new(0) };

    #[at_most(1)]
    fn put(&self, value: u32 in [7]);
    fn get(&self) -> Option<u32>;
}
