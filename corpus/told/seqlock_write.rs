use std::sync::atomic::{AtomicU32, Ordering::*};

pub struct Pair {
    version: AtomicU32,
    a: AtomicU32,
    b: AtomicU32,
}

impl Pair {
    pub const fn new() -> Self {
        Pair { version: AtomicU32::new(0), a: AtomicU32::new(0), b: AtomicU32::new(0) }
    }

    /// False if another writer is at work.
    pub fn write(&self, n: u32) -> bool {
        let v = self.version.load(Relaxed);
        if v % 2 == 1 || self.version.compare_exchange(v, v + 1, Acquire, Relaxed).is_err() {
            return false;
        }
        self.a.store(n, Relaxed);
        self.b.store(n, Relaxed);
        self.version.store(v + 2, Release);
        true
    }

    pub fn read(&self) -> (u32, u32) {
        loop {
            let before = self.version.load(Acquire);
            let pair = (self.a.load(Relaxed), self.b.load(Relaxed));
            if before % 2 == 0 && self.version.load(Acquire) == before {
                return pair;
            }
        }
    }
}

linspect::harness! {
    pair: Pair = Pair::new();

    fn write(&self, n: u32 in [1]) -> bool;
    fn read(&self) -> (u32, u32);
}

// client: write(1) | write(1)
// says: write(1) returned false, but only true was possible
// says: write, lines 16–22, must be one step
// never: must fail if
// never: check its result
