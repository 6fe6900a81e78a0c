// exit 1: DATA RACE
// A pointer is published with its bits turned; what it points to is written plainly.
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

static WORD: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let thread = thread::spawn(|| {
        let cell = Box::into_raw(Box::new(1_u32));
        WORD.store(!cell.addr(), Relaxed);
    });
    let word = WORD.load(Relaxed);
    if word != 0 {
        let value = unsafe { *(!word as *const u32) };
        assert_eq!(value, 1);
    }
    thread.join().unwrap();
}
