// verdict: NOT LINEARIZABLE
// client: push(1) pop | push(1)
use std::cell::UnsafeCell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
struct Node {
    next: AtomicPtr<Node>,
    v: Option<u32>,
}
pub struct Q {
    head: AtomicPtr<Node>,
    tail: UnsafeCell<*mut Node>,
}
unsafe impl Sync for Q {}
unsafe impl Send for Q {}
impl Q {
    fn new() -> Self {
        let n = Box::into_raw(Box::new(Node {
            next: AtomicPtr::new(null_mut()),
            v: None,
        }));
        Q {
            head: AtomicPtr::new(n),
            tail: UnsafeCell::new(n),
        }
    }
    fn push(&self, v: u32) {
        let n = Box::into_raw(Box::new(Node {
            next: AtomicPtr::new(null_mut()),
            v: Some(v),
        }));
        let p = self.head.swap(n, Ordering::AcqRel);
        unsafe { (*p).next.store(n, Ordering::Release) }
    }
    fn pop(&self) -> Option<u32> {
        unsafe {
            let t = *self.tail.get();
            let n = (*t).next.load(Ordering::Acquire);
            if n.is_null() {
                return None;
            }
            *self.tail.get() = n;
            let v = (*n).v.take();
            drop(Box::from_raw(t));
            v
        }
    }
}
impl Drop for Q {
    fn drop(&mut self) {
        while self.pop().is_some() {}
        unsafe { drop(Box::from_raw(*self.tail.get())) }
    }
}
linspect::harness! { q: Q = Q::new(); fn push(&self, v: u32 in 1..=2); #[single_thread] fn pop(&self) -> Option<u32>; spec = queue; }
