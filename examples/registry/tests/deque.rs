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

// What the owner does is one operation, so that one thread alone does it: 0 pops, anything else is pushed.
linspect::harness! {
    lifo: Deque = Deque::new(Worker::new_lifo());

    #[single_thread]
    fn own(&self, what: u32 in 0..=2) -> Option<u32> => own(&lifo.worker, what);
    fn steal(&self) -> Option<u32>;
}

linspect::harness! {
    fifo: Deque = Deque::new(Worker::new_fifo());

    #[single_thread]
    fn own(&self, what: u32 in 0..=2) -> Option<u32> => own(&fifo.worker, what);
    fn steal(&self) -> Option<u32>;
}

fn own(worker: &Worker<u32>, what: u32) -> Option<u32> {
    if what == 0 {
        worker.pop()
    } else {
        worker.push(what);
        None
    }
}
