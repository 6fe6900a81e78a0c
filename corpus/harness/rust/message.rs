//! One message: the receiver waits in a loop that counts its rounds, and then to be woken.

use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let other = thread::spawn(move || sender.send(1).unwrap());
    assert_eq!(receiver.recv(), Ok(1));
    other.join().unwrap();
}
