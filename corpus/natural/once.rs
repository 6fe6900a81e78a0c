// verdict: NOT LINEARIZABLE
// client: set(1) get | set(1)
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU8, Ordering};
pub struct Once {
    s: AtomicU8,
    v: UnsafeCell<u32>,
}
unsafe impl Sync for Once {}
impl Once {
    fn set(&self, v: u32) -> bool {
        if self
            .s
            .compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire)
            .is_err()
        {
            return false;
        }
        unsafe { *self.v.get() = v };
        self.s.store(2, Ordering::Release);
        true
    }
    fn get(&self) -> Option<u32> {
        (self.s.load(Ordering::Acquire) == 2).then(|| unsafe { *self.v.get() })
    }
}
linspect::harness! { o: Once = Once { s: AtomicU8::new(0), v: UnsafeCell::new(0) };
fn set(&self, v: u32 in 1..=2) -> bool; fn get(&self) -> Option<u32>; }
