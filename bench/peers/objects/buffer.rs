//! A buffer of one place behind a mutex and two conditions.

use std::sync::{Condvar, Mutex};

pub struct Buffer {
    place: Mutex<Option<usize>>,
    filled: Condvar,
    emptied: Condvar,
}

impl Buffer {
    pub fn new() -> Self {
        Self {
            place: Mutex::new(None),
            filled: Condvar::new(),
            emptied: Condvar::new(),
        }
    }

    pub fn enqueue(&self, value: usize) {
        let mut place = self.place.lock().unwrap();
        while place.is_some() {
            place = self.emptied.wait(place).unwrap();
        }
        *place = Some(value);
        self.filled.notify_one();
    }

    pub fn dequeue(&self) -> usize {
        let mut place = self.place.lock().unwrap();
        loop {
            if let Some(value) = place.take() {
                self.emptied.notify_one();
                return value;
            }
            place = self.filled.wait(place).unwrap();
        }
    }
}
