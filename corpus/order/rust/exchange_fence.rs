// exit 1: ASSERTION
// An exchange with a fence that binds the compiler behind it is a fence on x86, and none in the languages.
use std::sync::atomic::{AtomicUsize, Ordering::{Relaxed, SeqCst}, compiler_fence};
use std::thread;

static X: AtomicUsize = AtomicUsize::new(0);
static Y: AtomicUsize = AtomicUsize::new(0);

fn fence() {
    let own = AtomicUsize::new(0);
    let _ = own.compare_exchange(0, 1, SeqCst, SeqCst);
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
