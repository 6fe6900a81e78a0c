// exit 1: ASSERTION
// A weak owner comes too late if the last strong one has gone.
use std::sync::Arc;
use std::thread;

fn main() {
    let strong = Arc::new(3);
    let weak = Arc::downgrade(&strong);
    let other = thread::spawn(move || weak.upgrade().map(|value| *value));
    drop(strong);
    assert_eq!(other.join().unwrap(), Some(3));
}
