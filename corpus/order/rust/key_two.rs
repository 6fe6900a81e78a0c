// exit 1: NOT LINEARIZABLE
// A set that is atomic for one key and not for another.
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};

pub struct Bits(AtomicU8);

impl Bits {
    pub fn add(&self, key: u8) -> bool {
        let bit = 1 << key;
        if key == 2 {
            let old = self.0.load(SeqCst);
            self.0.store(old | bit, SeqCst);
            return old & bit == 0;
        }
        self.0.fetch_or(bit, SeqCst) & bit == 0
    }
}

linspect::harness! {
    bits: Bits = Bits(AtomicU8::new(0));

    fn add(&self, key: u8 in 0..=2) -> bool;

    spec = set;
}
