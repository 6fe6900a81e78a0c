// A configuration that is published by a pointer, relaxed: whoever finds it may read it before it was written. Old ones are leaked.
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

struct Config {
    size: u32,
    depth: u32,
}

pub struct Shared {
    config: AtomicPtr<Config>,
}

impl Shared {
    pub fn publish(&self, size: u32) {
        let config = Box::into_raw(Box::new(Config { size, depth: size + 1 }));
        self.config.store(config, Ordering::Relaxed);
    }

    pub fn look(&self) -> Option<(u32, u32)> {
        let config = self.config.load(Ordering::Relaxed);
        unsafe { config.as_ref() }.map(|config| (config.size, config.depth))
    }
}

linspect::harness! {
    s: Shared = Shared { config: AtomicPtr::new(null_mut()) };
    fn publish(&self, v: u32 in 1..=2);
    fn look(&self) -> Option<(u32, u32)>;
}

// repair: 17 Relaxed → Release
// repair: 21 Relaxed → Acquire
