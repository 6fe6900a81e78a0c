//! Where the object lives: written once before any thread starts, then only read.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

/// A place for one object.
pub struct Slot<T>(UnsafeCell<MaybeUninit<T>>);

// SAFETY: the machine fills the slot before it starts the first thread; nobody writes it after that. The object itself is shared between
// threads because that is what is being tested: whether it may be is for the test to find out.
unsafe impl<T> Sync for Slot<T> {}

impl<T> Slot<T> {
    /// A slot without object.
    pub const fn empty() -> Self {
        Self(UnsafeCell::new(MaybeUninit::uninit()))
    }

    /// Puts the object in.
    pub fn fill(&self, object: T) {
        // SAFETY: no thread runs yet, so no reference to the content exists.
        unsafe { (*self.0.get()).write(object) };
    }

    /// The object. Nothing is read to find out whether it is there: that would be a step of every operation.
    ///
    /// # Safety
    /// The slot must have been filled.
    pub unsafe fn get(&self) -> &T {
        // SAFETY: it was filled, as the caller promises, and is not written after the first thread started.
        unsafe { (*self.0.get()).assume_init_ref() }
    }
}
