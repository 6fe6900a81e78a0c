// exit 1: ASSERTION
// A cell that is set once may not be set yet.
use std::sync::OnceLock;
use std::thread;

static CELL: OnceLock<u8> = OnceLock::new();

fn main() {
    let other = thread::spawn(|| CELL.set(1));
    let got = CELL.get().copied();
    assert!(other.join().unwrap().is_ok());
    assert_eq!(got, None);
}
