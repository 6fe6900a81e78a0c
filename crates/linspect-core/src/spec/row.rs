//! What queues, stacks and deques are to a search: a row of elements with two ends.

use crate::value::Value;

/// An end of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tip {
    /// Before all others.
    Front,
    /// After all others.
    Back,
}

/// What a call does to a row of elements. See [`Spec::in_row`](super::Spec::in_row).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowDeed<'c> {
    /// Puts this element at an end and returns nothing, or returns `false` where there is no room.
    Put(Tip, &'c Value),
    /// Takes the element at an end out and returns it, or returns `nil` where there is none.
    Take(Tip),
    /// Returns the element at an end, or `nil` where there is none.
    Look(Tip),
    /// Returns how many there are.
    Count,
    /// Returns whether there are none.
    IsEmpty,
}
