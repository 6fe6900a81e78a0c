// exit 1: ASSERTION
// Whether an owner is the only one depends on whether the other one has gone.
use std::sync::Arc;
use std::thread;

fn main() {
    let mine = Arc::new(String::from("shared"));
    let theirs = Arc::clone(&mine);
    let other = thread::spawn(move || drop(theirs));
    let unwrapped = Arc::try_unwrap(mine);
    other.join().unwrap();
    assert!(unwrapped.is_err());
}
