//! Treiber's stack, generic, with the exchange of the head in a small inlined function. Nodes are not freed.

use std::ptr;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::SeqCst;

struct Node<T> {
    value: T,
    next: *mut Self,
}

pub struct Stack<T> {
    head: AtomicPtr<Node<T>>,
}

// SAFETY: values are handed from thread to thread, never shared.
unsafe impl<T: Send> Sync for Stack<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for Stack<T> {}

impl<T: Copy> Stack<T> {
    pub const fn new() -> Self {
        Self {
            head: AtomicPtr::new(ptr::null_mut()),
        }
    }

    pub fn push(&self, value: T) {
        let node = Box::into_raw(Box::new(Node {
            value,
            next: ptr::null_mut(),
        }));
        loop {
            let head = self.head.load(SeqCst);
            // SAFETY: nobody else knows the node yet.
            unsafe { (*node).next = head };
            if self.replace_head(head, node) {
                return;
            }
        }
    }

    pub fn pop(&self) -> Option<T> {
        loop {
            let head = self.head.load(SeqCst);
            // SAFETY: nodes are never freed.
            let node = unsafe { head.as_ref() }?;
            if self.replace_head(head, node.next) {
                return Some(node.value);
            }
        }
    }

    #[inline(always)]
    fn replace_head(&self, from: *mut Node<T>, to: *mut Node<T>) -> bool {
        if self.head.load(SeqCst) != from {
            return false;
        }
        self.head.store(to, SeqCst); // FAULT: between the two the head may change
        true
    }
}

impl<T: Copy> Default for Stack<T> {
    fn default() -> Self {
        Self::new()
    }
}
