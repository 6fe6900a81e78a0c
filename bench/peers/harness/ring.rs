#[path = "../objects/ring.rs"]
mod ring;

const CAREFUL: bool = cfg!(not(careless));

linspect::harness! {
    object: ring::Ring<CAREFUL> = ring::Ring::new();

    fn enqueue(&self, value: usize in 1..=3);
    fn dequeue(&self) -> Option<usize>;

    spec = queue;
}
