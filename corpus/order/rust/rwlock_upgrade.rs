// exit 1: DEADLOCK
// Two readers that both want to write.
use std::sync::RwLock;
use std::thread;

static LOCK: RwLock<u8> = RwLock::new(0);
static OTHER: RwLock<u8> = RwLock::new(0);

fn main() {
    let thread = thread::spawn(|| {
        let read = LOCK.read().unwrap();
        *OTHER.write().unwrap() = *read;
    });
    {
        let read = OTHER.read().unwrap();
        *LOCK.write().unwrap() = *read;
    }
    thread.join().unwrap();
}
