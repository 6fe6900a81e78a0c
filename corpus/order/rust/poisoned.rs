// exit 1: PANIC
// A lock whose holder panics is poisoned, if the holder came first.
use std::panic::catch_unwind;
use std::sync::Mutex;
use std::thread;

static LOCK: Mutex<u8> = Mutex::new(0);

fn main() {
    let thread = thread::spawn(|| {
        let _ = catch_unwind(|| {
            let _held = LOCK.lock().unwrap();
            panic!("on purpose");
        });
    });
    drop(LOCK.lock().unwrap());
    thread.join().unwrap();
}
