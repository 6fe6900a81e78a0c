// verdict: DATA RACE
use std::ptr::NonNull;
use std::sync::atomic::{fence, AtomicUsize, Ordering};
struct Inner {
    n: AtomicUsize,
    v: u32,
}
pub struct My(NonNull<Inner>);
unsafe impl Send for My {}
unsafe impl Sync for My {}
impl My {
    fn new(v: u32) -> Self {
        My(NonNull::from(Box::leak(Box::new(Inner {
            n: AtomicUsize::new(1),
            v,
        }))))
    }
    fn get(&self) -> u32 {
        unsafe { self.0.as_ref().v }
    }
}
impl Clone for My {
    fn clone(&self) -> Self {
        unsafe { self.0.as_ref() }.n.fetch_add(1, Ordering::Relaxed);
        My(self.0)
    }
}
impl Drop for My {
    fn drop(&mut self) {
        unsafe {
            if self.0.as_ref().n.fetch_sub(1, Ordering::Relaxed) == 1 {
                fence(Ordering::Acquire);
                drop(Box::from_raw(self.0.as_ptr()));
            }
        }
    }
}
fn main() {
    let a = My::new(7);
    let b = a.clone();
    let t = std::thread::spawn(move || {
        assert_eq!(b.get(), 7);
    });
    assert_eq!(a.get(), 7);
    drop(a);
    t.join().unwrap();
}
