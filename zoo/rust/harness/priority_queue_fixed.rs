#[path = "../src/priority_queue_fixed.rs"]
pub mod priority_queue_fixed;

use priority_queue_fixed::PriorityQueue;

linspect::harness! {
    queue: PriorityQueue = PriorityQueue::new();

    fn insert(&self, priority: i32 in 1..=3);
    fn peek(&self) -> Option<i32>;
    fn poll(&self) -> Option<i32>;

    spec = priority_queue;
}
