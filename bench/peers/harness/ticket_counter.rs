#[path = "../objects/ticket_counter.rs"]
mod ticket_counter;

const CAREFUL: bool = cfg!(not(careless));

linspect::harness! {
    object: ticket_counter::Counter<CAREFUL> = ticket_counter::Counter::new();

    fn get_and_increment(&self) -> usize;

    spec = counter;
}
