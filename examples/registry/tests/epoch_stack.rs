//! crossbeam-epoch: Treiber's stack with its memory reclamation.

use crossbeam_epoch::{self as epoch, Atomic, Owned};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

struct Node<T> {
    value: T,
    next: Atomic<Self>,
}

pub struct Stack<T> {
    head: Atomic<Node<T>>,
}

impl<T: Copy> Stack<T> {
    pub fn new() -> Self {
        Self {
            head: Atomic::null(),
        }
    }

    pub fn push(&self, value: T) {
        let guard = epoch::pin();
        let mut node = Owned::new(Node {
            value,
            next: Atomic::null(),
        });
        loop {
            let head = self.head.load(Relaxed, &guard);
            node.next.store(head, Relaxed);
            match self.head.compare_exchange(head, node, Release, Relaxed, &guard) {
                Ok(_) => return,
                Err(error) => node = error.new,
            }
        }
    }

    pub fn pop(&self) -> Option<T> {
        let guard = epoch::pin();
        loop {
            let head = self.head.load(Acquire, &guard);
            // SAFETY: the guard keeps what is reachable.
            let node = unsafe { head.as_ref() }?;
            let next = node.next.load(Relaxed, &guard);
            if self
                .head
                .compare_exchange(head, next, Release, Relaxed, &guard)
                .is_ok()
            {
                // SAFETY: it is out of the stack, and only who took it out gets here.
                unsafe { guard.defer_destroy(head) };
                return Some(node.value);
            }
        }
    }
}

linspect::harness! {
    stack: Stack<u32> = Stack::new();

    fn push(&self, value: u32 in 1..=2);
    fn pop(&self) -> Option<u32>;

    spec = stack;
}
