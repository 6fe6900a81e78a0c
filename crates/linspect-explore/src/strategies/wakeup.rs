//! Wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: "Source Sets: A Foundation for Optimal Dynamic Partial Order
//! Reduction", J. ACM 2017, section 6): the sequences that a node of the exploration still has to run.

use crate::trace::{Clock, Event, Footprint};
use linspect_core::schedule::Choice;

/// A step of a sequence to be run, with its place in the happens-before relation of the run it was taken from.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub(super) footprint: Footprint,
    pub(super) position: u32,
    pub(super) clock: Clock,
}

impl Planned {
    pub(super) fn of(event: &Event) -> Self {
        Self {
            footprint: Footprint::of(&event.step),
            position: event.position,
            clock: event.clock.clone(),
        }
    }

    fn is_before(&self, later: &Self) -> bool {
        later.clock.seen(self.footprint.choice.thread) >= self.position
    }
}

/// How a step relates to a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// The sequence has it, at this place, and nothing in the sequence happens before it.
    Initial(usize),
    /// The sequence does not have it and does not depend on it.
    Independent,
    /// The sequence cannot start with it.
    No,
}

/// Whether `sequence`, possibly continued, is equivalent to one that starts with `first` (a *weak initial*).
pub(super) fn weak_initial(first: &Footprint, sequence: &[Planned]) -> Start {
    let same_thread = |p: &Planned| p.footprint.choice.thread == first.choice.thread;
    match sequence.iter().position(same_thread) {
        Some(i) => {
            let planned = &sequence[i];
            let fits = planned.footprint.choice == first.choice
                && !sequence[..i].iter().any(|p| p.is_before(planned));
            if fits { Start::Initial(i) } else { Start::No }
        }
        // A step with a fault ends the run: the sequence would never come.
        None if first.fatal || sequence.iter().any(|p| p.footprint.depends(first)) => Start::No,
        None => Start::Independent,
    }
}

/// An ordered tree of steps. Its first child is run next.
#[derive(Clone, Debug, Default)]
pub(super) struct Wakeup {
    pub(super) children: Vec<(Footprint, Wakeup)>,
    /// The number of the piece below this leaf, if it was offered to others.
    pub(super) piece: Option<u64>,
}

impl Wakeup {
    /// A child without further plans.
    pub(super) fn add(&mut self, footprint: Footprint) {
        self.children.push((footprint, Self::default()));
    }

    /// Whether a child takes `choice`.
    pub(super) fn has(&self, choice: Choice) -> bool {
        self.children.iter().any(|(f, _)| f.choice == choice)
    }

    /// Inserts `sequence` unless a run that is planned anyway covers it.
    pub(super) fn insert(&mut self, mut sequence: Vec<Planned>) {
        let mut tree = self;
        loop {
            match tree.way(&mut sequence) {
                Way::Covered => return,
                Way::Child(at) => tree = &mut tree.children[at].1,
                Way::New => break,
            }
        }
        for planned in sequence {
            tree.add(planned.footprint);
            let (_, child) = tree.children.last_mut().expect("just added");
            tree = child;
        }
    }

    /// Whether [`Wakeup::insert`] would insert `sequence`. What it does not insert it never will: a tree grows behind what it has, and leaves do not grow.
    pub(super) fn takes(&self, sequence: &[Planned]) -> bool {
        let mut sequence = sequence.to_vec();
        let mut tree = self;
        loop {
            match tree.way(&mut sequence) {
                Way::Covered => return false,
                Way::Child(at) => tree = &tree.children[at].1,
                Way::New => return true,
            }
        }
    }

    /// Where `sequence` goes from here; what the child has of it is taken from it.
    fn way(&self, sequence: &mut Vec<Planned>) -> Way {
        for (at, (footprint, below)) in self.children.iter().enumerate() {
            match weak_initial(footprint, sequence) {
                Start::No => continue,
                Start::Initial(i) => drop(sequence.remove(i)),
                Start::Independent => {}
            }
            // A leaf: everything that starts there is explored.
            let is_covered = sequence.is_empty() || below.children.is_empty();
            return if is_covered {
                Way::Covered
            } else {
                Way::Child(at)
            };
        }
        Way::New
    }

    /// Adds the numbers of the children that lead to the first leaf below, or here, that was not offered to others; false if there is none.
    pub(super) fn free_leaf(&self, numbers: &mut Vec<usize>) -> bool {
        if self.children.is_empty() {
            return self.piece.is_none();
        }
        for (number, (_, below)) in self.children.iter().enumerate() {
            numbers.push(number);
            if below.free_leaf(numbers) {
                return true;
            }
            numbers.pop();
        }
        false
    }

    /// The tree to which these numbers of children lead.
    pub(super) fn at(&mut self, numbers: &[usize]) -> &mut Self {
        numbers
            .iter()
            .fold(self, |tree, &number| &mut tree.children[number].1)
    }
}

/// Where a sequence goes from a node of the tree.
enum Way {
    /// A run that is planned covers it.
    Covered,
    /// Below this child.
    Child(usize),
    /// It is a new child.
    New,
}
