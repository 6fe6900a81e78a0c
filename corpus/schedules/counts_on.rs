// `take` looks for a ticket that was given, and wastes one each time that there is none: on a new object it never returns.
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

pub struct Tickets {
    given: AtomicU64,
    taken: AtomicU64,
}

impl Tickets {
    pub fn give(&self) {
        self.given.fetch_add(1, SeqCst);
    }

    pub fn take(&self) -> u64 {
        loop {
            let ticket = self.taken.fetch_add(1, SeqCst);
            if ticket < self.given.load(SeqCst) {
                return ticket;
            }
        }
    }
}

linspect::harness! {
    tickets: Tickets = Tickets { given: AtomicU64::new(0), taken: AtomicU64::new(0) };

    fn give(&self);
    fn take(&self) -> u64;
}
