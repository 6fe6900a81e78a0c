#[path = "../objects/spin_counter.rs"]
mod spin_counter;

const CAREFUL: bool = cfg!(not(careless));

linspect::harness! {
    object: spin_counter::Counter<CAREFUL> = spin_counter::Counter::new();

    fn get_and_increment(&self) -> usize;

    spec = counter;
}
