//! crossbeam-deque: the owner pushes and pops, others steal.

use crossbeam_deque::{Steal, Stealer, Worker};

pub struct Deque {
    worker: Worker<u32>,
    stealer: Stealer<u32>,
}

// SAFETY: the harness lets one thread alone use the worker.
unsafe impl Sync for Deque {}

impl Deque {
    fn new(worker: Worker<u32>) -> Self {
        Self {
            stealer: worker.stealer(),
            worker,
        }
    }

    fn steal(&self) -> Option<u32> {
        loop {
            match self.stealer.steal() {
                Steal::Success(value) => return Some(value),
                Steal::Empty => return None,
                Steal::Retry => {}
            }
        }
    }
}

// A thief may read a slot while the owner writes it, and throws away what it read then: both reach it by `Buffer::at`.
linspect::harness! {
    #[allow_race(at)]
    lifo: Deque = Deque::new(Worker::new_lifo());

    #[single_thread(owner)]
    fn push(&self, value: u32 in 1..=2) => lifo.worker.push(value);
    #[single_thread(owner)]
    fn pop(&self) -> Option<u32> => lifo.worker.pop();
    fn steal(&self) -> Option<u32>;
}

linspect::harness! {
    #[allow_race(at)]
    fifo: Deque = Deque::new(Worker::new_fifo());

    #[single_thread(owner)]
    fn push(&self, value: u32 in 1..=2) => fifo.worker.push(value);
    #[single_thread(owner)]
    fn pop(&self) -> Option<u32> => fifo.worker.pop();
    fn steal(&self) -> Option<u32>;
}
