// exit 1: DEADLOCK
// Whoever is to be unparked says so too late: the other has looked already. Both have given back the lock by then.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};

fn main() {
    let done = Arc::new(AtomicBool::new(false));
    let sleeper: Arc<Mutex<Option<Thread>>> = Arc::new(Mutex::new(None));
    let (is_done, place) = (done.clone(), sleeper.clone());
    let thread = thread::spawn(move || {
        if !is_done.load(SeqCst) {
            *place.lock().unwrap() = Some(thread::current());
            thread::park();
        }
    });
    done.store(true, SeqCst);
    let waiting = sleeper.lock().unwrap().take();
    if let Some(thread) = waiting {
        thread.unpark();
    }
    thread.join().unwrap();
}
