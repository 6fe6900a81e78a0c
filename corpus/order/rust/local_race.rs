// exit 1: DATA RACE
// The destructor of a thread's local runs after its last message.
use std::cell::UnsafeCell;
use std::sync::mpsc;
use std::thread;

struct Shared(UnsafeCell<u8>);
unsafe impl Sync for Shared {}
static LAST: Shared = Shared(UnsafeCell::new(0));

struct Local;

impl Drop for Local {
    fn drop(&mut self) {
        unsafe { *LAST.0.get() = 2 };
    }
}

thread_local! {
    static LOCAL: Local = const { Local };
}

fn main() {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || {
        LOCAL.with(|_| ());
        sender.send(()).unwrap();
    });
    receiver.recv().unwrap();
    unsafe { *LAST.0.get() = 1 };
    thread.join().unwrap();
}
