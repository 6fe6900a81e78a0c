//! Two senders, and a receiver that believes to know who is first.

use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let other = sender.clone();
    let first = thread::spawn(move || sender.send(1).unwrap());
    let second = thread::spawn(move || other.send(2).unwrap());
    let received = (receiver.recv().unwrap(), receiver.recv().unwrap());
    first.join().unwrap();
    second.join().unwrap();
    assert_eq!(received, (1, 2));
}
