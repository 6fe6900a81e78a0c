// exit 0: FREE OF FAULTS
// A channel without room hands over in person.
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

static TAKES: AtomicBool = AtomicBool::new(false);

fn main() {
    let (sender, receiver) = mpsc::sync_channel(0);
    let thread = thread::spawn(move || {
        sender.send(1).unwrap();
        assert!(TAKES.load(Relaxed));
    });
    TAKES.store(true, Relaxed);
    assert_eq!(receiver.recv(), Ok(1));
    thread.join().unwrap();
}
