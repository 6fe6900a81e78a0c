//! A call after all others panics and poisons its lock, so that the next call panics, too: the first panic is what is told.
use std::collections::VecDeque;
use std::sync::Mutex;

pub struct Mailbox(Mutex<VecDeque<u32>>);

impl Mailbox {
    pub fn put(&self, value: u32) {
        self.0.lock().unwrap().push_back(value);
    }

    pub fn take(&self) -> u32 {
        if self.0.lock().unwrap().is_empty() {
            return 0;
        }
        self.0.lock().unwrap().pop_front().unwrap()
    }
}

linspect::harness! {
    mailbox: Mailbox = Mailbox(Mutex::new(VecDeque::new()));

    fn put(&self, value: u32 in [1]);
    fn take(&self) -> u32;

    spec = queue(.empty = 0);
}

// client: [put(1)] take | take [put(1) put(1)]
// says: PANIC
// says: poisoned.rs:16
// never: internal error
