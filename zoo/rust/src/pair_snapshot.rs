//! Two registers that are written one by one and read together: a reader collects both and believes them if the first
//! has not changed meanwhile.

use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// Two registers, both 1 at first.
pub struct PairSnapshot {
    d: [AtomicU32; 2],
}

impl PairSnapshot {
    /// Both registers 1.
    pub fn new() -> Self {
        Self {
            d: [AtomicU32::new(1), AtomicU32::new(1)],
        }
    }

    /// Sets register `i`.
    pub fn write(&self, i: usize, value: u32) {
        self.d[i].store(value, SeqCst);
    }

    /// Both registers at one moment.
    pub fn read(&self) -> (u32, u32) {
        loop {
            let x = self.d[0].load(SeqCst);
            let y = self.d[1].load(SeqCst);
            if x == self.d[0].load(SeqCst) {
                return (x, y);
            }
        }
    }
}

impl Default for PairSnapshot {
    fn default() -> Self {
        Self::new()
    }
}
