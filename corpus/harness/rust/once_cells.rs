//! Two cells of the standard library that are set by one thread each and read by the other: each may find the other's empty, for cells release and acquire.
//! Under sequential consistency one of the two finds the other's full.
use std::sync::OnceLock;
use std::thread;

static A: OnceLock<u32> = OnceLock::new();
static B: OnceLock<u32> = OnceLock::new();

fn main() {
    let other = thread::spawn(|| {
        A.set(1).unwrap();
        B.get().is_none()
    });
    B.set(1).unwrap();
    let missed = A.get().is_none();
    assert!(!(missed && other.join().unwrap()));
}
