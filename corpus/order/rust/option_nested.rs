// exit 1: NOT LINEARIZABLE
// A result that differs only in the kind of failure.
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};

pub struct Gate(AtomicU8);

impl Gate {
    pub fn pass(&self) -> Result<Option<Option<u8>>, ()> {
        let seen = self.0.load(SeqCst);
        let was = self.0.swap(seen + 1, SeqCst);
        if was == seen { Ok(Some(Some(1))) } else { Ok(Some(None)) }
    }
}

linspect::harness! {
    gate: Gate = Gate(AtomicU8::new(0));

    fn pass(&self) -> Result<Option<Option<u8>>, ()>;
}
