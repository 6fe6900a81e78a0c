// exit 0: FREE OF FAULTS
// A permit that comes early is not lost, and orders.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

struct Shared(UnsafeCell<u8>);
unsafe impl Sync for Shared {}
static DATA: Shared = Shared(UnsafeCell::new(0));
static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    let main = thread::current();
    let thread = thread::spawn(move || {
        unsafe { *DATA.0.get() = 1 };
        READY.store(true, Relaxed);
        main.unpark();
    });
    while !READY.load(Relaxed) {
        thread::park();
    }
    thread.join().unwrap();
    assert_eq!(unsafe { *DATA.0.get() }, 1);
}
