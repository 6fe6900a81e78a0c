// verdict: PANIC
// client: put(1) take | take
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
#[derive(Default)]
pub struct Q(Mutex<VecDeque<u8>>, Condvar);
impl Q {
    fn put(&self, v: u8) {
        self.0.lock().unwrap().push_back(v);
        self.1.notify_one();
    }
    fn take(&self) -> u8 {
        let mut g = self.0.lock().unwrap();
        if g.is_empty() {
            g = self.1.wait(g).unwrap();
        }
        g.pop_front().unwrap()
    }
}
linspect::harness! { q: Q = Q::default(); fn put(&self, v: u8 in 1..=2); fn take(&self) -> u8; }
