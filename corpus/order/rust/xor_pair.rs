// exit 1: ASSERTION
// A pointer is published as what it differs by from a constant.
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst};
use std::thread;

static WORD: AtomicUsize = AtomicUsize::new(0);
const MASK: usize = 0x5a5a_5a5a_5a5a_5a5a;

fn main() {
    let thread = thread::spawn(|| {
        let cell = Box::into_raw(Box::new(AtomicU32::new(1)));
        WORD.store(cell.addr() ^ MASK, SeqCst);
        unsafe { (*cell).store(2, SeqCst) };
    });
    let word = WORD.load(SeqCst);
    if word != 0 {
        let cell = (word ^ MASK) as *const AtomicU32;
        assert_eq!(unsafe { (*cell).load(SeqCst) }, 2);
    }
    thread.join().unwrap();
}
