//! A built-in specification, and an object that satisfies it: the verdict says what was covered.
//!
//!     linspect test examples/rust/queue.rs

use std::collections::VecDeque;
use std::sync::Mutex;

#[derive(Default)]
pub struct Queue(Mutex<VecDeque<u32>>);

impl Queue {
    pub fn enqueue(&self, value: u32) {
        self.0.lock().unwrap().push_back(value);
    }

    pub fn dequeue(&self) -> Option<u32> {
        self.0.lock().unwrap().pop_front()
    }
}

linspect::harness! {
    queue: Queue = Queue::default();

    fn enqueue(&self, value: u32 in 1..=2);
    fn dequeue(&self) -> Option<u32>;

    spec = queue;
}
