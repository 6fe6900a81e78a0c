//! A number behind the standard library's read-write lock.
use std::sync::RwLock;

#[derive(Default)]
pub struct Number(RwLock<u32>);

impl Number {
    pub fn set(&self, value: u32) {
        *self.0.write().unwrap() = value;
    }

    pub fn get(&self) -> u32 {
        *self.0.read().unwrap()
    }

    /// Reads while it reads: a writer that waits in between waits for this thread, and this thread for the writer.
    pub fn get_twice(&self) -> u32 {
        let first = self.0.read().unwrap();
        let second = self.0.read().unwrap();
        *first * 10 + *second
    }

    pub fn try_get(&self) -> Option<u32> {
        self.0.try_read().ok().map(|value| *value)
    }

    pub fn try_set(&self, value: u32) -> bool {
        self.0.try_write().map(|mut held| *held = value).is_ok()
    }
}

linspect::harness! {
    number: Number = Number::default();

    fn set(&self, value: u32 in 1..=2);
    fn get(&self) -> u32;
    fn get_twice(&self) -> u32;
    fn try_get(&self) -> Option<u32>;
    fn try_set(&self, value: u32 in [3]) -> bool;
}
