//! Data races that cutting retries, and leaving open the order of additions, could hide.
//!
//! A plain read in an attempt that was cut races with a write of another thread. Usually some explored run has both. But if the write comes only after something
//! that the reading thread does later, and nothing orders the two, none may: the attempt is cut in each run in which it goes on. All writes of all runs do
//! occur in explored ones, so if no place that was read in such an attempt is written by another thread, nothing is hidden.
//!
//! Additions whose results nobody uses commute, but the second may be what comes after the first and orders more. Where a run is free of races only so, another order of
//! them may not be.

use crate::strategies::Leaf;
use linspect_core::defect::Race;
use linspect_core::execution::{Action, End, Location, Ordering, Step};
use linspect_core::schedule::ThreadId;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// What was read in attempts that were cut, and what was written at all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CutReads {
    #[serde(with = "places")]
    read: FxHashSet<(ThreadId, Location)>,
    #[serde(with = "places")]
    written: FxHashSet<(ThreadId, Location)>,
    /// What others could reach only while threads ran.
    #[serde(with = "places")]
    published: FxHashSet<(ThreadId, Location)>,
    order_of_additions: bool,
}

/// How places are written, which the core does not do: in their order, so that equal sets are equal bytes.
mod places {
    use linspect_core::execution::Location;
    use linspect_core::schedule::ThreadId;
    use rustc_hash::FxHashSet;
    use serde::{Deserialize, Deserializer, Serializer};

    type Places = FxHashSet<(ThreadId, Location)>;

    pub(super) fn serialize<S: Serializer>(all: &Places, into: S) -> Result<S::Ok, S::Error> {
        let mut all: Vec<_> = all.iter().collect();
        all.sort();
        let numbers =
            |(thread, at): &(ThreadId, Location)| (*thread, at.allocation, at.offset, at.size);
        into.collect_seq(all.into_iter().map(numbers))
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Places, D::Error> {
        let all = Vec::<(ThreadId, u32, u32, u32)>::deserialize(from)?;
        let place = |(thread, allocation, offset, size)| {
            let at = Location {
                allocation,
                offset,
                size,
            };
            (thread, at)
        };
        Ok(all.into_iter().map(place).collect())
    }
}

impl CutReads {
    /// Notes what a run read and wrote.
    pub(super) fn note(&mut self, leaf: &Leaf<'_>) {
        for step in leaf.trace.steps() {
            let published = step.aside.published.iter();
            self.published
                .extend(published.map(|p| (step.choice.thread, p.location)));
            for access in &step.accesses {
                if access.action.touches_memory() && access.action.writes() {
                    self.written.insert((step.choice.thread, access.location));
                }
            }
        }
        if *leaf.end == End::Covered {
            self.note_attempts(leaf);
        }
    }

    /// Takes in what other runs read and wrote.
    pub(super) fn extend(&mut self, other: Self) {
        self.read.extend(other.read);
        self.written.extend(other.written);
        self.published.extend(other.published);
        self.order_of_additions |= other.order_of_additions;
    }

    /// All that was written in runs beside others, before others could reach it or later.
    pub(super) fn written(&self) -> impl Iterator<Item = &Location> {
        let all = self.written.iter().chain(&self.published);
        all.map(|(_, place)| place)
    }

    /// Notes that a run may have no race only by the order of its additions.
    pub(super) fn note_order_of_additions(&mut self) {
        self.order_of_additions = true;
    }

    /// Whether the order of additions may decide whether there is a race.
    pub(super) fn need_order_of_additions(&self) -> bool {
        self.order_of_additions
    }

    /// What threads have read plainly in the operation that still runs, since they last changed anything, contains what they read in attempts that were cut.
    fn note_attempts(&mut self, leaf: &Leaf<'_>) {
        let events = leaf.trace.events();
        let mut changed: Vec<ThreadId> = Vec::new();
        for event in events.iter().rev() {
            let thread = event.thread();
            if changed.contains(&thread) {
                continue;
            }
            if changes(&event.step) || event.step.returned.is_some() {
                changed.push(thread);
                continue;
            }
            for access in &event.step.accesses {
                if access.ordering == Ordering::Plain && access.action == Action::Read {
                    self.read.insert((thread, access.location));
                }
            }
        }
    }

    /// Whether there may be a race at a place where none is known.
    pub(super) fn may_hide_race(&self, known: &[Race]) -> bool {
        self.read.iter().any(|(reader, read)| {
            let is_known = |race: &Race| {
                let first = race.first.1.access();
                first.is_some_and(|access| access.location.overlaps(read))
            };
            let mut written = self.written.iter();
            let elsewhere =
                |(writer, place): &(ThreadId, Location)| writer != reader && place.overlaps(read);
            written.any(elsewhere) && !known.iter().any(is_known)
        })
    }
}

fn changes(step: &Step) -> bool {
    let idle = |a: &linspect_core::execution::Access| {
        a.action == Action::Update && a.read == a.written || !a.action.writes()
    };
    !step.accesses.iter().all(idle)
}
