//! A row of elements, known by numbers, and what operations do to it: all there is to the state of a queue, a stack or a deque.

use super::Op;
use crate::history::Outcome;
use crate::spec::{BASE, INVERSE, RowDeed, Spec, Tip};
use crate::value::Value;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::VecDeque;
use std::hash::BuildHasher;

/// What an operation does to a row, with what it returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// Puts an element at an end, or finds no room; which of both, if that is known.
    Put(Tip, u32, Option<bool>),
    Take(Tip, Seen),
    Look(Tip, Seen),
    Count(Option<i64>),
    IsEmpty(Option<bool>),
}

/// What an operation returned that takes an element or looks at one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    This(u32),
    Nothing,
    /// Nobody knows.
    Anything,
}

impl Seen {
    fn fits(self, there: Option<&u32>) -> bool {
        match self {
            Self::This(wanted) => there == Some(&wanted),
            Self::Nothing => there.is_none(),
            Self::Anything => true,
        }
    }
}

/// What operations do, by position. Equal elements have equal numbers, from 0 on.
pub(super) struct Deeds {
    pub(super) of: Vec<Deed>,
    /// How many different elements there are.
    pub(super) elements: usize,
}

impl Deeds {
    /// What `ops` do; nothing if they do not work on a row, or if one ended as such operations never do.
    pub(super) fn new<S: Spec>(spec: &S, ops: &[Op<'_, S>]) -> Option<Self> {
        let mut numbers: FxHashMap<&Value, u32> = FxHashMap::default();
        let mut of = Vec::with_capacity(ops.len());
        for op in ops {
            let mut number = |value| {
                let next = u32::try_from(numbers.len()).expect("fewer than 2^32 elements");
                *numbers.entry(value).or_insert(next)
            };
            let mut seen = || match op.outcome {
                Outcome::Returned(Value::Nil) => Seen::Nothing,
                Outcome::Returned(value) => Seen::This(number(value)),
                Outcome::Unknown | Outcome::Pending => Seen::Anything,
            };
            of.push(match (spec.in_row(op.call)?, op.outcome.value()) {
                (RowDeed::Put(tip, element), result) => {
                    let is_done = match result {
                        None => None,
                        Some(Value::Unit) => Some(true),
                        Some(Value::Bool(false)) => Some(false),
                        Some(_) => return None,
                    };
                    Deed::Put(tip, number(element), is_done)
                }
                (RowDeed::Take(tip), _) => Deed::Take(tip, seen()),
                (RowDeed::Look(tip), _) => Deed::Look(tip, seen()),
                (RowDeed::Count, None) => Deed::Count(None),
                (RowDeed::Count, Some(&Value::Int(count))) => Deed::Count(Some(count)),
                (RowDeed::IsEmpty, None) => Deed::IsEmpty(None),
                (RowDeed::IsEmpty, Some(&Value::Bool(said))) => Deed::IsEmpty(Some(said)),
                (RowDeed::Count | RowDeed::IsEmpty, Some(_)) => return None,
            });
        }
        Some(Self {
            of,
            elements: numbers.len(),
        })
    }
}

/// How a row changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Nothing,
    Puts(Tip, u32),
    Takes(Tip, u32),
}

/// Elements in a row.
pub(super) struct Row {
    elements: VecDeque<u32>,
    /// As in a [`Sequence`](crate::spec::Sequence): the sum of the elements' hashes, each times [`BASE`] to the power of its place.
    digest: u64,
    /// [`BASE`] to the power of the number of elements.
    power: u64,
    /// So many fit into it.
    room: usize,
}

impl Row {
    /// An empty row with `room`.
    pub(super) fn new(room: usize) -> Self {
        Self {
            elements: VecDeque::new(),
            digest: 0,
            power: 1,
            room,
        }
    }

    /// First to last.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = u32> + DoubleEndedIterator {
        self.elements.iter().copied()
    }

    fn at(&self, tip: Tip) -> Option<&u32> {
        match tip {
            Tip::Front => self.elements.front(),
            Tip::Back => self.elements.back(),
        }
    }

    /// What `deed` changes here; nothing if it does not end so here.
    pub(super) fn change(&self, deed: Deed) -> Option<Change> {
        let holds = |fits: bool| fits.then_some(Change::Nothing);
        match deed {
            Deed::Put(tip, element, is_done) => {
                let has_room = self.elements.len() < self.room;
                let change = match has_room {
                    true => Change::Puts(tip, element),
                    false => Change::Nothing,
                };
                is_done
                    .is_none_or(|is_done| is_done == has_room)
                    .then_some(change)
            }
            Deed::Take(tip, seen) => {
                let there = self.at(tip);
                let change = there.map_or(Change::Nothing, |&element| Change::Takes(tip, element));
                seen.fits(there).then_some(change)
            }
            Deed::Look(tip, seen) => holds(seen.fits(self.at(tip))),
            Deed::Count(count) => {
                holds(count.is_none_or(|count| usize::try_from(count) == Ok(self.elements.len())))
            }
            Deed::IsEmpty(said) => holds(said.is_none_or(|said| said == self.elements.is_empty())),
        }
    }

    /// Changes it.
    pub(super) fn make(&mut self, change: Change) {
        match change {
            Change::Nothing => {}
            Change::Puts(tip, element) => self.put(tip, element),
            Change::Takes(tip, _) => self.take(tip),
        }
    }

    /// Takes the last change back.
    pub(super) fn undo(&mut self, change: Change) {
        match change {
            Change::Nothing => {}
            Change::Puts(tip, _) => self.take(tip),
            Change::Takes(tip, element) => self.put(tip, element),
        }
    }

    /// A number that equal rows have in common.
    pub(super) fn digest(&self) -> u64 {
        self.digest
    }

    fn put(&mut self, tip: Tip, element: u32) {
        match tip {
            Tip::Front => {
                self.elements.push_front(element);
                self.digest = self.digest.wrapping_mul(BASE).wrapping_add(hash(element));
            }
            Tip::Back => {
                self.elements.push_back(element);
                let added = hash(element).wrapping_mul(self.power);
                self.digest = self.digest.wrapping_add(added);
            }
        }
        self.power = self.power.wrapping_mul(BASE);
    }

    fn take(&mut self, tip: Tip) {
        let taken = match tip {
            Tip::Front => self.elements.pop_front(),
            Tip::Back => self.elements.pop_back(),
        };
        let taken = hash(taken.expect("only what is there is taken"));
        self.power = self.power.wrapping_mul(INVERSE);
        self.digest = match tip {
            Tip::Front => self.digest.wrapping_sub(taken).wrapping_mul(INVERSE),
            Tip::Back => self.digest.wrapping_sub(taken.wrapping_mul(self.power)),
        };
    }
}

fn hash(element: u32) -> u64 {
    FxBuildHasher.hash_one(element.wrapping_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// However a row came about, equal elements in equal order have equal digests, and others have others.
    #[test]
    fn equal_rows_have_equal_digests() {
        let mut random = Random::new(5);
        let mut known: FxHashMap<Vec<u32>, u64> = FxHashMap::default();
        let mut of_digest: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for _ in 0..3000 {
            let mut row = Row::new(5);
            let mut plain: VecDeque<u32> = VecDeque::new();
            for _ in 0..random.below(14) {
                let tip = [Tip::Front, Tip::Back][random.below(2)];
                let element = u32::try_from(random.below(3)).expect("small");
                let deed = match random.percent(60) {
                    true => Deed::Put(tip, element, None),
                    false => Deed::Take(tip, Seen::Anything),
                };
                let change = row.change(deed).expect("it may end in any way");
                row.make(change);
                if random.percent(20) {
                    row.undo(change);
                    continue;
                }
                match (deed, tip) {
                    (Deed::Put(..), _) if plain.len() == 5 => {}
                    (Deed::Put(..), Tip::Front) => plain.push_front(element),
                    (Deed::Put(..), Tip::Back) => plain.push_back(element),
                    (_, Tip::Front) => drop(plain.pop_front()),
                    (_, Tip::Back) => drop(plain.pop_back()),
                }
            }
            assert!(row.iter().eq(plain.iter().copied()));
            let elements: Vec<u32> = plain.into();
            let digest = *known.entry(elements.clone()).or_insert(row.digest());
            assert_eq!(row.digest(), digest, "{elements:?}");
            let first = of_digest.entry(digest).or_insert(elements.clone());
            assert_eq!(*first, elements);
        }
    }
}
