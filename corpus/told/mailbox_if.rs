use std::sync::{Condvar, Mutex};

/// `take` waits for a value.
pub struct Mailbox {
    value: Mutex<Option<u32>>,
    filled: Condvar,
}

impl Mailbox {
    pub fn new() -> Self {
        Mailbox { value: Mutex::new(None), filled: Condvar::new() }
    }

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
        if slot.is_none() {
            slot = self.filled.wait(slot).unwrap();
        }
        slot.take().unwrap()
    }
}

linspect::harness! {
    mailbox: Mailbox = Mailbox::new();

    fn put(&self, value: u32 in 1..=2) -> bool;
    fn take(&self) -> u32;
}

// options: -v
// client: put(1) take | take
// says: ✗ PANIC · Mailbox, as it is when run alone · mailbox_if.rs:29
// says: T1's take:29 changes object.value after T2 was woken and before it goes on, and T2 does not come back to take:26 to look again: put the wait (take:27) into a loop (`while`)
// never: part of object.value is 0, part
// never: object.value is 0, part of
// never: has read object.value at step
// never: no explanation
