// exit 0: FREE OF FAULTS
// Whoever initialises, both see the same, and only one does.
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread;

static CELL: OnceLock<Vec<u8>> = OnceLock::new();
static TIMES: AtomicU8 = AtomicU8::new(0);

fn get(by: u8) -> *const u8 {
    let make = || {
        TIMES.fetch_add(1, Relaxed);
        vec![by]
    };
    CELL.get_or_init(make).as_ptr()
}

fn main() {
    let other = thread::spawn(|| get(1) as usize);
    let here = get(2) as usize;
    assert_eq!(other.join().unwrap(), here);
    assert_eq!(TIMES.load(Relaxed), 1);
}
