//! Small sets of slots: one machine word, two where more than 64 operations are open at once, or as many as it takes.

use smallvec::SmallVec;
use std::hash::Hash;

/// A set of slot numbers.
pub(crate) trait Mask: Clone + Eq + Hash + Ord + Default {
    /// Adds `slot`.
    fn insert(&mut self, slot: usize);
    /// Takes `slot` away.
    fn remove(&mut self, slot: usize);
    /// Whether `slot` is in it.
    fn has(&self, slot: usize) -> bool;
    /// Word `i`, zero beyond the end.
    fn word(&self, i: usize) -> u64;
    /// How many words it has.
    fn words(&self) -> usize;
    /// How many bytes a set of any of `slots` slots holds outside of itself.
    fn heap(slots: usize) -> usize;

    /// Whether it is empty.
    fn is_empty(&self) -> bool {
        (0..self.words()).all(|i| self.word(i) == 0)
    }

    /// How many slots are both in it and in `other`.
    fn count_in(&self, other: &Self) -> u32 {
        (0..self.words())
            .map(|i| (self.word(i) & other.word(i)).count_ones())
            .sum()
    }

    /// Whether `self` and `other` agree on the slots outside of `free`.
    fn agrees_outside(&self, other: &Self, free: &Self) -> bool {
        (0..self.words().max(other.words()))
            .all(|i| (self.word(i) ^ other.word(i)) & !free.word(i) == 0)
    }

    /// Whether every slot of `self` is in `other`.
    fn is_within(&self, other: &Self) -> bool {
        (0..self.words()).all(|i| self.word(i) & !other.word(i) == 0)
    }

    /// Calls `each` with every slot that is in `self`, not in `not` and, if `also` is given, in `also`.
    fn each_without(&self, not: &Self, mut each: impl FnMut(usize)) {
        for i in 0..self.words() {
            let mut rest = self.word(i) & !not.word(i);
            while rest != 0 {
                each(i * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }
}

impl Mask for u64 {
    fn insert(&mut self, slot: usize) {
        *self |= 1 << slot;
    }
    fn remove(&mut self, slot: usize) {
        *self &= !(1 << slot);
    }
    fn has(&self, slot: usize) -> bool {
        self >> slot & 1 == 1
    }
    fn word(&self, i: usize) -> u64 {
        if i == 0 { *self } else { 0 }
    }
    fn words(&self) -> usize {
        1
    }
    fn heap(_slots: usize) -> usize {
        0
    }
}

impl Mask for u128 {
    fn insert(&mut self, slot: usize) {
        *self |= 1 << slot;
    }
    fn remove(&mut self, slot: usize) {
        *self &= !(1 << slot);
    }
    fn has(&self, slot: usize) -> bool {
        self >> slot & 1 == 1
    }
    fn word(&self, i: usize) -> u64 {
        if i < 2 { (self >> (64 * i)) as u64 } else { 0 }
    }
    fn words(&self) -> usize {
        2
    }
    fn heap(_slots: usize) -> usize {
        0
    }
}

/// A set without a bound on its members. Never ends in a zero word, so that equal sets are equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Wide(SmallVec<[u64; 4]>);

impl Mask for Wide {
    fn insert(&mut self, slot: usize) {
        if self.0.len() <= slot / 64 {
            self.0.resize(slot / 64 + 1, 0);
        }
        self.0[slot / 64] |= 1 << (slot % 64);
    }
    fn remove(&mut self, slot: usize) {
        if let Some(word) = self.0.get_mut(slot / 64) {
            *word &= !(1 << (slot % 64));
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
    fn has(&self, slot: usize) -> bool {
        self.word(slot / 64) >> (slot % 64) & 1 == 1
    }
    fn word(&self, i: usize) -> u64 {
        self.0.get(i).copied().unwrap_or(0)
    }
    fn words(&self) -> usize {
        self.0.len()
    }
    fn heap(slots: usize) -> usize {
        let words = slots.div_ceil(64);
        // The capacity of a vector that grew is up to twice its length.
        if words > 4 { 16 + 12 * words } else { 0 }
    }
}
