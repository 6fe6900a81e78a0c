// exit 1: ASSERTION
// A thread that nobody joins, started by one that nobody joins.
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::thread;

static SEEN: AtomicU8 = AtomicU8::new(0);

fn main() {
    drop(thread::spawn(|| drop(thread::spawn(|| SEEN.store(1, SeqCst)))));
    assert_eq!(SEEN.load(SeqCst), 0);
}
