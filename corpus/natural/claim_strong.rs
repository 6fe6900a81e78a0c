// verdict: holds
//! Whoever comes first wins; a weak exchange that fails without reason is tried again.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

pub struct Claim(AtomicBool);

impl Claim {
    fn claim(&self) -> bool {
        loop {
            match self.0.compare_exchange_weak(false, true, SeqCst, SeqCst) {
                Ok(_) => return true,
                Err(true) => return false,
                Err(false) => {}
            }
        }
    }
}

linspect::harness! {
    claim: Claim = Claim(AtomicBool::new(false));

    fn claim(&self) -> bool;
}
