//! A counter.

use std::sync::atomic::{AtomicI64, Ordering::SeqCst};

/// A counter, 0 at first.
#[derive(Default)]
pub struct Counter {
    count: AtomicI64,
}

impl Counter {
    /// A counter at 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one up.
    pub fn increment(&self) {
        self.count.fetch_add(1, SeqCst);
    }

    /// The count.
    pub fn get(&self) -> i64 {
        self.count.load(SeqCst)
    }
}
