//! Values that cross the border between a harness and the machine.

use crate::hooks;
use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A type that an operation can take: integers, `bool`, `&'static str`, `String`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of an operation",
    label = "not a type that Linspect can choose values of",
    note = "take a number or a text and make the value of it: `fn put(&self, n: u8 in 1..=2) => map.put(Key(n));`"
)]
pub trait Argument: Sized {
    /// Tells the machine that this value is worth trying.
    fn declare(&self);

    /// The argument at `index` of the running operation.
    fn get(index: i32) -> Self;
}

/// A result that can be compared with what a specification allows.
///
/// For a type of your own one line does:
///
/// ```
/// pub struct Ticket(u32);
///
/// impl linspect::Observe for Ticket { fn observe(&self) { self.0.observe() } }
/// ```
///
/// `Option` is its value or nil, and `Some(None)`, which is not `None`, the list `["some", nil]`; `Result` is its value, or the list `["err", error]`; tuples, arrays, vectors and sorted collections are lists;
/// numbers that do not fit into 64 bits, and floating-point ones, are texts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is the result of an operation, but nothing says how to compare it",
    label = "cannot be observed",
    note = "one line is enough: `impl linspect::Observe for {Self} {{ fn observe(&self) {{ self.0.observe() }} }}`"
)]
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

/// What is no whole number of 64 bits is observed as text.
macro_rules! texts {
    ($($type:ty)*) => {$(
        impl Observe for $type {
            fn observe(&self) {
                hooks::return_text(&alloc::format!("{self}"));
            }
        }
    )*};
}

texts!(char f32 f64 i128 u128);

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

impl<T: Observe + ?Sized> Observe for Rc<T> {
    fn observe(&self) {
        (**self).observe();
    }
}

impl<T: Observe + ?Sized> Observe for &mut T {
    fn observe(&self) {
        (**self).observe();
    }
}

impl<T: Observe + ToOwned + ?Sized> Observe for Cow<'_, T> {
    fn observe(&self) {
        (**self).observe();
    }
}

impl<T: Observe> Observe for Option<T> {
    fn observe(&self) {
        match self {
            Some(value) => {
                value.observe();
                hooks::return_some();
            }
            None => hooks::return_nil(),
        }
    }
}

impl<T: Observe, E: Observe> Observe for Result<T, E> {
    fn observe(&self) {
        match self {
            Ok(value) => {
                value.observe();
                hooks::return_ok();
            }
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

impl<T: Observe> Observe for VecDeque<T> {
    fn observe(&self) {
        self.iter().for_each(T::observe);
        hooks::return_list(self.len());
    }
}

impl<T: Observe> Observe for BTreeSet<T> {
    fn observe(&self) {
        self.iter().for_each(T::observe);
        hooks::return_list(self.len());
    }
}

/// Pairs in the order of their keys.
impl<K: Observe, V: Observe> Observe for BTreeMap<K, V> {
    fn observe(&self) {
        self.iter().for_each(|pair| pair.observe());
        hooks::return_list(self.len());
    }
}

impl Observe for core::cmp::Ordering {
    fn observe(&self) {
        hooks::return_int(*self as i64);
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

impl<A: Observe, B: Observe, C: Observe, D: Observe> Observe for (A, B, C, D) {
    fn observe(&self) {
        self.0.observe();
        self.1.observe();
        self.2.observe();
        self.3.observe();
        hooks::return_list(4);
    }
}
