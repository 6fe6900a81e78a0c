//! Where the object lives: written once before any thread starts, then only read.

use core::cell::UnsafeCell;

/// A place for one object.
pub struct Slot<T>(UnsafeCell<Option<T>>);

// SAFETY: the machine fills the slot before it starts the first thread; nobody writes it after that. The object itself is shared between
// threads because that is what is being tested: whether it may be is for the test to find out.
unsafe impl<T> Sync for Slot<T> {}

impl<T> Slot<T> {
    /// A slot without object.
    pub const fn empty() -> Self {
        Self(UnsafeCell::new(None))
    }

    /// Puts the object in.
    pub fn fill(&self, object: T) {
        // SAFETY: no thread runs yet, so no reference to the content exists.
        unsafe { *self.0.get() = Some(object) };
    }

    /// The object.
    ///
    /// # Panics
    /// If there is none.
    pub fn get(&self) -> &T {
        // SAFETY: the slot is not written after the first thread started.
        let object = unsafe { &*self.0.get() };
        object.as_ref().expect("the object was built")
    }
}
