//! A ring of four slots for one producer and one consumer. A careless one announces a value before it is there.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub struct Ring<const CAREFUL: bool> {
    slots: [AtomicUsize; 4],
    head: AtomicUsize,
    tail: AtomicUsize,
}

impl<const CAREFUL: bool> Ring<CAREFUL> {
    pub fn new() -> Self {
        Self {
            slots: std::array::from_fn(|_| AtomicUsize::new(0)),
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
        }
    }

    pub fn enqueue(&self, value: usize) {
        let tail = self.tail.load(SeqCst);
        assert!(tail - self.head.load(SeqCst) < 4, "the ring is full");
        if CAREFUL {
            self.slots[tail % 4].store(value, SeqCst);
            self.tail.store(tail + 1, SeqCst);
        } else {
            self.tail.store(tail + 1, SeqCst);
            self.slots[tail % 4].store(value, SeqCst);
        }
    }

    pub fn dequeue(&self) -> Option<usize> {
        let head = self.head.load(SeqCst);
        if head == self.tail.load(SeqCst) {
            return None;
        }
        let value = self.slots[head % 4].load(SeqCst);
        self.head.store(head + 1, SeqCst);
        Some(value)
    }
}
