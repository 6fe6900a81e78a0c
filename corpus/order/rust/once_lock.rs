// exit 1: ASSERTION
// A value may or may not be there yet.
use std::sync::OnceLock;
use std::thread;

static CELL: OnceLock<u32> = OnceLock::new();

fn main() {
    let other = thread::spawn(|| *CELL.get_or_init(|| 2));
    let seen = CELL.get().copied();
    assert_eq!(other.join().unwrap(), 2);
    assert_eq!(seen, None);
}
