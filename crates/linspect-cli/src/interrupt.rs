//! Ctrl-C: first politely, then at once.

use crate::exit::Exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static ASKED: AtomicBool = AtomicBool::new(false);

/// How long a check may take to notice that it should stop, before it is stopped.
const GRACE: Duration = Duration::from_secs(2);

/// From now on, Ctrl-C ends checks with what they know instead of ending the process.
pub(crate) fn listen() {
    // Without a handler Ctrl-C just ends the process, which is no reason to fail.
    let _ = ctrlc::set_handler(|| {
        if !ASKED.swap(true, Ordering::Relaxed) {
            // Whoever waits for input, or for a second Ctrl-C, does not ask the budget.
            std::thread::spawn(|| {
                std::thread::sleep(GRACE);
                stop();
            });
        } else {
            stop();
        }
    });
}

/// Whether somebody asked to stop.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

fn stop() {
    std::process::exit(i32::from(Exit::Inconclusive.code()));
}
