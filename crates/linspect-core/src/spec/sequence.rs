//! The state of queues, stacks and deques: values in order, cheap to clone, compare and hash.

use crate::value::Value;
use smallvec::SmallVec;
use std::fmt;

/// Values in order, first to last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sequence {
    items: SmallVec<[Value; 4]>,
}

impl Sequence {
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

    /// The first.
    pub fn first(&self) -> Option<&Value> {
        self.items.first()
    }

    /// The last.
    pub fn last(&self) -> Option<&Value> {
        self.items.last()
    }

    /// First to last.
    pub fn iter(&self) -> impl Iterator<Item = &Value> {
        self.items.iter()
    }

    /// This sequence with `value` before it.
    pub fn with_first(&self, value: &Value) -> Self {
        Self::joined(std::slice::from_ref(value), &self.items)
    }

    /// This sequence with `value` after it.
    pub fn with_last(&self, value: &Value) -> Self {
        Self::joined(&self.items, std::slice::from_ref(value))
    }

    /// This sequence without its first value.
    pub fn without_first(&self) -> Self {
        Self::joined(self.items.get(1..).unwrap_or_default(), &[])
    }

    /// This sequence without its last value.
    pub fn without_last(&self) -> Self {
        let rest = self.items.len().saturating_sub(1);
        Self::joined(&self.items[..rest], &[])
    }

    /// The values of `head` and then those of `tail`, one plain copy each: this is most of what a search does with states.
    fn joined(head: &[Value], tail: &[Value]) -> Self {
        let mut items = SmallVec::with_capacity(head.len() + tail.len());
        items.extend(head.iter().cloned());
        items.extend(tail.iter().cloned());
        Self { items }
    }
}

/// A number of things, as the result of an operation.
pub(super) fn count(n: usize) -> Value {
    Value::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

/// Writes `a, b, c`.
pub(super) fn write_items<'a>(
    f: &mut fmt::Formatter<'_>,
    items: impl Iterator<Item = &'a Value>,
) -> fmt::Result {
    for (i, item) in items.enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        write_items(f, self.iter())?;
        f.write_str("]")
    }
}
