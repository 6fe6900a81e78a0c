//! Memory, as the standard library has it. The machine finds what is used after it was freed, and freed twice.

pub use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};

/// A value that loom reports if it is leaked. Linspect does not look for leaks in tests.
#[derive(Debug)]
pub struct Track<T>(T);

impl<T> Track<T> {
    /// Holds `value`.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// The value.
    pub fn get_ref(&self) -> &T {
        &self.0
    }

    /// The value.
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.0
    }

    /// The value alone.
    pub fn into_inner(self) -> T {
        self.0
    }
}
