// verdict: PANIC
// Whoever waits is not let go once `look` has panicked; the panic is what is wrong.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Condvar, Mutex};

pub struct Slot {
    value: Mutex<Option<u32>>,
    filled: Condvar,
    awaited: AtomicBool,
}

impl Slot {
    fn new() -> Self {
        Slot { value: Mutex::new(None), filled: Condvar::new(), awaited: AtomicBool::new(false) }
    }
    fn put(&self, value: u32) {
        *self.value.lock().unwrap() = Some(value);
        self.filled.notify_all();
    }
    fn take(&self) -> u32 {
        let mut value = self.value.lock().unwrap();
        while value.is_none() {
            self.awaited.store(true, SeqCst);
            value = self.filled.wait(value).unwrap();
        }
        value.take().unwrap()
    }
    fn look(&self) -> bool {
        assert!(!self.awaited.load(SeqCst), "nobody looks while somebody waits");
        self.value.lock().unwrap().is_some()
    }
}

linspect::harness! {
    slot: Slot = Slot::new();
    fn put(&self, value: u32 in [1]);
    fn take(&self) -> u32;
    fn look(&self) -> bool;
}
