//! Two registers that are written one by one and read together: they share one word.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// Two registers, both 1 at first.
pub struct PairSnapshot {
    both: AtomicU64,
}

fn pack([x, y]: [u32; 2]) -> u64 {
    u64::from(y) << 32 | u64::from(x)
}

fn unpack(both: u64) -> [u32; 2] {
    [both as u32, (both >> 32) as u32]
}

impl PairSnapshot {
    /// Both registers 1.
    pub fn new() -> Self {
        Self {
            both: AtomicU64::new(pack([1, 1])),
        }
    }

    /// Sets register `i`.
    pub fn write(&self, i: usize, value: u32) {
        let mut old = self.both.load(SeqCst);
        loop {
            let mut pair = unpack(old);
            pair[i] = value;
            match self.both.compare_exchange(old, pack(pair), SeqCst, SeqCst) {
                Ok(_) => return,
                Err(now) => old = now,
            }
        }
    }

    /// Both registers at one moment.
    pub fn read(&self) -> (u32, u32) {
        let [x, y] = unpack(self.both.load(SeqCst));
        (x, y)
    }
}

impl Default for PairSnapshot {
    fn default() -> Self {
        Self::new()
    }
}
