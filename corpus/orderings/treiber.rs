// Treiber's stack, everything relaxed: a popped node need not have been written yet. Nodes are leaked.
use std::sync::atomic::{AtomicPtr, Ordering};

struct Node {
    value: u32,
    next: *mut Node,
}

pub struct Stack {
    head: AtomicPtr<Node>,
}

impl Stack {
    pub fn push(&self, value: u32) {
        let next = std::ptr::null_mut();
        let node = Box::into_raw(Box::new(Node { value, next }));
        loop {
            let head = self.head.load(Ordering::Relaxed);
            unsafe { (*node).next = head };
            if self.head.compare_exchange(head, node, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return;
            }
        }
    }

    pub fn pop(&self) -> Option<u32> {
        loop {
            let head = self.head.load(Ordering::Relaxed);
            if head.is_null() {
                return None;
            }
            let next = unsafe { (*head).next };
            if self.head.compare_exchange(head, next, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return Some(unsafe { (*head).value });
            }
        }
    }
}

linspect::harness! {
    s: Stack = Stack { head: AtomicPtr::new(std::ptr::null_mut()) };
    fn push(&self, v: u32 in 1..=2);
    fn pop(&self) -> Option<u32>;
    spec = stack;
}

// repair: 20 Relaxed → Release
// repair: 28 Relaxed → Acquire
