// A harness: the object is a mutex around a vector, told to the machine by the macro.
use std::sync::Mutex;

#[derive(Default)]
pub struct Stack(Mutex<Vec<u8>>);

impl Stack {
    pub fn push(&self, value: u8) {
        self.0.lock().unwrap().push(value);
    }

    pub fn pop(&self) -> Option<u8> {
        self.0.lock().unwrap().pop()
    }
}

linspect::harness! {
    stack: Stack = Stack::default();

    fn push(&self, value: u8 in 1..=2);
    fn pop(&self) -> Option<u8>;

    spec = stack;
}
