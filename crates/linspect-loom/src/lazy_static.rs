//! What `lazy_static!` declares.

use std::fmt;
use std::sync::OnceLock;

/// A value that is computed when it is first used.
pub struct Lazy<T> {
    value: OnceLock<T>,
    compute: fn() -> T,
}

impl<T> Lazy<T> {
    /// Will be what `compute` gives.
    pub const fn new(compute: fn() -> T) -> Self {
        let value = OnceLock::new();
        Self { value, compute }
    }

    /// The value.
    pub fn get(&'static self) -> &'static T {
        self.value.get_or_init(self.compute)
    }
}

impl<T> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Lazy { .. }")
    }
}
