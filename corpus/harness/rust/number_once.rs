//! A number that is made once: by whoever comes first, or by whoever comes first and does not panic.
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Once, OnceLock};

pub struct Number {
    cell: OnceLock<u32>,
    once: Once,
    calls: AtomicU32,
}

impl Default for Number {
    fn default() -> Self {
        Self {
            cell: OnceLock::new(),
            once: Once::new(),
            calls: AtomicU32::new(0),
        }
    }
}

impl Number {
    pub fn get_or_init(&self, value: u32) -> u32 {
        *self.cell.get_or_init(|| value)
    }

    pub fn get(&self) -> Option<u32> {
        self.cell.get().copied()
    }

    pub fn set(&self, value: u32) -> bool {
        self.cell.set(value).is_ok()
    }

    /// How often it was called when this call ends: once, if nothing panics.
    pub fn call(&self) -> u32 {
        self.once.call_once(|| {
            self.calls.fetch_add(1, Ordering::Relaxed);
        });
        self.calls.load(Ordering::Relaxed)
    }

    /// Panics, and so does whoever calls later without forgiving it.
    pub fn poison(&self) {
        self.once.call_once(|| panic!("poisoned"));
    }

    pub fn forgive(&self) -> u32 {
        self.once.call_once_force(|state| {
            let by = if state.is_poisoned() { 10 } else { 1 };
            self.calls.fetch_add(by, Ordering::Relaxed);
        });
        self.calls.load(Ordering::Relaxed)
    }
}

linspect::harness! {
    number: Number = Number::default();

    fn get_or_init(&self, value: u32 in 1..=2) -> u32;
    fn get(&self) -> Option<u32>;
    fn set(&self, value: u32 in [3]) -> bool;
    fn call(&self) -> u32;
    fn poison(&self);
    fn forgive(&self) -> u32;
}
