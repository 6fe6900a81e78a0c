// exit 1: DEADLOCK
// Whoever looks outside the lock may miss the call.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Condvar, Mutex};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);
static LOCK: Mutex<()> = Mutex::new(());
static CALL: Condvar = Condvar::new();

fn main() {
    let thread = thread::spawn(|| {
        READY.store(true, SeqCst);
        CALL.notify_one();
    });
    let mut held = LOCK.lock().unwrap();
    while !READY.load(SeqCst) {
        held = CALL.wait(held).unwrap();
    }
    drop(held);
    thread.join().unwrap();
}
