// One thread that asks the same question again and again goes through a loop each time, but no call waits for anything.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

pub struct Board([AtomicBool; 3]);

impl Board {
    pub fn mark(&self) {
        self.0[1].store(true, SeqCst);
    }

    pub fn count(&self) -> u32 {
        let (mut at, mut count) = (0, 0);
        while at < 3 {
            count += u32::from(self.0[at].load(SeqCst));
            at += 1;
        }
        count
    }
}

linspect::harness! {
    board: Board = Board([AtomicBool::new(false), AtomicBool::new(false), AtomicBool::new(false)]);

    fn mark(&self);
    fn count(&self) -> u32;
}
