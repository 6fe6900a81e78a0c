// A counter by compare-exchange, in both ways in which people write it: read again, or go on with what the failed exchange found.
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

pub struct Counter(AtomicU32);

impl Counter {
    pub fn reload(&self) -> u32 {
        loop {
            let old = self.0.load(SeqCst);
            if self.0.compare_exchange(old, old + 1, SeqCst, SeqCst).is_ok() {
                return old;
            }
        }
    }

    pub fn keep(&self) -> u32 {
        let mut old = self.0.load(SeqCst);
        while let Err(now) = self.0.compare_exchange(old, old + 1, SeqCst, SeqCst) {
            old = now;
        }
        old
    }
}

linspect::harness! {
    counter: Counter = Counter(AtomicU32::new(0));

    fn reload(&self) -> u32;
    fn keep(&self) -> u32;
}
