//! Cells. Accesses through their pointers are plain ones, and the machine finds those that race.

pub use std::cell::Cell;

/// A cell whose content is reached through pointers.
#[derive(Debug, Default)]
pub struct UnsafeCell<T: ?Sized>(std::cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    /// A cell with `data`.
    pub const fn new(data: T) -> Self {
        Self(std::cell::UnsafeCell::new(data))
    }

    /// The content alone.
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Hands a pointer for reading to `f`.
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*const T) -> R,
    {
        f(self.0.get())
    }

    /// Hands a pointer for writing to `f`.
    pub fn with_mut<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*mut T) -> R,
    {
        f(self.0.get())
    }

    /// A pointer for reading.
    pub fn get(&self) -> ConstPtr<T> {
        ConstPtr(self.0.get())
    }

    /// A pointer for writing.
    pub fn get_mut(&self) -> MutPtr<T> {
        MutPtr(self.0.get())
    }
}

impl<T> From<T> for UnsafeCell<T> {
    fn from(data: T) -> Self {
        Self::new(data)
    }
}

/// A pointer for reading.
#[derive(Debug)]
pub struct ConstPtr<T: ?Sized>(*const T);

impl<T: ?Sized> ConstPtr<T> {
    /// What it points to.
    ///
    /// # Safety
    /// As for any pointer.
    pub unsafe fn deref(&self) -> &T {
        // SAFETY: the caller keeps to it.
        unsafe { &*self.0 }
    }

    /// Hands the pointer to `f`.
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*const T) -> R,
    {
        f(self.0)
    }
}

/// A pointer for writing.
#[derive(Debug)]
pub struct MutPtr<T: ?Sized>(*mut T);

impl<T: ?Sized> MutPtr<T> {
    /// What it points to.
    ///
    /// # Safety
    /// As for any pointer.
    #[allow(clippy::mut_from_ref, reason = "loom has it so")]
    pub unsafe fn deref(&self) -> &mut T {
        // SAFETY: the caller keeps to it.
        unsafe { &mut *self.0 }
    }

    /// Hands the pointer to `f`.
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*mut T) -> R,
    {
        f(self.0)
    }
}
