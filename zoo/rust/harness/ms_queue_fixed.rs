#[path = "../src/ms_queue_fixed.rs"]
pub mod ms_queue_fixed;

use ms_queue_fixed::Queue;

linspect::harness! {
    queue: Queue<i32> = Queue::new();

    fn enqueue(&self, value: i32 in 1..=3);
    fn dequeue(&self) -> Option<i32>;

    spec = queue;
}
