//! The same with a fence between.
//! right

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::{Relaxed, SeqCst}, fence};
use std::thread;

fn main() {
    let _ = SeqCst;
    let shared = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let other = Arc::clone(&shared);
    let thread = thread::spawn(move || {
        other.0.store(1, Relaxed);
        fence(SeqCst);
        other.1.load(Relaxed)
    });
    shared.1.store(1, Relaxed);
    fence(SeqCst);
    let mine = shared.0.load(Relaxed);
    let theirs = thread.join().unwrap();
    assert!(mine == 1 || theirs == 1);
}
