//! A counter behind a ticket lock. A careless lock draws its ticket in two steps.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub struct Counter<const CAREFUL: bool> {
    next: AtomicUsize,
    serving: AtomicUsize,
    count: AtomicUsize,
}

impl<const CAREFUL: bool> Counter<CAREFUL> {
    pub fn new() -> Self {
        Self {
            next: AtomicUsize::new(0),
            serving: AtomicUsize::new(0),
            count: AtomicUsize::new(0),
        }
    }

    pub fn get_and_increment(&self) -> usize {
        let ticket = if CAREFUL {
            self.next.fetch_add(1, SeqCst)
        } else {
            let ticket = self.next.load(SeqCst);
            self.next.store(ticket + 1, SeqCst);
            ticket
        };
        // Whoever shares a ticket may find that its turn is over.
        while self.serving.load(SeqCst) < ticket {
            spin_loop();
        }
        let count = self.count.load(SeqCst);
        self.count.store(count + 1, SeqCst);
        self.serving.fetch_add(1, SeqCst);
        count
    }
}
