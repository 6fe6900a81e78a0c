// exit 1: ASSERTION
// A weak owner keeps `get_mut` from succeeding until it has gone.
use std::sync::Arc;
use std::thread;

fn main() {
    let mut strong = Arc::new(1);
    let weak = Arc::downgrade(&strong);
    let thread = thread::spawn(move || drop(weak));
    let unique = Arc::get_mut(&mut strong).is_some();
    thread.join().unwrap();
    assert!(!unique);
}
