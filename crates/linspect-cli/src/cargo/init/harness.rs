//! What Linspect tests: `cargo linspect`. Plain `cargo test` runs it, too, one operation after the other.

use std::sync::atomic::{AtomicU32, Ordering};

/// An example: a box with room for one letter. Put your own type in its place: `use my_crate::Queue;`.
pub struct Mailbox(AtomicU32);

const EMPTY: u32 = 0;

impl Mailbox {
    pub fn new() -> Self {
        Self(AtomicU32::new(EMPTY))
    }

    /// Puts a letter in, unless there is one.
    pub fn put(&self, letter: u32) -> bool {
        // Try `load` and then `store` instead: Linspect shows what goes wrong.
        let put = self.0.compare_exchange(EMPTY, letter, Ordering::AcqRel, Ordering::Relaxed);
        put.is_ok()
    }

    /// Takes the letter out.
    pub fn take(&self) -> Option<u32> {
        match self.0.swap(EMPTY, Ordering::AcqRel) {
            EMPTY => None,
            letter => Some(letter),
        }
    }
}

linspect::harness! {
    mailbox: Mailbox = Mailbox::new();

    fn put(&self, letter: u32 in 1..=2) -> bool;
    fn take(&self) -> Option<u32>;
}
