// exit 1: PANIC
// The receiver may have gone before the second message.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || {
        sender.send(1).unwrap();
        sender.send(2).unwrap();
    });
    assert_eq!(receiver.recv(), Ok(1));
    drop(receiver);
    thread.join().unwrap();
}
