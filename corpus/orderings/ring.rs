// A ring for one producer and one consumer, everything relaxed: the consumer may read a slot before it was written.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Ring {
    slots: [UnsafeCell<u32>; 8],
    head: AtomicUsize,
    tail: AtomicUsize,
}

unsafe impl Sync for Ring {}

impl Ring {
    pub fn enqueue(&self, value: u32) -> bool {
        let tail = self.tail.load(Ordering::Relaxed);
        if tail - self.head.load(Ordering::Acquire) == 8 {
            return false;
        }
        unsafe { *self.slots[tail % 8].get() = value };
        self.tail.store(tail + 1, Ordering::Relaxed);
        true
    }

    pub fn dequeue(&self) -> Option<u32> {
        let head = self.head.load(Ordering::Relaxed);
        if self.tail.load(Ordering::Relaxed) == head {
            return None;
        }
        let value = unsafe { *self.slots[head % 8].get() };
        self.head.store(head + 1, Ordering::Release);
        Some(value)
    }
}

linspect::harness! {
    r: Ring = Ring { slots: [const { UnsafeCell::new(0) }; 8], head: AtomicUsize::new(0), tail: AtomicUsize::new(0) };
    #[single_thread] fn enqueue(&self, v: u32 in 1..=2) -> bool;
    #[single_thread] fn dequeue(&self) -> Option<u32>;
}

// repair: 20 Relaxed → Release
// repair: 26 Relaxed → Acquire
