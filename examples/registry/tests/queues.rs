//! crossbeam-queue, concurrent-queue, and sdd, where the queue of scc is.

use concurrent_queue::ConcurrentQueue;
use crossbeam_queue::{ArrayQueue, SegQueue};
use sdd::Queue;

linspect::harness! {
    seg_queue: SegQueue<u32> = SegQueue::new();

    fn push(&self, value: u32 in 1..=2);
    fn pop(&self) -> Option<u32>;

    spec = queue;
}

// A full queue refuses: the queue, run alone, is the measure.
linspect::harness! {
    array_queue: ArrayQueue<u32> = ArrayQueue::new(1);

    fn push(&self, value: u32 in 1..=2) -> bool => array_queue.push(value).is_ok();
    fn pop(&self) -> Option<u32>;
}

linspect::harness! {
    bounded: ConcurrentQueue<u32> = ConcurrentQueue::bounded(2);

    fn push(&self, value: u32 in 1..=2) -> bool => bounded.push(value).is_ok();
    fn pop(&self) -> Option<u32> => bounded.pop().ok();
}

linspect::harness! {
    unbounded: ConcurrentQueue<u32> = ConcurrentQueue::unbounded();

    fn push(&self, value: u32 in 1..=2) => assert!(unbounded.push(value).is_ok());
    fn pop(&self) -> Option<u32> => unbounded.pop().ok();

    spec = queue;
}

linspect::harness! {
    collected: Queue<u32> = Queue::default();

    fn push(&self, value: u32 in 1..=2) => { collected.push(value); };
    fn pop(&self) -> Option<u32> => collected.pop().map(|entry| **entry);

    spec = queue;
}
