// exit 1: ASSERTION
// The last of two owners drops, and its drop finds its own weak reference dead.
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::sync::{Arc, Weak};
use std::thread;

static LAST: AtomicU8 = AtomicU8::new(0);

struct Node(Weak<Node>, AtomicU8);

impl Drop for Node {
    fn drop(&mut self) {
        assert!(self.0.upgrade().is_none());
        LAST.store(self.1.load(SeqCst), SeqCst);
    }
}

fn main() {
    let node = Arc::new_cyclic(|weak| Node(weak.clone(), AtomicU8::new(0)));
    let other = Arc::clone(&node);
    let thread = thread::spawn(move || other.1.store(1, SeqCst));
    let seen = node.1.load(SeqCst);
    drop(node);
    thread.join().unwrap();
    assert_eq!(seen, LAST.load(SeqCst));
}
