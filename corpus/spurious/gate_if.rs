// verdict: NOT LINEARIZABLE
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
        let mut open = self.open.lock().unwrap();
        if !*open {
            open = self.opened.wait(open).unwrap();
        }
        *open
    }
}

linspect::harness! {
    gate: Gate = Gate::new();

    fn open(&self);
    fn pass(&self) -> bool;
}
