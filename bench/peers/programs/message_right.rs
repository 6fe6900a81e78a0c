//! A value and a flag that is released and acquired.
//! right

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::{self, Acquire, Relaxed, Release}};
use std::thread;

const STORE: Ordering = Release;
const LOAD: Ordering = Acquire;

fn main() {
    let _ = (Acquire, Release);
    let shared = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let writer = Arc::clone(&shared);
    let thread = thread::spawn(move || {
        writer.0.store(7, Relaxed);
        writer.1.store(1, STORE);
    });
    if shared.1.load(LOAD) == 1 {
        assert_eq!(shared.0.load(Relaxed), 7);
    }
    thread.join().unwrap();
}
