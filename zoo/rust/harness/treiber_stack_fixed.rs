#[path = "../src/treiber_stack_fixed.rs"]
pub mod treiber_stack_fixed;

use treiber_stack_fixed::Stack;

linspect::harness! {
    stack: Stack<i32> = Stack::new();

    fn push(&self, value: i32 in 1..=3);
    fn pop(&self) -> Option<i32>;

    spec = stack;
}
