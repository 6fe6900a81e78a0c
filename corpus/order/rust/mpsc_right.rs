// exit 0: FREE OF FAULTS
// A receiver sees what was written before the message, and the end after the last sender.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || sender.send(Box::new(3)).unwrap());
    let sum: i32 = receiver.iter().map(|value| *value).sum();
    assert_eq!(sum, 3);
    thread.join().unwrap();
}
