// verdict: NOT LINEARIZABLE
//! Whoever comes first wins, but a weak exchange may fail without reason.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

pub struct Claim(AtomicBool);

impl Claim {
    fn claim(&self) -> bool {
        self.0
            .compare_exchange_weak(false, true, SeqCst, SeqCst)
            .is_ok()
    }
}

linspect::harness! {
    claim: Claim = Claim(AtomicBool::new(false));

    fn claim(&self) -> bool;
}
