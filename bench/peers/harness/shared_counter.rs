#[path = "../objects/shared_counter.rs"]
mod shared_counter;

linspect::harness! {
    object: shared_counter::Counter = shared_counter::Counter::new();

    fn get_and_increment(&self) -> usize;

    spec = counter;
}
