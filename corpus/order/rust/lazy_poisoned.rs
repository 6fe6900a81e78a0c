// exit 1: poisoned for good
// A lazy value whose making panics in one order can never be had.
use std::panic::catch_unwind;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;

static BAD: AtomicBool = AtomicBool::new(false);
static LAZY: LazyLock<u8> = LazyLock::new(|| {
    assert!(!BAD.load(SeqCst), "made too late");
    1
});

fn main() {
    let other = thread::spawn(|| BAD.store(true, SeqCst));
    let made = catch_unwind(|| *LAZY).is_ok();
    other.join().unwrap();
    if !made {
        let again = catch_unwind(|| *LAZY).is_ok();
        assert!(again, "poisoned for good");
    }
}
