// A message behind a flag, everything seq_cst: the flag needs no more than release and acquire, the message nothing.
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

pub struct Cell {
    message: AtomicU32,
    ready: AtomicBool,
}

impl Cell {
    pub fn put(&self) {
        self.message.store(7, Ordering::SeqCst);
        self.ready.store(true, Ordering::SeqCst);
    }

    pub fn get(&self) -> Option<u32> {
        if self.ready.load(Ordering::SeqCst) {
            return Some(self.message.load(Ordering::SeqCst));
        }
        None
    }
}

linspect::harness! {
    c: Cell = Cell { message: AtomicU32::new(0), ready: AtomicBool::new(false) };
    #[single_thread] fn put(&self);
    fn get(&self) -> Option<u32>;
}
