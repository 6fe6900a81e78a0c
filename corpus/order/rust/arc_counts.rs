// exit 1: ASSERTION
// A clone that another thread makes and keeps for a while can be counted or not.
use std::sync::Arc;
use std::thread;

fn main() {
    let mine = Arc::new(());
    let theirs = Arc::clone(&mine);
    let other = thread::spawn(move || {
        let third = Arc::clone(&theirs);
        (theirs, third)
    });
    let count = Arc::strong_count(&mine);
    other.join().unwrap();
    assert_eq!(count, 2);
}
