// exit 1: ASSERTION
// The last owner runs a destructor that says in which thread it runs.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

static BY_CHILD: AtomicBool = AtomicBool::new(false);

thread_local! {
    static IS_CHILD: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

struct Last;

impl Drop for Last {
    fn drop(&mut self) {
        BY_CHILD.store(IS_CHILD.get(), Relaxed);
    }
}

fn main() {
    let mine = Arc::new(Last);
    let theirs = Arc::clone(&mine);
    let child = thread::spawn(move || {
        IS_CHILD.set(true);
        drop(theirs);
    });
    drop(mine);
    child.join().unwrap();
    assert!(BY_CHILD.load(Relaxed));
}
