//! What is wrong with each of the structures shows with two threads.

use seeded::once::Once;
use seeded::ring::Ring;
use seeded::stack::Stack;

linspect::harness! {
    stack: Stack<u32> = Stack::new();

    fn push(&self, value: u32 in 1..=2);
    fn pop(&self) -> Option<u32>;

    spec = stack;
}

linspect::harness! {
    ring: Ring<u32, 2> = Ring::new();

    fn push(&self, value: u32 in 1..=2) -> bool;
    #[single_thread]
    fn pop(&self) -> Option<u32>;
}

linspect::harness! {
    once: Once<u32> = Once::new();

    fn set(&self, value: u32 in 1..=2) -> bool;
    fn get(&self) -> Option<u32>;
}
