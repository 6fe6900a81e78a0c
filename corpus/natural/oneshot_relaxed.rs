// verdict: DATA RACE
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread;
struct Chan {
    m: UnsafeCell<Option<u32>>,
    ready: AtomicBool,
}
unsafe impl Sync for Chan {}
fn main() {
    let c = Arc::new(Chan {
        m: UnsafeCell::new(None),
        ready: AtomicBool::new(false),
    });
    let d = c.clone();
    let me = thread::current();
    let t = thread::spawn(move || {
        unsafe { *d.m.get() = Some(5) };
        d.ready.store(true, Ordering::Release);
        me.unpark();
    });
    while !c.ready.load(Ordering::Relaxed) {
        thread::park();
    }
    assert_eq!(unsafe { (*c.m.get()).take() }, Some(5));
    t.join().unwrap();
}
