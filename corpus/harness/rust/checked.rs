// Checks that a build for tests has.
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};

pub struct Count(AtomicU8);

impl Count {
    pub fn add(&self, n: u8) -> u8 {
        let sum = self.0.load(SeqCst) + n;
        self.0.store(sum, SeqCst);
        sum
    }
    pub fn even(&self) -> u8 {
        let n = self.0.load(SeqCst);
        debug_assert!(n % 2 == 0, "{n} is odd");
        n
    }
}

linspect::harness! {
    count: Count = Count(AtomicU8::new(250));

    fn add(&self, n: u8 in [1, 10]) -> u8;
    fn even(&self) -> u8;
}
