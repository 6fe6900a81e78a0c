// exit 1: ASSERTION
// A scope does not wait for the destructors of its threads' locals.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;

static DROPPED: AtomicBool = AtomicBool::new(false);

struct Local;

impl Drop for Local {
    fn drop(&mut self) {
        DROPPED.store(true, SeqCst);
    }
}

thread_local! {
    static LOCAL: Local = const { Local };
}

fn main() {
    thread::scope(|scope| {
        scope.spawn(|| LOCAL.with(|_| ()));
    });
    assert!(DROPPED.load(SeqCst));
}
