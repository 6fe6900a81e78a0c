#[path = "../src/treiber_stack.rs"]
pub mod treiber_stack;

use treiber_stack::Stack;

linspect::harness! {
    stack: Stack<i32> = Stack::new();

    fn push(&self, value: i32 in 1..=3);
    fn pop(&self) -> Option<i32>;

    spec = stack;
}
