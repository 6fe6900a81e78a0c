use std::sync::{Arc, Condvar, Mutex};

/// Who waits looks, gives the lock back, takes it again, and waits without another look.
fn main() {
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let waiter = Arc::clone(&gate);
    let thread = std::thread::spawn(move || {
        let mut open = waiter.0.lock().unwrap();
        while !*open {
            drop(open);
            open = waiter.0.lock().unwrap();
            open = waiter.1.wait(open).unwrap();
        }
    });
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    thread.join().unwrap();
}

// says: DEADLOCK
// says: look again after the lock is taken
// never: change it and wake under the lock that it holds meanwhile
