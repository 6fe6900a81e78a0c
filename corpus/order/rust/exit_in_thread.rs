// exit 1: ASSERTION
// A thread ends the process, or too late.
use std::process;
use std::thread;

fn main() {
    let thread = thread::spawn(|| process::exit(0));
    let ended = false;
    assert!(ended);
    thread.join().unwrap();
}
