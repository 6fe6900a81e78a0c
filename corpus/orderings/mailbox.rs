// A box for one message, put in and taken out by relaxed exchanges. It is linearizable; but whoever takes a message out does not come after whoever put it in.
use std::sync::atomic::{AtomicU32, Ordering};

pub struct Mailbox {
    message: AtomicU32,
}

impl Mailbox {
    pub fn put(&self, message: u32) -> bool {
        self.message.compare_exchange(0, message, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    pub fn take(&self) -> Option<u32> {
        let message = self.message.swap(0, Ordering::Relaxed);
        (message != 0).then_some(message)
    }
}

linspect::harness! {
    b: Mailbox = Mailbox { message: AtomicU32::new(0) };
    fn put(&self, message: u32 in 1..=2) -> bool;
    fn take(&self) -> Option<u32>;
    spec = queue(.capacity = 1);
}

// repair: 10 Relaxed → Release
// repair: 14 Relaxed → Acquire
