//! Whether somebody asked to stop. Whoever is asked ends with what is known.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Asks every investigation and check of this process to end with what it knows. Says whether that was asked before.
pub fn ask() -> bool {
    ASKED.swap(true, Ordering::Relaxed)
}

/// Whether somebody asked to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
