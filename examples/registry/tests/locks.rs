//! parking_lot.

use parking_lot::{Mutex, RwLock};
use std::sync::Arc;
use std::thread;

linspect::harness! {
    mutex: Mutex<u32> = Mutex::new(0);

    fn add(&self, by: u32 in [1, 10]) -> u32 => { let mut n = mutex.lock(); *n += by; *n };
}

// `try_lock` is left out: it may fail while another thread holds the lock, and no sequential run ever does.
linspect::harness! {
    rw_lock: RwLock<u32> = RwLock::new(0);

    fn write(&self, value: u32 in 1..=2) => *rw_lock.write() = value;
    fn read(&self) -> u32 => *rw_lock.read();
}

/// A plain test that starts threads is run under all schedules.
#[test]
fn two_threads_count_to_two() {
    let count = Arc::new(Mutex::new(0));
    let other = thread::spawn({
        let count = Arc::clone(&count);
        move || *count.lock() += 1
    });
    *count.lock() += 1;
    other.join().unwrap();
    assert_eq!(*count.lock(), 2);
}
