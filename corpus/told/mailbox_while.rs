use std::sync::{Condvar, Mutex};

/// `take` waits in a loop; it fails for another reason.
pub struct Mailbox {
    value: Mutex<Option<u32>>,
    filled: Condvar,
}

impl Mailbox {
    pub fn put(&self, value: u32) -> bool {
        let mut slot = self.value.lock().unwrap();
        if slot.is_some() {
            return false;
        }
        *slot = Some(value);
        self.filled.notify_one();
        true
    }

    pub fn take(&self) -> u32 {
        let mut slot = self.value.lock().unwrap();
        while slot.is_none() {
            slot = self.filled.wait(slot).unwrap();
        }
        let value = slot.take().unwrap();
        assert!(value < 2, "too large");
        value
    }
}

linspect::harness! {
    mailbox: Mailbox = Mailbox { value: Mutex::new(None), filled: Condvar::new() };

    fn put(&self, value: u32 in 1..=2) -> bool;
    fn take(&self) -> u32;
}

// client: put(1) take put(2) | take
// says: too large
// never: into a loop
