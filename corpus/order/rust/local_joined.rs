// exit 0: FREE OF FAULTS
// Whoever joins a thread sees what the destructors of its locals did.
use std::cell::{Cell, UnsafeCell};
use std::thread;

struct Shared(UnsafeCell<u8>);
unsafe impl Sync for Shared {}
static DROPPED: Shared = Shared(UnsafeCell::new(0));

struct Local(Cell<u8>);

impl Drop for Local {
    fn drop(&mut self) {
        unsafe { *DROPPED.0.get() = self.0.get() };
    }
}

thread_local! {
    static LOCAL: Local = const { Local(Cell::new(1)) };
}

fn main() {
    let thread = thread::spawn(|| LOCAL.with(|local| local.0.set(2)));
    thread.join().unwrap();
    assert_eq!(unsafe { *DROPPED.0.get() }, 2);
}
