//! A number behind a mutex of the standard library, and two mutexes that are taken in either order.
use std::sync::{Condvar, Mutex};

#[derive(Default)]
pub struct Number {
    value: Mutex<u32>,
    other: Mutex<u32>,
    changed: Condvar,
}

impl Number {
    pub fn add(&self) -> u32 {
        let mut value = self.value.lock().unwrap();
        *value += 1;
        self.changed.notify_one();
        *value
    }

    pub fn try_add(&self) -> Option<u32> {
        let mut value = self.value.try_lock().ok()?;
        *value += 1;
        Some(*value)
    }

    /// Waits until there is something, and takes it.
    pub fn take(&self) -> u32 {
        let mut value = self.value.lock().unwrap();
        while *value == 0 {
            value = self.changed.wait(value).unwrap();
        }
        *value -= 1;
        *value
    }

    pub fn there(&self) -> u32 {
        let value = self.value.lock().unwrap();
        *value + *self.other.lock().unwrap()
    }

    pub fn back(&self) -> u32 {
        let other = self.other.lock().unwrap();
        *other + *self.value.lock().unwrap()
    }
}

linspect::harness! {
    number: Number = Number::default();

    fn add(&self) -> u32;
    fn try_add(&self) -> Option<u32>;
    fn take(&self) -> u32;
    fn there(&self) -> u32;
    fn back(&self) -> u32;
}
