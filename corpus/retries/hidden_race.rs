// The reader looks at the data, plainly, in each round in which it waits. The writer writes it only after the reader has gone on, and nothing orders the two:
// the read that races is one of a round that changed nothing.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub struct Cell {
    go: AtomicBool,
    gone: AtomicBool,
    data: UnsafeCell<u32>,
}

unsafe impl Sync for Cell {}

impl Cell {
    pub fn read(&self) {
        while !self.go.load(Relaxed) {
            std::hint::black_box(unsafe { *self.data.get() });
        }
        self.gone.store(true, Relaxed);
    }

    pub fn write(&self) {
        self.go.store(true, Relaxed);
        while !self.gone.load(Relaxed) {}
        unsafe { *self.data.get() = 1 };
    }
}

linspect::harness! {
    cell: Cell = Cell { go: AtomicBool::new(false), gone: AtomicBool::new(false), data: UnsafeCell::new(0) };

    fn read(&self);
    fn write(&self);
}
