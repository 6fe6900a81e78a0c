//! The non-blocking queue of Michael and Scott.
//!
//! Dequeued nodes are leaked; a queue for production would hand them to an epoch collector.

use std::ptr;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

struct Node<T> {
    value: Option<T>,
    next: AtomicPtr<Node<T>>,
}

/// A lock-free first-in first-out queue.
pub struct Queue<T> {
    /// A node already taken.
    head: AtomicPtr<Node<T>>,
    /// The last node or one before it.
    tail: AtomicPtr<Node<T>>,
}

// SAFETY: values are handed over whole, and copied out of nodes that nobody changes.
unsafe impl<T: Send> Send for Queue<T> {}
unsafe impl<T: Send> Sync for Queue<T> {}

fn allocate<T>(value: Option<T>) -> *mut Node<T> {
    Box::into_raw(Box::new(Node {
        value,
        next: AtomicPtr::new(ptr::null_mut()),
    }))
}

impl<T: Copy> Queue<T> {
    /// An empty queue.
    pub fn new() -> Self {
        let dummy = allocate(None);
        Self {
            head: AtomicPtr::new(dummy),
            tail: AtomicPtr::new(dummy),
        }
    }

    /// Appends `value`.
    pub fn enqueue(&self, value: T) {
        let node = allocate(Some(value));
        loop {
            let tail = self.tail.load(Acquire);
            // SAFETY: linked nodes are freed only when the queue is dropped.
            let last = unsafe { &*tail };
            let next = last.next.load(Acquire);
            if !next.is_null() {
                let _ = self.tail.compare_exchange(tail, next, AcqRel, Acquire);
            } else if last
                .next
                .compare_exchange(next, node, AcqRel, Acquire)
                .is_ok()
            {
                let _ = self.tail.compare_exchange(tail, node, AcqRel, Acquire);
                return;
            }
        }
    }

    /// Takes the oldest value.
    pub fn dequeue(&self) -> Option<T> {
        loop {
            let head = self.head.load(Acquire);
            let tail = self.tail.load(Acquire);
            // SAFETY: linked nodes are freed only when the queue is dropped.
            let next = unsafe { &*head }.next.load(Acquire);
            let first = unsafe { next.as_ref() }?;
            if head == tail {
                let _ = self.tail.compare_exchange(tail, next, AcqRel, Acquire);
                continue;
            }
            let _ = self.head.compare_exchange(head, next, AcqRel, Acquire);
            return first.value;
        }
    }
}

impl<T: Copy> Default for Queue<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Drop for Queue<T> {
    fn drop(&mut self) {
        let mut node = *self.head.get_mut();
        while !node.is_null() {
            // SAFETY: every node came from a box and is linked once.
            node = *unsafe { Box::from_raw(node) }.next.get_mut();
        }
    }
}
