// verdict: holds
use std::sync::atomic::{AtomicU64, Ordering::*};
pub struct B(AtomicU64);
impl B {
    fn alloc(&self) -> Option<u32> {
        let mut v = self.0.load(Relaxed);
        loop {
            let i = (!v).trailing_zeros();
            if i >= 2 {
                return None;
            }
            match self.0.compare_exchange_weak(v, v | 1 << i, AcqRel, Relaxed) {
                Ok(_) => return Some(i),
                Err(n) => v = n,
            }
        }
    }
    fn free(&self, i: u32) -> bool {
        self.0.fetch_and(!(1 << i), AcqRel) & 1 << i != 0
    }
}
linspect::harness! { b: B = B(AtomicU64::new(0)); fn alloc(&self) -> Option<u32>; fn free(&self, i: u32 in 0..=1) -> bool; }
