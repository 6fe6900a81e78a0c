//! One thread waits under a lock until the other has set a flag.
//! right

use std::sync::{Arc, Condvar, Mutex};
use std::thread;

fn main() {
    let shared = Arc::new((Mutex::new(false), Condvar::new()));
    let other = Arc::clone(&shared);
    let thread = thread::spawn(move || {
        *other.0.lock().unwrap() = true;
        other.1.notify_one();
    });
    let mut ready = shared.0.lock().unwrap();
    while !*ready {
        ready = shared.1.wait(ready).unwrap();
    }
    drop(ready);
    thread.join().unwrap();
}
