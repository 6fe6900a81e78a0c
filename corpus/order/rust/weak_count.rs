// exit 1: ASSERTION
// A weak owner counts the strong ones while they go.
use std::sync::Arc;
use std::thread;

fn main() {
    let strong = Arc::new(());
    let weak = Arc::downgrade(&strong);
    let thread = thread::spawn(move || drop(strong));
    let count = weak.strong_count();
    thread.join().unwrap();
    assert_eq!(count, 0);
}
