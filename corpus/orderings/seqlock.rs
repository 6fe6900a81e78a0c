// A pair under a sequence lock whose reader has neither a fence nor acquire loads: it may see half of a write that its second look at the number does not show.
use std::sync::atomic::{AtomicU32, Ordering, fence};

pub struct Pair {
    number: AtomicU32,
    left: AtomicU32,
    right: AtomicU32,
}

impl Pair {
    pub fn write(&self, value: u32) {
        let number = self.number.load(Ordering::Relaxed);
        self.number.store(number + 1, Ordering::Relaxed);
        fence(Ordering::Release);
        self.left.store(value, Ordering::Relaxed);
        self.right.store(value, Ordering::Relaxed);
        self.number.store(number + 2, Ordering::Release);
    }

    pub fn read(&self) -> (u32, u32) {
        loop {
            let before = self.number.load(Ordering::Acquire);
            let left = self.left.load(Ordering::Relaxed);
            let right = self.right.load(Ordering::Relaxed);
            let after = self.number.load(Ordering::Relaxed);
            if before == after && before % 2 == 0 {
                return (left, right);
            }
        }
    }
}

linspect::harness! {
    p: Pair = Pair { number: AtomicU32::new(0), left: AtomicU32::new(0), right: AtomicU32::new(0) };
    #[single_thread] fn write(&self, v: u32 in 1..=2);
    fn read(&self) -> (u32, u32);
}

// repair: 23 Relaxed → Acquire
// repair: 24 Relaxed → Acquire
