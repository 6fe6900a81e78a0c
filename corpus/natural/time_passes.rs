// verdict: ASSERTION FAILED
//! Nobody promises that a thread goes on in time.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

static FLAG: AtomicBool = AtomicBool::new(false);

fn main() {
    let thread = std::thread::spawn(|| FLAG.store(true, SeqCst));
    let start = Instant::now();
    FLAG.load(SeqCst);
    assert!(start.elapsed() < Duration::from_secs(1));
    thread.join().unwrap();
}
