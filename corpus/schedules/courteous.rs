// Two who each step back when they see the other, and try again: they may do so for ever.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

pub struct Door {
    wants: [AtomicBool; 2],
}

impl Door {
    fn pass(&self, me: usize) -> bool {
        self.wants[me].store(true, SeqCst);
        while self.wants[1 - me].load(SeqCst) {
            self.wants[me].store(false, SeqCst);
            self.wants[me].store(true, SeqCst);
        }
        self.wants[me].store(false, SeqCst);
        true
    }

    pub fn enter(&self) -> bool {
        self.pass(0)
    }

    pub fn leave(&self) -> bool {
        self.pass(1)
    }
}

linspect::harness! {
    door: Door = Door { wants: [AtomicBool::new(false), AtomicBool::new(false)] };

    fn enter(&self) -> bool;
    fn leave(&self) -> bool;
}
