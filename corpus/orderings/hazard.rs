// A value behind a hazard pointer with release and acquire: the reader may announce what the writer does not see, and the writer frees it.
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

pub struct Cell {
    value: AtomicPtr<u32>,
    hazard: AtomicPtr<u32>,
}

impl Cell {
    pub fn read(&self) -> u32 {
        loop {
            let seen = self.value.load(Ordering::Acquire);
            self.hazard.store(seen, Ordering::Release);
            if self.value.load(Ordering::Acquire) == seen {
                let value = unsafe { *seen };
                self.hazard.store(null_mut(), Ordering::Release);
                return value;
            }
        }
    }

    pub fn write(&self, value: u32) {
        let old = self.value.swap(Box::into_raw(Box::new(value)), Ordering::AcqRel);
        if self.hazard.load(Ordering::Acquire) != old {
            drop(unsafe { Box::from_raw(old) });
        }
    }
}

linspect::harness! {
    c: Cell = Cell { value: AtomicPtr::new(Box::into_raw(Box::new(0))), hazard: AtomicPtr::new(null_mut()) };
    #[single_thread] fn read(&self) -> u32;
    #[single_thread] fn write(&self, v: u32 in 1..=2);
}

// repair: 14 Release → SeqCst
// repair: 15 Acquire → SeqCst
// repair: 24 AcqRel → SeqCst
// repair: 25 Acquire → SeqCst
