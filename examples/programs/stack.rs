//! A plain Rust program whose methods are the operations of a stack.
//!
//!     linspect test examples/programs/stack.rs --functions Stack::push,Stack::pop --spec stack

use std::sync::Mutex;
use std::thread;

struct Stack(Mutex<Vec<u32>>);

impl Stack {
    fn push(&self, value: u32) {
        self.0.lock().unwrap().push(value);
    }

    fn pop(&self) -> Option<u32> {
        self.0.lock().unwrap().pop()
    }
}

static STACK: Stack = Stack(Mutex::new(Vec::new()));

fn main() {
    STACK.push(1);
    let other = thread::spawn(|| STACK.push(2));
    STACK.pop();
    other.join().unwrap();
    STACK.pop();
}
