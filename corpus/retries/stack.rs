// Treiber's stack; nodes are never freed.
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

struct Node {
    value: u32,
    next: *mut Node,
}

pub struct Stack(AtomicPtr<Node>);

impl Stack {
    pub fn push(&self, value: u32) {
        let node = Box::into_raw(Box::new(Node { value, next: std::ptr::null_mut() }));
        loop {
            let top = self.0.load(SeqCst);
            unsafe { (*node).next = top };
            if self.0.compare_exchange(top, node, SeqCst, SeqCst).is_ok() {
                return;
            }
        }
    }

    pub fn pop(&self) -> Option<u32> {
        loop {
            let top = self.0.load(SeqCst);
            if top.is_null() {
                return None;
            }
            let next = unsafe { (*top).next };
            if self.0.compare_exchange(top, next, SeqCst, SeqCst).is_ok() {
                return Some(unsafe { (*top).value });
            }
        }
    }
}

linspect::harness! {
    stack: Stack = Stack(AtomicPtr::new(std::ptr::null_mut()));

    fn push(&self, value: u32 in 1..=3);
    fn pop(&self) -> Option<u32>;
    spec = stack;
}
