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

    pub fn write(&self, n: u32) {
        let mut v = self.version.load(Relaxed);
        while v % 2 == 1 || self.version.compare_exchange(v, v + 1, Acquire, Relaxed).is_err() {
            v = self.version.load(Relaxed);
        }
        self.a.store(n, Relaxed);
        self.b.store(n, Relaxed);
        self.version.store(v + 2, Release);
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

    fn write(&self, n: u32 in [1]);
    fn read(&self) -> (u32, u32);
}

// client: write(1) | read
// says: the load of self.a `Relaxed` → `Acquire`
// says: the load of self.b `Relaxed` → `Acquire`
