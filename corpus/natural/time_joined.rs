// verdict: holds
//! Clocks do not go back: who is started, joined or told by another thread is never earlier than that thread was.
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::{Acquire, Release}};
use std::time::{Duration, Instant};

static LAST: Mutex<Option<Instant>> = Mutex::new(None);
static DONE: AtomicBool = AtomicBool::new(false);

fn stamp(questions: u32) {
    for _ in 0..questions {
        Instant::now();
    }
    let mut last = LAST.lock().unwrap();
    let now = Instant::now();
    assert!(last.is_none_or(|last| last <= now));
    *last = Some(now);
    DONE.store(true, Release);
}

fn main() {
    std::thread::sleep(Duration::from_secs(1));
    let start = Instant::now();
    let thread = std::thread::spawn(move || {
        assert!(start <= Instant::now());
        stamp(5);
        Instant::now()
    });
    stamp(0);
    if DONE.load(Acquire) {
        assert!(start <= Instant::now());
    }
    assert!(thread.join().unwrap() <= Instant::now());
}
