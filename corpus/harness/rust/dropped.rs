// What is dropped at the end: the object, and what is left inside.
use std::sync::Mutex;

pub struct Token(u32);

impl Drop for Token {
    fn drop(&mut self) {
        assert!(self.0 != 13, "nobody took the unlucky token");
    }
}

pub struct Bag(Mutex<Vec<Token>>);

impl Bag {
    pub fn put(&self, n: u32) {
        self.0.lock().unwrap().push(Token(n));
    }
    pub fn forget(&self) {
        std::mem::forget(self.0.lock().unwrap().pop());
    }
}

linspect::harness! {
    bag: Bag = Bag(Mutex::new(Vec::new()));

    fn put(&self, n: u32 in [1, 13]);
    fn forget(&self);
}
