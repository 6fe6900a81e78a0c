//! The last owner clears the value, counted with relaxed: others may still read it.
//! wrong
//! right with DROP = AcqRel

use crate::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::{self, *}};
use std::thread;

const DROP: Ordering = Relaxed;

struct Counted {
    owners: AtomicUsize,
    value: UnsafeCell<usize>,
}

unsafe impl Sync for Counted {}
unsafe impl Send for Counted {}

fn leave(counted: &Counted) {
    counted.value.with(|value| assert_eq!(unsafe { *value }, 7));
    if counted.owners.fetch_sub(1, DROP) == 1 {
        counted.value.with_mut(|value| unsafe { *value = 0 });
    }
}

fn main() {
    let counted = Arc::new(Counted { owners: AtomicUsize::new(2), value: UnsafeCell::new(7) });
    let other = Arc::clone(&counted);
    let thread = thread::spawn(move || leave(&other));
    leave(&counted);
    thread.join().unwrap();
}
