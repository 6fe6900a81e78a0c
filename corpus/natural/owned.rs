// verdict: holds
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::*};
thread_local!(static ME: Cell<u64> = const { Cell::new(0) });
static NEXT: AtomicU64 = AtomicU64::new(1);
fn me() -> u64 {
    ME.with(|m| {
        if m.get() == 0 {
            m.set(NEXT.fetch_add(1, Relaxed))
        }
        m.get()
    })
}
pub struct Lock(AtomicU64);
impl Lock {
    fn try_lock(&self) -> bool {
        self.0.compare_exchange(0, me(), Acquire, Relaxed).is_ok()
    }
    fn unlock(&self) -> bool {
        self.0.compare_exchange(me(), 0, Release, Relaxed).is_ok()
    }
}
linspect::harness! { l: Lock = Lock(AtomicU64::new(0)); fn try_lock(&self) -> bool; fn unlock(&self) -> bool; spec = owned_mutex; }
