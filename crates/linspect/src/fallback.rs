//! Types that the machine does not know: their values are told apart by what `Debug` prints.
//!
//! A macro cannot ask whether a type has a trait, but method calls can: a method that takes the receiver as it is comes before one for which a reference must be taken. So a call through
//! `&&&Means` finds the type's own trait first, then `Debug`, and last a method whose bound is the trait again, for its message.

use crate::hooks;
use crate::{Argument, Observe};
use alloc::format;
use core::fmt::Debug;
use core::marker::PhantomData;

/// How values of a type cross the border.
pub struct Means<T>(PhantomData<T>);

impl<T> Means<T> {
    /// For this type.
    pub const fn any() -> Self {
        Self(PhantomData)
    }

    /// For the type of this value.
    pub const fn of(_value: &T) -> Self {
        Self::any()
    }
}

/// A value that is worth trying, or a reference to one.
pub trait Tried<T> {
    /// The value.
    fn into_value(self) -> T;
}

impl<T> Tried<T> for T {
    fn into_value(self) -> T {
        self
    }
}

impl<T: Clone> Tried<T> for &T {
    fn into_value(self) -> T {
        self.clone()
    }
}

/// Values that are worth trying, by themselves, for an argument that is a reference.
pub fn owned<T, V: Tried<T>>(values: impl IntoIterator<Item = V>) -> impl Iterator<Item = T> {
    values.into_iter().map(V::into_value)
}

/// The type has the trait.
pub trait Known<T> {
    /// Tells the machine that this value is worth trying.
    fn declare(&self, value: &T);
    /// The argument at `index`.
    fn get<I: IntoIterator<Item = T>>(&self, index: i32, values: impl FnOnce() -> I) -> T;
}

impl<T: Argument> Known<T> for &&Means<T> {
    fn declare(&self, value: &T) {
        value.declare();
    }

    fn get<I: IntoIterator<Item = T>>(&self, index: i32, _values: impl FnOnce() -> I) -> T {
        T::get(index)
    }
}

/// The type can be printed: the value is the one that looks like the text.
pub trait Printed<T> {
    /// Tells the machine that this value is worth trying.
    fn declare(&self, value: &T);
    /// The argument at `index`, which is one of `values`.
    fn get<I: IntoIterator<Item = T>>(&self, index: i32, values: impl FnOnce() -> I) -> T;
}

impl<T: Debug> Printed<T> for &Means<T> {
    fn declare(&self, value: &T) {
        hooks::declare_text(&format!("{value:?}"));
    }

    fn get<I: IntoIterator<Item = T>>(&self, index: i32, values: impl FnOnce() -> I) -> T {
        let text = hooks::argument_text(index);
        let mut values = values().into_iter();
        let chosen = values.find(|value| format!("{value:?}") == text);
        chosen.expect("the argument is one of those that were declared")
    }
}

/// The type has neither.
pub trait Unknown<T> {
    /// Says so.
    fn declare(&self, value: &T)
    where
        T: Argument;
    /// Says so.
    fn get<I: IntoIterator<Item = T>>(&self, index: i32, values: impl FnOnce() -> I) -> T
    where
        T: Argument;
}

impl<T> Unknown<T> for Means<T> {
    fn declare(&self, value: &T)
    where
        T: Argument,
    {
        value.declare();
    }

    fn get<I: IntoIterator<Item = T>>(&self, index: i32, _values: impl FnOnce() -> I) -> T
    where
        T: Argument,
    {
        T::get(index)
    }
}

/// The type says how it is observed.
pub trait Observed<T> {
    /// Tells the machine the result.
    fn observe(&self, value: &T);
}

impl<T: Observe> Observed<T> for &&Means<T> {
    fn observe(&self, value: &T) {
        value.observe();
    }
}

/// The type can be printed.
pub trait Read<T> {
    /// Tells the machine the text.
    fn observe(&self, value: &T);
}

impl<T: Debug> Read<T> for &Means<T> {
    fn observe(&self, value: &T) {
        hooks::return_text(&format!("{value:?}"));
    }
}

/// The type has neither.
pub trait Unseen<T> {
    /// Says so.
    fn observe(&self, value: &T)
    where
        T: Observe;
}

impl<T> Unseen<T> for Means<T> {
    fn observe(&self, value: &T)
    where
        T: Observe,
    {
        value.observe();
    }
}
