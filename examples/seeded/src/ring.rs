//! A bounded queue in an array, generic over what it holds and how much of it; the index of the next free cell is taken by a helper.

use std::cell::UnsafeCell;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

pub struct Ring<T, const N: usize> {
    cells: [UnsafeCell<Option<T>>; N],
    head: AtomicUsize,
    tail: AtomicUsize,
}

// SAFETY: meant to be used by one producer and one consumer; the harness uses it by more, to see what happens.
unsafe impl<T: Send, const N: usize> Sync for Ring<T, N> {}

impl<T: Copy, const N: usize> Ring<T, N> {
    pub const fn new() -> Self {
        Self {
            cells: [const { UnsafeCell::new(None) }; N],
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
        }
    }

    pub fn push(&self, value: T) -> bool {
        let Some(tail) = self.free() else {
            return false;
        };
        // SAFETY: the cell is free until the tail says otherwise.
        unsafe { *self.cells[tail % N].get() = Some(value) };
        self.tail.store(tail + 1, SeqCst); // FAULT: another producer may have taken the same cell
        true
    }

    pub fn pop(&self) -> Option<T> {
        let head = self.head.load(SeqCst);
        if head == self.tail.load(SeqCst) {
            return None;
        }
        // SAFETY: the cell is full until the head says otherwise.
        let value = unsafe { *self.cells[head % N].get() };
        self.head.store(head + 1, SeqCst);
        value
    }

    #[inline]
    fn free(&self) -> Option<usize> {
        let tail = self.tail.load(SeqCst);
        (tail - self.head.load(SeqCst) < N).then_some(tail)
    }
}

impl<T: Copy, const N: usize> Default for Ring<T, N> {
    fn default() -> Self {
        Self::new()
    }
}
