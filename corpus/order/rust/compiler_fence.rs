// exit 1: ASSERTION
// A fence that binds only the compiler orders nothing for other threads.
use std::sync::atomic::{AtomicUsize, Ordering::{Relaxed, SeqCst}, compiler_fence};
use std::thread;

static X: AtomicUsize = AtomicUsize::new(0);
static Y: AtomicUsize = AtomicUsize::new(0);

fn fence() {
    compiler_fence(SeqCst);
}

fn main() {
    let other = thread::spawn(|| {
        X.store(1, Relaxed);
        fence();
        Y.load(Relaxed)
    });
    Y.store(1, Relaxed);
    fence();
    let mine = X.load(Relaxed);
    assert!(mine + other.join().unwrap() > 0);
}
