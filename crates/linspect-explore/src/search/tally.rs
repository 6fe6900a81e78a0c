//! Counts of the leaves of a walk, which can be put together from those of its parts.

use super::coverage::bits;
use super::cut_reads::CutReads;
use super::leads::Lead;
use super::memory_use::MemoryUse;
use super::watcher::Watcher;
use crate::strategies::Leaf;
use linspect_core::defect::Defect;
use linspect_core::execution::{Activation, End, SiteId};
use linspect_core::machine::Subject;
use linspect_core::property::Property;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// How many executions a round has shown, and how many of them reached the bound on steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    pub(super) executions: u64,
    pub(super) limited: u64,
    /// The most that [`Tally::weight`] ever was when an execution reached the bound.
    peak: Option<i64>,
}

impl Tally {
    /// How many executions there may be for each that reaches the bound before a round is given up.
    pub(super) const SHARE: u64 = 32;

    fn note(&mut self, end: &End) {
        self.executions += 1;
        if *end == End::StepLimit {
            self.limited += 1;
            self.peak = self.peak.max(Some(self.weight()));
        }
    }

    /// More, the more of the executions reached the bound.
    fn weight(&self) -> i64 {
        (self.limited * Self::SHARE) as i64 - self.executions as i64
    }

    /// The most that the weight is in a part that comes after this one, where the part's executions reach the bound.
    pub(super) fn peak_after(&self, part: &Self) -> Option<i64> {
        part.peak.map(|peak| self.weight() + peak)
    }

    fn extend(&mut self, part: &Self) {
        self.peak = self.peak.max(self.peak_after(part));
        self.executions += part.executions;
        self.limited += part.limited;
    }
}

/// What a watcher has seen in a part of a walk in which nothing made it stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Summary {
    pub(super) tally: Tally,
    /// Written as runs that show them (`walk_record.rs`).
    #[serde(skip)]
    pub(super) leads: Vec<Lead>,
    pub(super) executions: u64,
    pub(super) cut: u64,
    cut_reads: CutReads,
    unjudged: bool,
    weaker: BTreeSet<SiteId>,
    /// Whether somebody slept until he was woken.
    sleeps: bool,
    /// Whether some run counts: no assumption stopped it.
    counts: bool,
    #[serde(with = "activations")]
    returned: BTreeSet<Activation>,
    memory: MemoryUse,
    /// Whether freed memory was used again.
    reused: bool,
    #[serde(with = "bits")]
    done: f64,
}

impl Summary {
    /// How many leaves there were.
    pub(super) fn leaves(&self) -> u64 {
        self.executions + self.cut
    }

    /// Takes in the part that comes next in the order of the walk.
    pub(super) fn extend(&mut self, next: Self) {
        self.tally.extend(&next.tally);
        for lead in next.leads {
            if !self
                .leads
                .iter()
                .any(|known| known.kind.is_like(&lead.kind))
            {
                self.leads.push(lead);
            }
        }
        self.executions += next.executions;
        self.cut += next.cut;
        self.cut_reads.extend(next.cut_reads);
        self.unjudged |= next.unjudged;
        self.weaker.extend(next.weaker);
        self.sleeps |= next.sleeps;
        self.counts |= next.counts;
        self.returned.extend(next.returned);
        self.memory.extend(next.memory);
        self.reused |= next.reused;
        self.done = next.done;
    }
}

/// How operations of an execution are written, which the core does not do.
mod activations {
    use linspect_core::execution::Activation;
    use linspect_core::schedule::ThreadId;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::collections::BTreeSet;

    pub(super) fn serialize<S: Serializer>(
        all: &BTreeSet<Activation>,
        into: S,
    ) -> Result<S::Ok, S::Error> {
        into.collect_seq(all.iter().map(|a| (a.thread, a.index)))
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(
        from: D,
    ) -> Result<BTreeSet<Activation>, D::Error> {
        let all = Vec::<(ThreadId, u16)>::deserialize(from)?.into_iter();
        Ok(all
            .map(|(thread, index)| Activation { thread, index })
            .collect())
    }
}

impl<S: Subject, P: Property> Watcher<'_, S, P> {
    /// Looks at a leaf of a walk over all classes, in which threads that try in vain may be parked.
    pub(super) fn count(
        &mut self,
        leaf: &Leaf<'_>,
        parks: bool,
        tally: &mut Tally,
    ) -> ControlFlow<()> {
        if parks {
            self.cut_reads.note(leaf);
        }
        let goes_on = if *leaf.end == End::Covered {
            self.pass(leaf)
        } else {
            tally.note(leaf.end);
            self.look(leaf, true)
        };
        match self.reads.is_known_after(leaf) {
            true => ControlFlow::Break(()),
            false => goes_on,
        }
    }

    /// How many leaves were seen since the last summary, or the start.
    pub(super) fn leaves(&self) -> u64 {
        self.executions + self.cut
    }

    /// What was seen since the last summary, or the start.
    pub(super) fn summary(&mut self, tally: &mut Tally, reused: bool) -> Summary {
        self.races.clear();
        Summary {
            tally: std::mem::take(tally),
            leads: std::mem::take(&mut self.leads),
            executions: std::mem::take(&mut self.executions),
            cut: std::mem::take(&mut self.cut),
            cut_reads: std::mem::take(&mut self.cut_reads),
            unjudged: std::mem::take(&mut self.unjudged),
            weaker: std::mem::take(&mut self.weaker),
            sleeps: std::mem::take(&mut self.sleeps),
            counts: std::mem::take(&mut self.counts),
            returned: std::mem::take(&mut self.returned),
            memory: std::mem::take(&mut self.memory),
            reused,
            done: self.done,
        }
    }

    /// Takes in what another watcher has seen in the part of the walk that comes next.
    pub(super) fn extend(&mut self, part: Summary, tally: &mut Tally) {
        tally.extend(&part.tally);
        for lead in part.leads {
            if self
                .leads
                .iter()
                .any(|known| known.kind.is_like(&lead.kind))
            {
                continue;
            }
            if let Defect::DataRace(race) = &lead.kind {
                self.races.push(race.clone());
            }
            self.leads.push(lead);
        }
        self.executions += part.executions;
        self.cut += part.cut;
        self.cut_reads.extend(part.cut_reads);
        self.unjudged |= part.unjudged;
        self.weaker.extend(part.weaker);
        self.sleeps |= part.sleeps;
        self.counts |= part.counts;
        self.returned.extend(part.returned);
        self.memory.extend(part.memory);
        self.reused |= part.reused;
        self.done = part.done;
        (self.progress)(self.executions, self.done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A round of which every third execution from the 10th to the 40th reaches the bound.
    fn ends() -> Vec<End> {
        let end = |i: u32| match (10..40).contains(&i) && i.is_multiple_of(3) {
            true => End::StepLimit,
            false => End::Complete,
        };
        (0..100).map(end).collect()
    }

    #[test]
    fn parts_add_up_wherever_they_are_cut() {
        let tally = |ends: &[End]| {
            let mut tally = Tally::default();
            ends.iter().for_each(|end| tally.note(end));
            tally
        };
        let whole = tally(&ends());
        for first in 0..100 {
            for second in first..100 {
                let mut sum = tally(&ends()[..first]);
                sum.extend(&tally(&ends()[first..second]));
                sum.extend(&tally(&ends()[second..]));
                assert_eq!(sum, whole, "cut at {first} and {second}");
            }
        }
        let ends = ends();
        let by_hand = (1..=100).filter(|&n| ends[n - 1] == End::StepLimit);
        let weight = |n: usize| {
            let limited = ends[..n].iter().filter(|e| **e == End::StepLimit).count();
            32 * limited as i64 - n as i64
        };
        assert_eq!(whole.peak, by_hand.map(weight).max());
    }
}
