#[path = "../objects/ms_queue.rs"]
mod ms_queue;

const CAREFUL: bool = cfg!(not(careless));

linspect::harness! {
    object: ms_queue::Queue<CAREFUL> = ms_queue::Queue::new();

    fn enqueue(&self, value: usize in 1..=3);
    fn dequeue(&self) -> Option<usize>;

    spec = queue;
}
