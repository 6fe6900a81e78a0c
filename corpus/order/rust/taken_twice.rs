// exit 1: BAD FREE
// Two threads take what only one may.
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use std::{ptr, thread};

static SLOT: AtomicPtr<u32> = AtomicPtr::new(ptr::null_mut());

fn take() {
    let taken = SLOT.load(SeqCst);
    if !taken.is_null() {
        SLOT.store(ptr::null_mut(), SeqCst);
        drop(unsafe { Box::from_raw(taken) });
    }
}

fn main() {
    SLOT.store(Box::into_raw(Box::new(1)), SeqCst);
    let thread = thread::spawn(take);
    take();
    thread.join().unwrap();
}
