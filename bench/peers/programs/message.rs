//! A value and a flag, both relaxed: whoever sees the flag may see the old value.
//! wrong
//! right with STORE = Release, LOAD = Acquire

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::{self, *}};
use std::thread;

const STORE: Ordering = Relaxed;
const LOAD: Ordering = Relaxed;

fn main() {
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
