// exit 1: ASSERTION
// A wait with a timeout may end without a message.
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || sender.send(1).is_ok());
    let got = receiver.recv_timeout(Duration::from_secs(60)).is_ok();
    assert!(thread.join().unwrap() || !got);
    assert!(got);
}
