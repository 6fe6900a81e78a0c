//! Each writes two places in opposite order: either first write may come last at its place.
//! wrong

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

fn main() {
    let shared = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let other = Arc::clone(&shared);
    let thread = thread::spawn(move || {
        other.0.store(1, Relaxed);
        other.1.store(2, Relaxed);
    });
    shared.1.store(1, Relaxed);
    shared.0.store(2, Relaxed);
    thread.join().unwrap();
    assert!(shared.0.load(Relaxed) == 2 || shared.1.load(Relaxed) == 2);
}
