//! No specification at all: the flag, run alone, is its own. Two threads must not both take it, because one after the other they cannot.
//!
//!     linspect test examples/rust/flag.rs

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

pub struct Flag(AtomicBool);

impl Flag {
    pub fn take(&self) -> bool {
        if self.0.load(SeqCst) {
            return false;
        }
        self.0.store(true, SeqCst); // should be a swap
        true
    }
}

linspect::harness! {
    flag: Flag = Flag(AtomicBool::new(false));

    fn take(&self) -> bool;
}
