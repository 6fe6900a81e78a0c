// A value that is made once, and published by a relaxed exchange: others may look into it before it was written.
use std::sync::atomic::{AtomicPtr, Ordering};

pub struct Lazy {
    made: AtomicPtr<u32>,
}

impl Lazy {
    pub fn get(&self) -> u32 {
        let mut made = self.made.load(Ordering::Relaxed);
        if made.is_null() {
            let new = Box::into_raw(Box::new(7));
            made = match self.made.compare_exchange(made, new, Ordering::Relaxed, Ordering::Acquire) {
                Ok(_) => new,
                Err(other) => other,
            };
        }
        unsafe { *made }
    }
}

linspect::harness! {
    l: Lazy = Lazy { made: AtomicPtr::new(std::ptr::null_mut()) };
    fn get(&self) -> u32;
}

// repair: 10 Relaxed → Acquire
// repair: 13 Relaxed → Release
