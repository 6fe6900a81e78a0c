// exit 1: ASSERTION
// Whichever thread comes first initialises.
use std::sync::Once;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread;

static ONCE: Once = Once::new();
static WHO: AtomicU8 = AtomicU8::new(0);

fn main() {
    let other = thread::spawn(|| ONCE.call_once(|| WHO.store(2, Relaxed)));
    ONCE.call_once(|| WHO.store(1, Relaxed));
    let who = WHO.load(Relaxed);
    other.join().unwrap();
    assert_eq!(who, 1);
}
