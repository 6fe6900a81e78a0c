#[path = "../objects/treiber_stack.rs"]
mod treiber_stack;

const CAREFUL: bool = cfg!(not(careless));

linspect::harness! {
    object: treiber_stack::Stack<CAREFUL> = treiber_stack::Stack::new();

    fn push(&self, value: usize in 1..=3);
    fn pop(&self) -> Option<usize>;

    spec = stack;
}
