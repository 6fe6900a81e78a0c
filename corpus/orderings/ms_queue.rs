// The queue of Michael and Scott, everything relaxed: a node may be reached before it was written. Nodes are leaked.
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

struct Node {
    value: u32,
    next: AtomicPtr<Node>,
}

fn node(value: u32) -> *mut Node {
    Box::into_raw(Box::new(Node { value, next: AtomicPtr::new(null_mut()) }))
}

pub struct Queue {
    head: AtomicPtr<Node>,
    tail: AtomicPtr<Node>,
}

impl Queue {
    pub fn new() -> Self {
        let first = node(0);
        Queue { head: AtomicPtr::new(first), tail: AtomicPtr::new(first) }
    }

    pub fn enqueue(&self, value: u32) {
        let new = node(value);
        loop {
            let tail = self.tail.load(Ordering::Relaxed);
            let next = unsafe { (*tail).next.load(Ordering::Relaxed) };
            if !next.is_null() {
                let _ = self.tail.compare_exchange(tail, next, Ordering::Relaxed, Ordering::Relaxed);
                continue;
            }
            if unsafe { (*tail).next.compare_exchange(next, new, Ordering::Relaxed, Ordering::Relaxed).is_ok() } {
                let _ = self.tail.compare_exchange(tail, new, Ordering::Relaxed, Ordering::Relaxed);
                return;
            }
        }
    }

    pub fn dequeue(&self) -> Option<u32> {
        loop {
            let head = self.head.load(Ordering::Relaxed);
            let next = unsafe { (*head).next.load(Ordering::Relaxed) };
            if next.is_null() {
                return None;
            }
            let value = unsafe { (*next).value };
            if self.head.compare_exchange(head, next, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return Some(value);
            }
        }
    }
}

linspect::harness! {
    q: Queue = Queue::new();
    fn enqueue(&self, v: u32 in 1..=2);
    fn dequeue(&self) -> Option<u32>;
}

// repair: 28 Relaxed → Acquire
// repair: 29 Relaxed → Acquire
// repair: 31 Relaxed → Release
// repair: 34 Relaxed → Release
// repair: 35 Relaxed → Release
// repair: 43 Relaxed → Acquire
// repair: 44 Relaxed → Acquire
// repair: 49 Relaxed → Release
