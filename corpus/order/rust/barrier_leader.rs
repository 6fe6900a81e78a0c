// exit 1: ASSERTION
// Who comes last leads, and that is anybody.
use std::sync::{Arc, Barrier};
use std::thread;

fn main() {
    let barrier = Arc::new(Barrier::new(2));
    let other = Arc::clone(&barrier);
    let thread = thread::spawn(move || other.wait().is_leader());
    let leads = barrier.wait().is_leader();
    assert!(leads != thread.join().unwrap());
    assert!(leads);
}
