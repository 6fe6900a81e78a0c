// exit 1: DATA RACE
// options: --operations 3 --threads 2
// A value is announced by a relaxed flag, which orders nothing.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub struct Slot {
    full: AtomicBool,
    value: UnsafeCell<u32>,
}

unsafe impl Sync for Slot {}

linspect::harness! {
    slot: Slot = Slot { full: AtomicBool::new(false), value: UnsafeCell::new(0) };

    #[at_most(1)]
    fn put(&self, value: u32 in [7]) => {
        unsafe { *slot.value.get() = value };
        slot.full.store(true, Relaxed);
    };
    fn get(&self) -> Option<u32> => slot.full.load(Relaxed).then(|| unsafe { *slot.value.get() });
}
