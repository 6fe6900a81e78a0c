//! crossbeam-epoch: a stack whose nodes are reclaimed by epochs, from two threads.

use crossbeam_epoch::{pin, Atomic, Owned};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::Arc;

struct Node {
    value: i32,
    next: Atomic<Node>,
}

#[derive(Default)]
struct Stack {
    head: Atomic<Node>,
}

impl Stack {
    fn push(&self, value: i32) {
        let guard = pin();
        let mut node = Owned::new(Node { value, next: Atomic::null() });
        loop {
            let head = self.head.load(Relaxed, &guard);
            node.next.store(head, Relaxed);
            match self.head.compare_exchange(head, node, Release, Relaxed, &guard) {
                Ok(_) => return,
                Err(error) => node = error.new,
            }
        }
    }

    fn pop(&self) -> Option<i32> {
        let guard = pin();
        loop {
            let head = self.head.load(Acquire, &guard);
            let node = unsafe { head.as_ref() }?;
            let next = node.next.load(Relaxed, &guard);
            if self.head.compare_exchange(head, next, Release, Relaxed, &guard).is_ok() {
                let value = node.value;
                unsafe { guard.defer_destroy(head) };
                return Some(value);
            }
        }
    }
}

fn main() {
    let stack = Arc::new(Stack::default());
    let threads: Vec<_> = (1..=2)
        .map(|n| {
            let stack = stack.clone();
            std::thread::spawn(move || {
                stack.push(n);
                stack.push(n * 10);
                stack.pop().unwrap()
            })
        })
        .collect();
    let mut sum: i32 = threads.into_iter().map(|t| t.join().unwrap()).sum();
    while let Some(value) = stack.pop() {
        sum += value;
    }
    println!("sum {sum}");
}
