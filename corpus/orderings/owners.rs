// Two owners of one box, counted relaxed: the last one frees what the other may still be reading.
use std::sync::atomic::{AtomicU32, Ordering};

pub struct Shared {
    value: *mut u32,
    owners: AtomicU32,
}

unsafe impl Sync for Shared {}

impl Shared {
    pub fn read_and_leave(&self) -> u32 {
        let value = unsafe { *self.value };
        if self.owners.fetch_sub(1, Ordering::Relaxed) == 1 {
            drop(unsafe { Box::from_raw(self.value) });
        }
        value
    }
}

linspect::harness! {
    s: Shared = Shared { value: Box::into_raw(Box::new(7)), owners: AtomicU32::new(2) };
    #[at_most(2)] fn read_and_leave(&self) -> u32;
}

// repair: 14 Relaxed → AcqRel
