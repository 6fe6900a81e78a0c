//! Where the object lives: put there before any thread starts, then only read.

#[cfg(linspect)]
pub use machine::Slot;
#[cfg(not(linspect))]
pub use native::Slot;

/// In the machine: nothing is read to find the object, because that would be a step of every operation.
#[cfg(linspect)]
mod machine {
    use core::cell::UnsafeCell;
    use core::mem::MaybeUninit;

    /// A place for one object.
    pub struct Slot<T>(UnsafeCell<MaybeUninit<T>>);

    // SAFETY: the machine fills the slot before it starts the first thread; nobody writes it after that. The object itself is shared
    // between threads because that is what is being tested: whether it may be is for the test to find out.
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

        /// The object.
        pub fn get(&self) -> &T {
            // SAFETY: the machine calls what fills the slot before any operation, and nothing writes it after that.
            unsafe { (*self.0.get()).assume_init_ref() }
        }
    }
}

/// Outside the machine: one object after the other.
#[cfg(not(linspect))]
mod native {
    use alloc::sync::Arc;
    use std::sync::{Mutex, PoisonError};

    /// A place for one object.
    pub struct Slot<T>(Mutex<Option<Arc<T>>>);

    impl<T> Slot<T> {
        /// A slot without object.
        pub const fn empty() -> Self {
            Self(Mutex::new(None))
        }

        /// Puts the object in, in place of the one before.
        pub fn fill(&self, object: T) {
            let object = Some(Arc::new(object));
            let before = core::mem::replace(&mut *self.content(), object);
            drop(before);
        }

        /// The object.
        pub fn get(&self) -> Arc<T> {
            let content = self.content();
            content
                .clone()
                .expect("the object is built before its operations run")
        }

        fn content(&self) -> std::sync::MutexGuard<'_, Option<Arc<T>>> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }
}
