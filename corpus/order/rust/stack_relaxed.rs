// exit 1: DATA RACE
// options: --operations 3 --threads 2
// A stack whose nodes are published by relaxed exchanges.
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

struct Node {
    value: u32,
    next: *mut Node,
}

pub struct Stack(AtomicPtr<Node>);

impl Stack {
    fn push(&self, value: u32) {
        let node = Box::into_raw(Box::new(Node { value, next: null_mut() }));
        loop {
            let top = self.0.load(Relaxed);
            unsafe { (*node).next = top };
            if self.0.compare_exchange(top, node, Relaxed, Relaxed).is_ok() {
                return;
            }
        }
    }

    fn pop(&self) -> Option<u32> {
        loop {
            let top = self.0.load(Relaxed);
            let node = unsafe { top.as_ref() }?;
            if self.0.compare_exchange(top, node.next, Relaxed, Relaxed).is_ok() {
                return Some(node.value);
            }
        }
    }
}

linspect::harness! {
    stack: Stack = Stack(AtomicPtr::new(null_mut()));

    fn push(&self, value: u32 in 1..=2);
    fn pop(&self) -> Option<u32>;
    spec = stack;
}
