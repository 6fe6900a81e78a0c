//! Where the object lives: put there before any thread starts, then only read.

#[cfg(linspect)]
pub use machine::{Model, Slot};
#[cfg(not(linspect))]
pub use native::{Model, Slot};

/// In the machine: nothing is read to find the object, because that would be a step of every operation.
#[cfg(linspect)]
mod machine {
    use core::cell::UnsafeCell;
    use core::mem::MaybeUninit;

    /// A place for one object.
    pub struct Slot<T>(UnsafeCell<MaybeUninit<T>>);

    // SAFETY: the machine fills the slot before it starts the first thread; nobody writes it after that. Threads share the object, so its type must
    // allow that: what safe code cannot share is no fault of the object.
    unsafe impl<T: Sync> Sync for Slot<T> {}

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

        /// Drops the object. Nothing is left of it, so that what only it led to is lost.
        pub fn clear(&self) {
            // SAFETY: the machine calls this once, after all threads and operations have ended, so no reference to the content exists.
            unsafe {
                (*self.0.get()).assume_init_drop();
                self.0.get().write(MaybeUninit::zeroed());
            }
        }

        /// The object.
        pub fn get(&self) -> &T {
            // SAFETY: the machine calls what fills the slot before any operation, and nothing writes it after that.
            unsafe { (*self.0.get()).assume_init_ref() }
        }
    }

    /// A place for a model, which one thread alone uses.
    pub struct Model<T>(Slot<T>);

    // SAFETY: the machine runs the operations of a model in one thread.
    unsafe impl<T> Sync for Model<T> {}

    impl<T> Model<T> {
        /// A place without model.
        pub const fn empty() -> Self {
            Self(Slot::empty())
        }

        /// Puts the model in.
        pub fn fill(&self, model: T) {
            self.0.fill(model);
        }

        /// Lets `work` work with the model.
        pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
            // SAFETY: the machine fills the place before any operation of the model, and runs these in one thread, one after the other.
            work(unsafe { (*self.0.0.get()).assume_init_mut() })
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

        /// Drops the object.
        pub fn clear(&self) {
            let object = self.content().take();
            drop(object);
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

    /// A place for a model.
    pub struct Model<T>(Mutex<Option<T>>);

    impl<T> Model<T> {
        /// A place without model.
        pub const fn empty() -> Self {
            Self(Mutex::new(None))
        }

        /// Puts the model in, in place of the one before.
        pub fn fill(&self, model: T) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(model);
        }

        /// Lets `work` work with the model.
        pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
            let mut content = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let model = content.as_mut();
            work(model.expect("the model is built before its operations run"))
        }
    }
}
