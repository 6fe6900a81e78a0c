// A value is handed over by a flag, everything relaxed: whoever sees the flag may see an old value.
use std::sync::atomic::{AtomicU32, Ordering};

pub struct Cell {
    value: AtomicU32,
    ready: AtomicU32,
}

impl Cell {
    pub fn put(&self) {
        self.value.store(7, Ordering::Relaxed);
        self.ready.store(1, Ordering::Relaxed);
    }

    pub fn get(&self) -> u32 {
        if self.ready.load(Ordering::Relaxed) == 0 {
            return 9;
        }
        self.value.load(Ordering::Relaxed)
    }
}

linspect::harness! {
    c: Cell = Cell { value: AtomicU32::new(0), ready: AtomicU32::new(0) };
    fn put(&self);
    fn get(&self) -> u32;
}

// repair: 12 Relaxed → Release
// repair: 16 Relaxed → Acquire
