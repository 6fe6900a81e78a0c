// exit 1: ASSERTION
// A weak owner can go between two looks.
use std::sync::Arc;
use std::thread;

fn main() {
    let mut mine = Arc::new(1);
    let weak = Arc::downgrade(&mine);
    let other = thread::spawn(move || drop(weak));
    if let Some(value) = Arc::get_mut(&mut mine) {
        *value += 1;
    }
    other.join().unwrap();
    assert_eq!(*mine, 1);
}
