//! Two threads each write one place; two others read both in opposite order and acquire what they read: they need not agree.
//! wrong

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::{Acquire, Release}};
use std::thread;

fn main() {
    let shared = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let [first, second, reader] = [0; 3].map(|_| Arc::clone(&shared));
    let one = thread::spawn(move || first.0.store(1, Release));
    let two = thread::spawn(move || second.1.store(1, Release));
    let three = thread::spawn(move || (reader.0.load(Acquire), reader.1.load(Acquire)));
    let mine = (shared.1.load(Acquire), shared.0.load(Acquire));
    let theirs = three.join().unwrap();
    one.join().unwrap();
    two.join().unwrap();
    assert!(!(mine == (1, 0) && theirs == (1, 0)));
}
