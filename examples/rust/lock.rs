// A lock that should behave like `mutex`: who unlocks has locked, so clients are made that way. It is fair, and it is right: nobody
// overtakes, and everybody gets a turn.
//
//     linspect test examples/rust/lock.rs
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

#[derive(Default)]
pub struct TicketLock {
    next: AtomicU32,
    serving: AtomicU32,
}

impl TicketLock {
    pub fn lock(&self) {
        let ticket = self.next.fetch_add(1, SeqCst);
        while self.serving.load(SeqCst) != ticket {
            std::hint::spin_loop();
        }
    }

    pub fn try_lock(&self) -> bool {
        let serving = self.serving.load(SeqCst);
        let free = self.next.compare_exchange(serving, serving + 1, SeqCst, SeqCst);
        free.is_ok()
    }

    pub fn unlock(&self) {
        self.serving.fetch_add(1, SeqCst);
    }
}

linspect::harness! {
    lock: TicketLock = TicketLock::default();

    fn lock(&self);
    fn try_lock(&self) -> bool;
    fn unlock(&self);

    spec = mutex;
}
