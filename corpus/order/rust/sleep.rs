// exit 1: ASSERTION
// Sleep orders nothing.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

static DONE: AtomicBool = AtomicBool::new(false);

fn main() {
    let thread = thread::spawn(|| DONE.store(true, SeqCst));
    thread::sleep(Duration::from_secs(3600));
    assert!(DONE.load(SeqCst));
    thread.join().unwrap();
}
