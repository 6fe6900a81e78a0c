#[path = "../src/priority_queue.rs"]
pub mod priority_queue;

use priority_queue::PriorityQueue;

linspect::harness! {
    queue: PriorityQueue = PriorityQueue::new();

    fn insert(&self, priority: i32 in 1..=3);
    fn peek(&self) -> Option<i32>;
    fn poll(&self) -> Option<i32>;

    spec = priority_queue;
}
