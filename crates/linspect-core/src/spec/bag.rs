//! The state of sets, multisets and priority queues: values in their own order, repetitions allowed.

use super::sequence::{count, write_items};
use crate::value::Value;
use smallvec::SmallVec;
use std::fmt;

/// Values in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bag {
    items: SmallVec<[Value; 4]>,
}

impl Bag {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// How many bytes are held outside of itself.
    pub(super) fn weight(&self) -> usize {
        if self.items.spilled() {
            self.items.capacity() * size_of::<Value>()
        } else {
            0
        }
    }

    /// How many there are, as the result of an operation.
    pub(super) fn size(&self) -> Value {
        count(self.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// In ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Value> {
        self.items.iter()
    }

    /// Each different value once, in ascending order.
    pub fn distinct(&self) -> impl Iterator<Item = &Value> {
        self.items.chunk_by(|a, b| a == b).map(|same| &same[0])
    }

    /// Whether `value` is among them.
    pub fn contains(&self, value: &Value) -> bool {
        self.items.binary_search(value).is_ok()
    }

    /// This bag with one more `value`.
    pub fn with(&self, value: &Value) -> Self {
        let at = self.items.partition_point(|x| x < value);
        let (before, after) = self.items.split_at(at);
        Self::joined(before, std::slice::from_ref(value), after)
    }

    /// This bag with one `value` less; `None` if it has none.
    pub fn without(&self, value: &Value) -> Option<Self> {
        let at = self.items.binary_search(value).ok()?;
        Some(Self::joined(&self.items[..at], &[], &self.items[at + 1..]))
    }

    /// The values of three pieces in a row, one plain copy each.
    fn joined(head: &[Value], middle: &[Value], tail: &[Value]) -> Self {
        let mut items = SmallVec::with_capacity(head.len() + middle.len() + tail.len());
        items.extend(head.iter().cloned());
        items.extend(middle.iter().cloned());
        items.extend(tail.iter().cloned());
        Self { items }
    }

    /// All values as one, in ascending order.
    pub(super) fn to_value(&self) -> Value {
        Value::list(self.items.iter().cloned())
    }
}

impl fmt::Display for Bag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        write_items(f, self.iter())?;
        f.write_str("}")
    }
}
