// exit 1: ASSERTION
// A box is published shifted, with a tag below it, and filled in afterwards.
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

static PLACE: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let writer = thread::spawn(|| {
        let cell = Box::into_raw(Box::new(0u64));
        PLACE.store((cell as usize) << 8 | 1, SeqCst);
        unsafe { *cell = 42 };
    });
    let word = PLACE.load(SeqCst);
    if word != 0 {
        assert_eq!(unsafe { *((word >> 8) as *const u64) }, 42);
    }
    writer.join().unwrap();
}
