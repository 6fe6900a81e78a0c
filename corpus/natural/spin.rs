// verdict: holds
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
pub struct Spin<T> {
    l: AtomicBool,
    v: UnsafeCell<T>,
}
unsafe impl<T: Send> Sync for Spin<T> {}
pub struct Guard<'a, T>(&'a Spin<T>);
impl<T> Spin<T> {
    fn new(v: T) -> Self {
        Spin {
            l: AtomicBool::new(false),
            v: UnsafeCell::new(v),
        }
    }
    fn lock(&self) -> Guard<'_, T> {
        while self
            .l
            .compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            std::hint::spin_loop()
        }
        Guard(self)
    }
}
impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        self.0.l.store(false, Ordering::Release)
    }
}
impl<T> std::ops::Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        unsafe { &*self.0.v.get() }
    }
}
impl<T> std::ops::DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        unsafe { &mut *self.0.v.get() }
    }
}
linspect::harness! {
    s: Spin<u32> = Spin::new(0);
    fn inc(&self) -> u32 => { let mut g = s.lock(); *g += 1; *g };
    fn get(&self) -> u32 => *s.lock();
}
