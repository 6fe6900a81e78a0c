// verdict: NOT LINEARIZABLE
// client: inc(0) dec(1) | get
use std::sync::atomic::{AtomicUsize, Ordering::*};
pub struct C([AtomicUsize; 2]);
impl C {
    fn inc(&self, s: usize) {
        self.0[s].fetch_add(1, SeqCst);
    }
    fn dec(&self, s: usize) {
        self.0[s].fetch_sub(1, SeqCst);
    }
    fn get(&self) -> usize {
        self.0[0].load(SeqCst).wrapping_add(self.0[1].load(SeqCst))
    }
}
linspect::harness! { c: C = C([AtomicUsize::new(0), AtomicUsize::new(0)]); fn inc(&self, s: usize in 0..=1); fn dec(&self, s: usize in 0..=1); fn get(&self) -> usize; }
