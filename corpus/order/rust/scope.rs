// exit 1: ASSERTION
// Two scoped threads add without looking at each other.
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

fn main() {
    let sum = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| sum.store(sum.load(SeqCst) + 1, SeqCst));
        }
    });
    assert_eq!(sum.into_inner(), 2);
}
