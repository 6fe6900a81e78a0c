use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU8, Ordering};

/// Set once, read by everybody. 0: empty, 1: somebody is writing, 2: there.
pub struct OnceConfig {
    state: AtomicU8,
    limits: UnsafeCell<(u32, u32)>,
}

unsafe impl Sync for OnceConfig {}

impl OnceConfig {
    pub const fn new() -> Self {
        OnceConfig { state: AtomicU8::new(0), limits: UnsafeCell::new((0, 0)) }
    }

    pub fn set(&self, low: u32) -> bool {
        if self.state.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            while self.state.load(Ordering::Acquire) != 2 {
                std::hint::spin_loop();
            }
            return false;
        }
        unsafe { *self.limits.get() = (low, low + 10) };
        self.state.store(2, Ordering::Relaxed);
        true
    }

    pub fn get(&self) -> Option<(u32, u32)> {
        if self.state.load(Ordering::Acquire) == 2 {
            Some(unsafe { *self.limits.get() })
        } else {
            None
        }
    }
}

linspect::harness! {
    config: OnceConfig = OnceConfig::new();

    fn set(&self, low: u32 in 1..=2) -> bool;
    fn get(&self) -> Option<(u32, u32)>;
}

// client: set(1) | get
// says: ✗ DATA RACE
// says: T2 get() … was still running
// says: object.state := 2
// says: object.state is 2
// never: never returned
