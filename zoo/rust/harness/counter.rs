#[path = "../src/counter.rs"]
pub mod counter;

use counter::Counter;

linspect::harness! {
    counter: Counter = Counter::new();

    fn increment(&self);
    fn get(&self) -> i64;

    spec = counter;
}
