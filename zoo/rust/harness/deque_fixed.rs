#[path = "../src/deque_fixed.rs"]
pub mod deque_fixed;

use deque_fixed::Deque;

linspect::harness! {
    deque: Deque<i32> = Deque::new();

    fn push_back(&self, item: i32 in 1..=3);
    fn pop_back(&self) -> Option<i32>;
    fn pop_front(&self) -> Option<i32>;

    spec = deque;
}
