//! Each thread takes a share of one value and counts the owners of the other: each may miss the other's share, for counts are relaxed.
//! Under sequential consistency one of the two counts both.
use std::sync::Arc;
use std::thread;

fn main() {
    let (a, b) = (Arc::new(1), Arc::new(2));
    let (a2, b2) = (a.clone(), b.clone());
    let other = thread::spawn(move || {
        let share = a2.clone();
        let missed = Arc::strong_count(&b2) < 3;
        (missed, share, a2, b2)
    });
    let share = b.clone();
    let missed = Arc::strong_count(&a) < 3;
    let (other, ..) = other.join().unwrap();
    drop(share);
    assert!(!(missed && other));
}
