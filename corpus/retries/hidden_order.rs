// The first load acquires, the failed exchange does not: who goes on with what the exchange found has not synchronised, and its look at the data races.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering::{Acquire, Relaxed, Release}};

pub struct Cell {
    state: AtomicU32,
    data: UnsafeCell<u32>,
}

unsafe impl Sync for Cell {}

impl Cell {
    pub fn take(&self) {
        let mut seen = self.state.load(Acquire);
        while let Err(now) = self.state.compare_exchange(seen, seen + 1, Relaxed, Relaxed) {
            seen = now;
        }
        if seen != 0 {
            std::hint::black_box(unsafe { *self.data.get() });
        }
    }

    pub fn give(&self) {
        unsafe { *self.data.get() = 5 };
        self.state.store(7, Release);
    }
}

linspect::harness! {
    cell: Cell = Cell { state: AtomicU32::new(0), data: UnsafeCell::new(0) };

    fn take(&self);
    fn give(&self);
}
