//! Counters under two locks of the standard library: whoever finds one taken waits for it.
use std::sync::{Mutex, RwLock};

#[derive(Default)]
pub struct Counters {
    exclusive: Mutex<u32>,
    shared: RwLock<u32>,
}

impl Counters {
    pub fn lock(&self) -> u32 {
        let mut count = self.exclusive.lock().unwrap();
        *count += 1;
        *count
    }

    pub fn try_lock(&self) -> Option<u32> {
        let mut count = self.exclusive.try_lock().ok()?;
        *count += 1;
        Some(*count)
    }

    pub fn write(&self) -> u32 {
        let mut count = self.shared.write().unwrap();
        *count += 1;
        *count
    }

    pub fn read(&self) -> u32 {
        *self.shared.read().unwrap()
    }
}

linspect::harness! {
    counters: Counters = Counters::default();

    fn lock(&self) -> u32;
    fn try_lock(&self) -> Option<u32>;
    fn write(&self) -> u32;
    fn read(&self) -> u32;
}
