// exit 1: ASSERTION
// A check that is only there in debug builds.
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::thread;

static INSIDE: AtomicU8 = AtomicU8::new(0);

fn section() {
    let before = INSIDE.fetch_add(1, SeqCst);
    debug_assert_eq!(before, 0, "two inside");
    INSIDE.fetch_sub(1, SeqCst);
}

fn main() {
    let thread = thread::spawn(section);
    section();
    thread.join().unwrap();
}
