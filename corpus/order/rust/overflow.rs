// exit 1: overflow
// A difference that is negative in one order.
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::thread;

static BEGUN: AtomicU8 = AtomicU8::new(0);
static ENDED: AtomicU8 = AtomicU8::new(0);

fn main() {
    let thread = thread::spawn(|| {
        BEGUN.fetch_add(1, SeqCst);
        ENDED.fetch_add(1, SeqCst);
    });
    let begun = BEGUN.load(SeqCst);
    let running = begun - ENDED.load(SeqCst);
    thread.join().unwrap();
    assert!(running <= 1);
}
