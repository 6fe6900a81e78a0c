//! The state of queues, stacks and deques: values in order, cheap to clone, compare and hash.

use crate::value::Value;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};

/// Values in order, first to last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// The sum of the values' hashes, each times [`BASE`] to the power of its place: a change at either end changes it in few
    /// steps, however long the sequence is. Compared first.
    digest: u64,
    items: SmallVec<[Value; 4]>,
}

/// Any odd number of which no small power is near 1.
pub(crate) const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
/// What it must be multiplied by to give 1.
pub(crate) const INVERSE: u64 = inverse(BASE);

/// Newton's iteration doubles the number of right bits; three are right at the beginning.
const fn inverse(odd: u64) -> u64 {
    let mut found = odd;
    let mut bits = 3;
    while bits < 64 {
        found = found.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(found)));
        bits *= 2;
    }
    found
}

/// The part of `value` at `place` in a digest.
fn digest(value: &Value, place: usize) -> u64 {
    let power = BASE.wrapping_pow(u32::try_from(place).unwrap_or(u32::MAX));
    FxBuildHasher.hash_one(value).wrapping_mul(power)
}

impl Hash for Sequence {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.digest);
    }
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
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.items.iter()
    }

    /// This sequence with `value` before it.
    pub fn with_first(&self, value: &Value) -> Self {
        let others = self.digest.wrapping_mul(BASE);
        Self::joined(
            std::slice::from_ref(value),
            &self.items,
            others.wrapping_add(digest(value, 0)),
        )
    }

    /// This sequence with `value` after it.
    pub fn with_last(&self, value: &Value) -> Self {
        let added = digest(value, self.len());
        Self::joined(
            &self.items,
            std::slice::from_ref(value),
            self.digest.wrapping_add(added),
        )
    }

    /// This sequence without its first value.
    pub fn without_first(&self) -> Self {
        let [first, rest @ ..] = &*self.items else {
            return Self::default();
        };
        let others = self.digest.wrapping_sub(digest(first, 0));
        Self::joined(rest, &[], others.wrapping_mul(INVERSE))
    }

    /// This sequence without its last value.
    pub fn without_last(&self) -> Self {
        let [rest @ .., last] = &*self.items else {
            return Self::default();
        };
        let others = self.digest.wrapping_sub(digest(last, rest.len()));
        Self::joined(rest, &[], others)
    }

    /// The values of `head` and then those of `tail`, one plain copy each: this is most of what a search does with states.
    fn joined(head: &[Value], tail: &[Value], digest: u64) -> Self {
        let mut items = SmallVec::with_capacity(head.len() + tail.len());
        items.extend(head.iter().cloned());
        items.extend(tail.iter().cloned());
        Self { digest, items }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// However a sequence came about, equal values in equal order make equal sequences, and other values others.
    #[test]
    fn equal_sequences_are_equal_by_digest() {
        let mut random = Random::new(3);
        let mut known: Vec<Sequence> = Vec::new();
        for _ in 0..2000 {
            let mut plain: Vec<Value> = Vec::new();
            let mut sequence = Sequence::default();
            for _ in 0..random.below(12) {
                let value = Value::Int(random.below(3) as i64);
                match random.below(6) {
                    0 | 1 => {
                        plain.insert(0, value.clone());
                        sequence = sequence.with_first(&value);
                    }
                    2 | 3 => {
                        plain.push(value.clone());
                        sequence = sequence.with_last(&value);
                    }
                    4 => {
                        drop((!plain.is_empty()).then(|| plain.remove(0)));
                        sequence = sequence.without_first();
                    }
                    _ => {
                        plain.pop();
                        sequence = sequence.without_last();
                    }
                }
            }
            assert!(sequence.iter().eq(&plain), "{sequence} is {plain:?}");
            for other in &known {
                let same = other.iter().eq(sequence.iter());
                assert_eq!(*other == sequence, same, "{other} and {sequence}");
            }
            known.push(sequence);
        }
    }
}
