//! Locks, channels and counters of the standard library, and loom's `Notify`.

#[path = "atomic.rs"]
pub mod atomic;

pub use std::sync::{
    Arc, Barrier, Condvar, LockResult, Mutex, MutexGuard, RwLock, RwLockReadGuard,
    RwLockWriteGuard, TryLockResult, WaitTimeoutResult, mpsc,
};

/// One thread waits until another tells it to go on.
#[derive(Debug, Default)]
pub struct Notify {
    /// Whether it was told.
    told: Mutex<bool>,
    changed: Condvar,
}

impl Notify {
    /// Nobody was told yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells the waiter, or the next one, to go on.
    pub fn notify(&self) {
        *self.told.lock().expect("nobody panics with it") = true;
        self.changed.notify_one();
    }

    /// Waits until it is told.
    pub fn wait(&self) {
        let mut told = self.told.lock().expect("nobody panics with it");
        while !*told {
            told = self.changed.wait(told).expect("nobody panics with it");
        }
        *told = false;
    }
}
