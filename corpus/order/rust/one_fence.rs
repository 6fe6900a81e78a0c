// exit 1: DATA RACE
// options: --operations 3 --threads 2
// The reader has no fence.
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
        self.full.load(Relaxed).then(|| unsafe { *self.value.get() })
    }
}

linspect::harness! {
    slot: Slot = Slot { full: AtomicBool::new(false), value: UnsafeCell::new(0) };

    #[at_most(1)]
    fn put(&self, value: u32 in [7]);
    fn get(&self) -> Option<u32>;
}
