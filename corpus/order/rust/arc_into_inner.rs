// exit 1: ASSERTION
// Exactly one of two owners gets the value, and it is not always the same one.
use std::sync::Arc;
use std::thread;

fn main() {
    let mine = Arc::new(5);
    let theirs = Arc::clone(&mine);
    let other = thread::spawn(move || Arc::into_inner(theirs));
    let got = Arc::into_inner(mine);
    let other = other.join().unwrap();
    assert!(got.is_some() != other.is_some());
    assert_eq!(other, Some(5), "the other owner was the last one");
}
