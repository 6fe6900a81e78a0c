//! Values that cross the border between a harness and the machine.

use crate::hooks;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A type that an operation can take.
pub trait Argument: Sized {
    /// Tells the machine that this value is worth trying.
    fn declare(&self);

    /// The argument at `index` of the running operation.
    fn get(index: i32) -> Self;
}

/// A result that can be compared with what a specification allows.
///
/// For a type of your own one line does: `impl Observe for Ticket { fn observe(&self) { self.0.observe() } }`.
///
/// `Option` is its value or nil; `Result` is its value, or the list `["err", error]`; tuples, arrays and vectors are lists.
pub trait Observe {
    /// Tells the machine the result.
    fn observe(&self);
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Argument for $type {
            fn declare(&self) {
                hooks::declare_int(*self as i64);
            }
            fn get(index: i32) -> Self {
                hooks::argument(index) as $type
            }
        }
        impl Observe for $type {
            fn observe(&self) {
                hooks::return_int(*self as i64);
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl Argument for bool {
    fn declare(&self) {
        hooks::declare_bool(*self);
    }
    fn get(index: i32) -> Self {
        hooks::argument(index) != 0
    }
}

impl Argument for &'static str {
    fn declare(&self) {
        hooks::declare_text(self);
    }
    fn get(index: i32) -> Self {
        hooks::argument_text(index)
    }
}

impl Argument for String {
    fn declare(&self) {
        hooks::declare_text(self);
    }
    fn get(index: i32) -> Self {
        hooks::argument_text(index).into()
    }
}

impl Observe for bool {
    fn observe(&self) {
        hooks::return_bool(*self);
    }
}

impl Observe for () {
    fn observe(&self) {
        hooks::return_unit();
    }
}

impl Observe for str {
    fn observe(&self) {
        hooks::return_text(self);
    }
}

impl Observe for String {
    fn observe(&self) {
        hooks::return_text(self);
    }
}

impl<T: Observe + ?Sized> Observe for &T {
    fn observe(&self) {
        (**self).observe();
    }
}

impl<T: Observe + ?Sized> Observe for Box<T> {
    fn observe(&self) {
        (**self).observe();
    }
}

impl<T: Observe + ?Sized> Observe for Arc<T> {
    fn observe(&self) {
        (**self).observe();
    }
}

impl<T: Observe> Observe for Option<T> {
    fn observe(&self) {
        match self {
            Some(value) => value.observe(),
            None => hooks::return_nil(),
        }
    }
}

impl<T: Observe, E: Observe> Observe for Result<T, E> {
    fn observe(&self) {
        match self {
            Ok(value) => value.observe(),
            Err(error) => {
                "err".observe();
                error.observe();
                hooks::return_list(2);
            }
        }
    }
}

impl<T: Observe> Observe for [T] {
    fn observe(&self) {
        self.iter().for_each(T::observe);
        hooks::return_list(self.len());
    }
}

impl<T: Observe> Observe for Vec<T> {
    fn observe(&self) {
        self.as_slice().observe();
    }
}

impl<T: Observe, const N: usize> Observe for [T; N] {
    fn observe(&self) {
        self.as_slice().observe();
    }
}

impl<A: Observe, B: Observe> Observe for (A, B) {
    fn observe(&self) {
        self.0.observe();
        self.1.observe();
        hooks::return_list(2);
    }
}

impl<A: Observe, B: Observe, C: Observe> Observe for (A, B, C) {
    fn observe(&self) {
        self.0.observe();
        self.1.observe();
        self.2.observe();
        hooks::return_list(3);
    }
}
