//! The queue of Michael and Scott, of small numbers: number n is node n, node 0 the first dummy. A careless one links a node
//! without comparing.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub struct Queue<const CAREFUL: bool> {
    head: AtomicUsize,
    tail: AtomicUsize,
    next: [AtomicUsize; 4],
}

impl<const CAREFUL: bool> Queue<CAREFUL> {
    pub fn new() -> Self {
        Self {
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
            next: std::array::from_fn(|_| AtomicUsize::new(0)),
        }
    }

    pub fn enqueue(&self, value: usize) {
        loop {
            let tail = self.tail.load(SeqCst);
            let next = self.next[tail].load(SeqCst);
            if next != 0 {
                let _ = self.tail.compare_exchange(tail, next, SeqCst, SeqCst);
                continue;
            }
            let linked = if CAREFUL {
                let linked = self.next[tail].compare_exchange(0, value, SeqCst, SeqCst);
                linked.is_ok()
            } else {
                self.next[tail].store(value, SeqCst);
                true
            };
            if linked {
                let _ = self.tail.compare_exchange(tail, value, SeqCst, SeqCst);
                return;
            }
        }
    }

    pub fn dequeue(&self) -> Option<usize> {
        loop {
            let head = self.head.load(SeqCst);
            let tail = self.tail.load(SeqCst);
            let next = self.next[head].load(SeqCst);
            if next == 0 {
                return None;
            }
            if head == tail {
                let _ = self.tail.compare_exchange(tail, next, SeqCst, SeqCst);
                continue;
            }
            let taken = self.head.compare_exchange(head, next, SeqCst, SeqCst);
            if taken.is_ok() {
                return Some(next);
            }
        }
    }
}
