//! Ctrl-C: first politely, then at once.

use crate::exit::Exit;
use linspect_engine::interrupt::ask;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How many seconds a check may take to notice that it should stop, before it is stopped.
static GRACE: AtomicU64 = AtomicU64::new(2);

/// From now on, Ctrl-C ends checks with what they know instead of ending the process.
pub(crate) fn listen() {
    // Without a handler Ctrl-C just ends the process, which is no reason to fail.
    let _ = ctrlc::set_handler(|| {
        if !ask() {
            // Whoever waits for input, or for a second Ctrl-C, does not ask the budget.
            std::thread::spawn(|| {
                std::thread::sleep(Duration::from_secs(GRACE.load(Ordering::Relaxed)));
                stop();
            });
        } else {
            stop();
        }
    });
}

/// From now on, whoever is asked to stop has this many seconds to say what it knows.
pub(crate) fn grant(seconds: u64) {
    GRACE.store(seconds, Ordering::Relaxed);
}

fn stop() {
    std::process::exit(i32::from(Exit::Inconclusive.code()));
}
