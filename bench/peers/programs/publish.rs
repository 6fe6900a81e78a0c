//! A plain value behind a flag that nobody acquires: a data race.
//! wrong
//! right with LOAD = Acquire

use crate::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::{self, *}};
use std::thread;

const STORE: Ordering = Release;
const LOAD: Ordering = Relaxed;

struct Shared {
    value: UnsafeCell<usize>,
    ready: AtomicUsize,
}

unsafe impl Sync for Shared {}
unsafe impl Send for Shared {}

fn main() {
    let shared = Arc::new(Shared { value: UnsafeCell::new(0), ready: AtomicUsize::new(0) });
    let writer = Arc::clone(&shared);
    let thread = thread::spawn(move || {
        writer.value.with_mut(|value| unsafe { *value = 7 });
        writer.ready.store(1, STORE);
    });
    if shared.ready.load(LOAD) == 1 {
        assert_eq!(shared.value.with(|value| unsafe { *value }), 7);
    }
    thread.join().unwrap();
}
