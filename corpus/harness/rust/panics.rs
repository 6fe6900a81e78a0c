// An operation that panics has ended; its thread goes on, and may panic again.
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub struct Tickets(AtomicUsize);

impl Tickets {
    pub fn take(&self) -> usize {
        let left = self.0.load(SeqCst);
        assert!(left > 0, "sold out");
        self.0.store(left - 1, SeqCst);
        left
    }
    pub fn panicking(&self) -> bool {
        std::thread::panicking()
    }
}

linspect::harness! {
    tickets: Tickets = Tickets(AtomicUsize::new(1));

    fn take(&self) -> usize;
    fn panicking(&self) -> bool;
}
