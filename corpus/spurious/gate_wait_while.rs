// verdict: holds
use std::sync::{Condvar, Mutex};

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

    /// Waits until the gate is open; says whether it is.
    pub fn pass(&self) -> bool {
        let open = self.open.lock().unwrap();
        let open = self.opened.wait_while(open, |open| !*open).unwrap();
        *open
    }
}

linspect::harness! {
    gate: Gate = Gate::new();

    fn open(&self);
    fn pass(&self) -> bool;
}
