use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

static FLAG: AtomicBool = AtomicBool::new(false);

/// Whether the flag was set in time.
fn wait() -> bool {
    let end = Instant::now() + Duration::from_secs(60);
    FLAG.load(SeqCst) || Instant::now() < end
}

fn main() {
    let thread = std::thread::spawn(wait);
    FLAG.store(true, SeqCst);
    assert!(thread.join().unwrap());
}

// says: ASSERTION FAILED
// says: is late: an hour has passed when it asks for the time
// says: nobody promises that a thread goes on in time
// says: only a spurious wake-up or a delay allows this
// never: came before
