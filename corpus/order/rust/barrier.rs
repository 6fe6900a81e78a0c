// exit 1: ASSERTION
// Any thread can be the one that a barrier calls its leader.
use std::sync::Barrier;
use std::thread;

static BARRIER: Barrier = Barrier::new(2);

fn main() {
    let other = thread::spawn(|| BARRIER.wait().is_leader());
    let leads = BARRIER.wait().is_leader();
    assert_ne!(other.join().unwrap(), leads);
    assert!(leads);
}
