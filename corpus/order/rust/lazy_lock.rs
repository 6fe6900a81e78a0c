// exit 1: ASSERTION
// What a lazy value is made from can change before somebody asks for it.
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

static SOURCE: AtomicU32 = AtomicU32::new(1);
static LAZY: LazyLock<u32> = LazyLock::new(|| SOURCE.load(Relaxed));

fn main() {
    let other = thread::spawn(|| SOURCE.store(2, Relaxed));
    let lazy = *LAZY;
    other.join().unwrap();
    assert_eq!(lazy, 1);
}
