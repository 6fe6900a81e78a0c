// verdict: PANIC
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

fn main() {
    let ready = Arc::new(AtomicBool::new(false));
    let there = Arc::clone(&ready);
    let waiter = thread::spawn(move || {
        if !there.load(Ordering::SeqCst) {
            thread::park();
        }
        assert!(there.load(Ordering::SeqCst), "nobody is ready");
    });
    ready.store(true, Ordering::SeqCst);
    waiter.thread().unpark();
    waiter.join().unwrap();
}
