//! Treiber's stack.
//!
//! Popped nodes are leaked, so that no address comes back; a stack for production would hand them to an epoch collector.

use std::ptr;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

struct Node<T> {
    value: T,
    next: *mut Node<T>,
}

/// A lock-free stack.
pub struct Stack<T> {
    top: AtomicPtr<Node<T>>,
}

// SAFETY: values are handed over whole, and copied out of nodes that nobody changes.
unsafe impl<T: Send> Send for Stack<T> {}
unsafe impl<T: Send> Sync for Stack<T> {}

impl<T: Copy> Stack<T> {
    /// An empty stack.
    pub fn new() -> Self {
        Self {
            top: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Puts `value` on top.
    pub fn push(&self, value: T) {
        let node = Box::into_raw(Box::new(Node {
            value,
            next: self.top.load(Acquire),
        }));
        loop {
            // SAFETY: the node is ours until it is linked.
            let next = unsafe { (*node).next };
            match self.top.compare_exchange(next, node, AcqRel, Acquire) {
                Ok(_) => return,
                Err(top) => unsafe { (*node).next = top },
            }
        }
    }

    /// Takes the value on top.
    pub fn pop(&self) -> Option<T> {
        loop {
            let top = self.top.load(Acquire);
            // SAFETY: linked nodes are freed only when the stack is dropped.
            let node = unsafe { top.as_ref() }?;
            if self
                .top
                .compare_exchange(top, node.next, AcqRel, Acquire)
                .is_ok()
            {
                return Some(node.value);
            }
        }
    }
}

impl<T: Copy> Default for Stack<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Drop for Stack<T> {
    fn drop(&mut self) {
        let mut top = *self.top.get_mut();
        while !top.is_null() {
            // SAFETY: every node came from a box and is linked once.
            top = unsafe { Box::from_raw(top) }.next;
        }
    }
}
