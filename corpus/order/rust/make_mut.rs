// exit 1: ASSERTION
// Whether a value is copied before it is changed depends on who still owns it.
use std::sync::Arc;
use std::thread;

fn main() {
    let mut here = Arc::new(1);
    let there = Arc::clone(&here);
    let before = Arc::as_ptr(&here) as usize;
    let thread = thread::spawn(move || *there);
    *Arc::make_mut(&mut here) += 1;
    assert_eq!(thread.join().unwrap(), 1);
    assert_ne!(before, Arc::as_ptr(&here) as usize);
}
