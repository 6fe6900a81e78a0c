// A counter under a ticket lock whose unlock is relaxed: the next owner may read an old count.
use std::sync::atomic::{AtomicU32, Ordering};

pub struct Counter {
    next: AtomicU32,
    serving: AtomicU32,
    count: AtomicU32,
}

impl Counter {
    pub fn add(&self) -> u32 {
        let mine = self.next.fetch_add(1, Ordering::Relaxed);
        while self.serving.load(Ordering::Acquire) != mine {
            std::hint::spin_loop();
        }
        let count = self.count.load(Ordering::Relaxed);
        self.count.store(count + 1, Ordering::Relaxed);
        self.serving.store(mine + 1, Ordering::Relaxed);
        count
    }
}

linspect::harness! {
    c: Counter = Counter { next: AtomicU32::new(0), serving: AtomicU32::new(0), count: AtomicU32::new(0) };
    fn add(&self) -> u32;
}

// repair: 18 Relaxed → Release
