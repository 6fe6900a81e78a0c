// exit 0: FREE OF FAULTS
// What was written before a barrier is there after it, twice.
use std::cell::UnsafeCell;
use std::sync::Barrier;
use std::thread;

struct Cells([UnsafeCell<u8>; 2], Barrier);
unsafe impl Sync for Cells {}
static CELLS: Cells = Cells([UnsafeCell::new(0), UnsafeCell::new(0)], Barrier::new(2));

fn work(own: usize) {
    unsafe { *CELLS.0[own].get() = 1 };
    CELLS.1.wait();
    let seen = unsafe { *CELLS.0[1 - own].get() };
    assert_eq!(seen, 1);
    CELLS.1.wait();
    unsafe { *CELLS.0[own].get() = 2 };
}

fn main() {
    let thread = thread::spawn(|| work(0));
    work(1);
    thread.join().unwrap();
}
