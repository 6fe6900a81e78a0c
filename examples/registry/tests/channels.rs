//! flume, by the calls that do not wait.

use flume::{Receiver, Sender};

pub struct Channel {
    sender: Sender<u32>,
    receiver: Receiver<u32>,
}

impl Channel {
    fn new((sender, receiver): (Sender<u32>, Receiver<u32>)) -> Self {
        Self { sender, receiver }
    }
}

linspect::harness! {
    unbounded: Channel = Channel::new(flume::unbounded());

    fn enqueue(&self, value: u32 in 1..=2) => unbounded.sender.try_send(value).expect("there is room");
    fn dequeue(&self) -> Option<u32> => unbounded.receiver.try_recv().ok();

    spec = queue;
}

linspect::harness! {
    bounded: Channel = Channel::new(flume::bounded(1));

    fn send(&self, value: u32 in 1..=2) -> bool => bounded.sender.try_send(value).is_ok();
    fn recv(&self) -> Option<u32> => bounded.receiver.try_recv().ok();
    fn len(&self) -> usize => bounded.receiver.len();
}
