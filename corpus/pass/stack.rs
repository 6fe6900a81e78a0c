// A Treiber stack in Rust: AtomicPtr, Box, two threads, fields and array elements by name.
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

struct Node {
    value: i32,
    next: *mut Node,
}

struct Stack {
    length: AtomicUsize,
    head: AtomicPtr<Node>,
    seen: [AtomicUsize; 4],
}

impl Stack {
    fn push(&self, value: i32) {
        let node = Box::into_raw(Box::new(Node { value, next: ptr::null_mut() }));
        loop {
            let old = self.head.load(Ordering::Acquire);
            unsafe { (*node).next = old };
            let done = self.head.compare_exchange(old, node, Ordering::AcqRel, Ordering::Relaxed);
            if done.is_ok() {
                break;
            }
        }
        self.length.fetch_add(1, Ordering::Relaxed);
        let at = value as usize % 4;
        self.seen[at].store(1, Ordering::SeqCst);
    }

    fn pop(&self) -> Option<i32> {
        loop {
            let top = self.head.load(Ordering::Acquire);
            if top.is_null() {
                return None;
            }
            let next = unsafe { (*top).next };
            let done = self.head.compare_exchange(top, next, Ordering::AcqRel, Ordering::Relaxed);
            if done.is_ok() {
                return Some(unsafe { Box::from_raw(top) }.value);
            }
        }
    }
}

static STACK: Stack = Stack {
    length: AtomicUsize::new(0),
    head: AtomicPtr::new(ptr::null_mut()),
    seen: [const { AtomicUsize::new(0) }; 4],
};

fn main() {
    let a = std::thread::spawn(|| STACK.push(1));
    let b = std::thread::spawn(|| STACK.push(2));
    a.join().unwrap();
    b.join().unwrap();
    let sum = STACK.pop().unwrap() + STACK.pop().unwrap();
    println!("{sum} {:?} {}", STACK.pop(), STACK.length.load(Ordering::Relaxed));
}
