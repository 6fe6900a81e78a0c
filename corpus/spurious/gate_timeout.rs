// verdict: PANIC
use std::sync::{Condvar, Mutex};
use std::time::Duration;

pub struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    pub fn new() -> Self {
        Gate { open: Mutex::new(false), opened: Condvar::new() }
    }

    pub fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_all();
    }

    /// Waits a while for the gate to be open.
    pub fn pass(&self) -> bool {
        let open = self.open.lock().unwrap();
        if *open {
            return true;
        }
        let (open, waited) = self.opened.wait_timeout(open, Duration::from_secs(1)).unwrap();
        // Who was not too late is taken to have been woken.
        assert!(waited.timed_out() || *open, "nobody opened it");
        true
    }

    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        let open = self.open.lock().unwrap();
        *open
    }
}

linspect::harness! {
    gate: Gate = Gate::new();

    fn open(&self);
    fn pass(&self) -> bool;
    fn is_open(&self) -> bool;
}
