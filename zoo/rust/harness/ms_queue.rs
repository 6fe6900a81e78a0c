#[path = "../src/ms_queue.rs"]
pub mod ms_queue;

use ms_queue::Queue;

linspect::harness! {
    queue: Queue<i32> = Queue::new();

    fn enqueue(&self, value: i32 in 1..=3);
    fn dequeue(&self) -> Option<i32>;

    spec = queue;
}
