use std::sync::atomic::{AtomicU32, Ordering};

pub struct Tickets(AtomicU32);

impl Tickets {
    pub fn take(&self) -> u32 {
        let next = self.0.load(Ordering::SeqCst);
        self.0.store(next + 1, Ordering::SeqCst);
        next
    }
}

linspect::harness! {
    tickets: Tickets = Tickets(AtomicU32::new(0));

    fn take(&self) -> u32;
}
