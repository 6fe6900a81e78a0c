// A worker of the object's own, which waits for work for as long as the object lives.
use std::sync::mpsc::{Sender, channel};
use std::sync::Mutex;

pub struct Worker(Mutex<Sender<u32>>);

impl Worker {
    pub fn new() -> Self {
        let (send, receive) = channel();
        std::thread::spawn(move || for _ in receive.iter() {});
        Self(Mutex::new(send))
    }
    pub fn work(&self, n: u32) -> bool {
        self.0.lock().unwrap().send(n).is_ok()
    }
}

linspect::harness! {
    worker: Worker = Worker::new();
    fn work(&self, n: u32 in [1]) -> bool;
}
