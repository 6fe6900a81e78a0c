// exit 1: ASSERTION
// A thread of a scope starts another one of it.
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

fn main() {
    let sum = AtomicU32::new(0);
    let add = || sum.store(sum.load(SeqCst) + 1, SeqCst);
    thread::scope(|scope| {
        scope.spawn(|| {
            scope.spawn(add);
            add();
        });
    });
    assert_eq!(sum.load(SeqCst), 2);
}
