//! A cell that is set at most once, generic over its value.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;

pub struct Once<T> {
    is_set: AtomicBool,
    value: Mutex<Option<T>>,
}

impl<T: Copy> Once<T> {
    pub const fn new() -> Self {
        Self {
            is_set: AtomicBool::new(false),
            value: Mutex::new(None),
        }
    }

    pub fn set(&self, value: T) -> bool {
        if self.is_set.load(SeqCst) {
            return false;
        }
        *self.value.lock().expect("nobody panics") = Some(value); // FAULT: set by somebody else in the meantime
        self.is_set.store(true, SeqCst);
        true
    }

    pub fn get(&self) -> Option<T> {
        *self.value.lock().expect("nobody panics")
    }
}

impl<T: Copy> Default for Once<T> {
    fn default() -> Self {
        Self::new()
    }
}
