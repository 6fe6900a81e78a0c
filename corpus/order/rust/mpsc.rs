// exit 1: ASSERTION
// A message may or may not be there yet.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::sync_channel(1);
    let thread = thread::spawn(move || sender.send(1).is_ok());
    let got = receiver.try_recv();
    assert!(thread.join().unwrap());
    assert!(got.is_ok());
}
