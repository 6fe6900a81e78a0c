use std::sync::{Condvar, Mutex};

/// One place: those who put and those who take wait for different things at one condition variable.
pub struct Place {
    value: Mutex<u32>,
    changed: Condvar,
}

impl Place {
    pub fn put(&self, v: u32) {
        let mut value = self.value.lock().unwrap();
        while *value != 0 {
            value = self.changed.wait(value).unwrap();
        }
        *value = v;
        self.changed.notify_one();
    }

    pub fn take(&self) -> u32 {
        let mut value = self.value.lock().unwrap();
        while *value == 0 {
            value = self.changed.wait(value).unwrap();
        }
        let taken = *value;
        *value = 0;
        self.changed.notify_one();
        taken
    }
}

linspect::harness! {
    place: Place = Place { value: Mutex::new(0), changed: Condvar::new() };

    fn put(&self, v: u32 in [1]);
    fn take(&self) -> u32;
}

// client: put(1) put(1) | take | take
// says: wakes one thread, and that is not T
// says: wake all, or let those who wait for different things wait at different places
// never: nothing wakes
