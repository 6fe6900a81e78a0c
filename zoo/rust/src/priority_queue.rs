//! A priority queue that looks and takes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Mutex;

/// A priority queue, smallest number first.
#[derive(Default)]
pub struct PriorityQueue {
    heap: Mutex<BinaryHeap<Reverse<i32>>>,
}

impl PriorityQueue {
    /// An empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `priority`.
    pub fn insert(&self, priority: i32) {
        self.heap.lock().unwrap().push(Reverse(priority));
    }

    /// The smallest number.
    pub fn peek(&self) -> Option<i32> {
        self.heap.lock().unwrap().peek().map(|&Reverse(p)| p)
    }

    /// Takes the smallest number.
    pub fn poll(&self) -> Option<i32> {
        let smallest = self.peek()?;
        self.heap.lock().unwrap().pop();
        Some(smallest)
    }
}
