#[path = "../src/counter_fixed.rs"]
pub mod counter_fixed;

use counter_fixed::Counter;

linspect::harness! {
    counter: Counter = Counter::new();

    fn increment(&self);
    fn get(&self) -> i64;

    spec = counter;
}
