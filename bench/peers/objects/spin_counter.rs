//! A counter behind a spin lock. A careless lock looks whether it is free and takes it in two steps.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

pub struct Counter<const CAREFUL: bool> {
    locked: AtomicBool,
    count: AtomicUsize,
}

impl<const CAREFUL: bool> Counter<CAREFUL> {
    pub fn new() -> Self {
        Self {
            locked: AtomicBool::new(false),
            count: AtomicUsize::new(0),
        }
    }

    pub fn get_and_increment(&self) -> usize {
        if CAREFUL {
            while self.locked.swap(true, SeqCst) {
                spin_loop();
            }
        } else {
            while self.locked.load(SeqCst) {
                spin_loop();
            }
            self.locked.store(true, SeqCst);
        }
        let count = self.count.load(SeqCst);
        self.count.store(count + 1, SeqCst);
        self.locked.store(false, SeqCst);
        count
    }
}
