// Treiber's stack over nodes that stand still, everything relaxed: a value may be popped before it is there. A node that is pushed twice is a fault of its own, which no ordering mends.
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

struct Node {
    value: AtomicU32,
    next: AtomicPtr<Node>,
}

pub struct Stack {
    nodes: [Node; 2],
    head: AtomicPtr<Node>,
}

impl Stack {
    pub fn push(&self, value: u32) {
        let node = &self.nodes[value as usize - 1];
        node.value.store(value, Ordering::Relaxed);
        loop {
            let head = self.head.load(Ordering::Relaxed);
            node.next.store(head, Ordering::Relaxed);
            let node = std::ptr::from_ref(node).cast_mut();
            if self.head.compare_exchange(head, node, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return;
            }
        }
    }

    pub fn pop(&self) -> Option<u32> {
        loop {
            let head = self.head.load(Ordering::Relaxed);
            let node = unsafe { head.as_ref() }?;
            let next = node.next.load(Ordering::Relaxed);
            if self.head.compare_exchange(head, next, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return Some(node.value.load(Ordering::Relaxed));
            }
        }
    }
}

const NODE: Node = Node { value: AtomicU32::new(0), next: AtomicPtr::new(null_mut()) };

linspect::harness! {
    s: Stack = Stack { nodes: [NODE; 2], head: AtomicPtr::new(null_mut()) };
    fn push(&self, v: u32 in 1..=2);
    fn pop(&self) -> Option<u32>;
    spec = stack;
}
