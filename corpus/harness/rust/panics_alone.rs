// The third call is out of bounds: what std does to tell of a panic is nobody's business.
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub struct Slots {
    next: AtomicUsize,
    slots: [AtomicUsize; 2],
}

impl Slots {
    pub fn take(&self) -> usize {
        let next = self.next.load(SeqCst);
        self.next.store(next + 1, SeqCst);
        self.slots[next].load(SeqCst)
    }
}

linspect::harness! {
    s: Slots = Slots { next: AtomicUsize::new(0), slots: [const { AtomicUsize::new(0) }; 2] };
    fn take(&self) -> usize;
}
