// exit 1: DEADLOCK
// Two permits are one.
use std::thread;

fn main() {
    let main = thread::current();
    let thread = thread::spawn(move || {
        main.unpark();
        main.unpark();
    });
    thread::park();
    thread::park();
    thread.join().unwrap();
}
