use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Condvar, Mutex};

/// `wait` looks before it takes the lock.
pub struct Bell {
    rung: AtomicBool,
    lock: Mutex<()>,
    bell: Condvar,
}

impl Bell {
    pub fn wait(&self) {
        if !self.rung.load(SeqCst) {
            let held = self.lock.lock().unwrap();
            drop(self.bell.wait(held).unwrap());
        }
    }

    pub fn ring(&self) {
        let _held = self.lock.lock().unwrap();
        self.rung.store(true, SeqCst);
        self.bell.notify_all();
    }
}

linspect::harness! {
    bell: Bell = Bell { rung: AtomicBool::new(false), lock: Mutex::new(()), bell: Condvar::new() };

    fn wait(&self);
    fn ring(&self);
}

// client: wait | ring
// says: T2's ring:21 changes object.rung after T1 looked at wait:13 and before it waits: look again after the lock is taken, and change it under that lock
// never: nothing wakes
