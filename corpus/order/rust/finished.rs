// exit 1: ASSERTION
// A thread may have ended already when it is asked.
use std::thread;

fn main() {
    let thread = thread::spawn(|| ());
    let ended = thread.is_finished();
    thread.join().unwrap();
    assert!(!ended);
}
