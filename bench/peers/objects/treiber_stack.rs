//! Treiber's stack of small numbers: number n is node n. A careless one pops without comparing.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub struct Stack<const CAREFUL: bool> {
    top: AtomicUsize,
    next: [AtomicUsize; 4],
}

impl<const CAREFUL: bool> Stack<CAREFUL> {
    pub fn new() -> Self {
        Self {
            top: AtomicUsize::new(0),
            next: std::array::from_fn(|_| AtomicUsize::new(0)),
        }
    }

    pub fn push(&self, value: usize) {
        loop {
            let top = self.top.load(SeqCst);
            self.next[value].store(top, SeqCst);
            let put = self.top.compare_exchange(top, value, SeqCst, SeqCst);
            if put.is_ok() {
                return;
            }
        }
    }

    pub fn pop(&self) -> Option<usize> {
        loop {
            let top = self.top.load(SeqCst);
            if top == 0 {
                return None;
            }
            let next = self.next[top].load(SeqCst);
            if !CAREFUL {
                self.top.store(next, SeqCst);
                return Some(top);
            }
            let taken = self.top.compare_exchange(top, next, SeqCst, SeqCst);
            if taken.is_ok() {
                return Some(top);
            }
        }
    }
}
