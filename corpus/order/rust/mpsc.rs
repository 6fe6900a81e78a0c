// exit 1: ASSERTION
// Messages of two senders come in either order.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let other = sender.clone();
    let thread = thread::spawn(move || other.send(1).unwrap());
    sender.send(2).unwrap();
    drop(sender);
    let got: Vec<i32> = receiver.iter().collect();
    thread.join().unwrap();
    assert_eq!(got, [1, 2]);
}
