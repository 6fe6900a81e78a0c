// exit 1: DEADLOCK
// The same beside a model whose push always returns.
use std::sync::Mutex;
pub struct Q {
    m: Mutex<Vec<u32>>,
}
impl Q {
    pub fn push(&self, v: u32) {
        self.m.lock().unwrap().push(v);
    }
    pub fn pop(&self) -> Option<u32> {
        let mut g = self.m.lock().unwrap();
        let v = g.pop();
        if v.is_none() {
            std::mem::forget(g);
        }
        v
    }
}
linspect::harness! {
    q: Q = Q { m: Mutex::new(Vec::new()) };
    fn push(&self, v: u32 in 1..=2);
    fn pop(&self) -> Option<u32>;
    model v: Vec<u32> = Vec::new();
    fn push(&mut self, x: u32) => v.push(x);
    fn pop(&mut self) -> Option<u32>;
}
