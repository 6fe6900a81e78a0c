//! Two threads read a counter and write what comes next.
//! wrong

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::{Acquire, Relaxed, Release}};
use std::thread;

fn main() {
    let counter = Arc::new(AtomicUsize::new(0));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let counter = Arc::clone(&counter);
            thread::spawn(move || {
                let before = counter.load(Acquire);
                counter.store(before + 1, Release);
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(counter.load(Relaxed), 2);
}
