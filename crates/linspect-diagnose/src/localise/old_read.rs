//! Under weak memory, the read that decides: had it read what was newest, every execution that begins in the same way would be right.
//!
//! Which message a read reads is a choice as who goes first is one; a choice decides if its other side leads only to good runs, as among the races of Chen, Zhang, Wu and Zhang.

use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::consistency::{Graph, cell};
use linspect_core::defect::Defect;
use linspect_core::execution::{Access, Action, End, EventId, Execution, MemoryModel, Step};
use linspect_core::machine::{StartError, Subject};
use linspect_core::property::Property;
use linspect_explore::Bounds;
use linspect_explore::external::{Judgement, Told, judge};
use linspect_explore::strategies::graph::{self, graphs};
use linspect_explore::stuck::Stuck;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// How many sets of messages between clients may be asked about in one execution.
const MESSAGES: usize = 10_000;

/// A read of something old that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OldRead {
    /// The step of the run, from 0.
    pub step: usize,
    /// How many executions begin in the same way, but for this read, which reads what is newest. All of them are good.
    pub good: u64,
}

/// Per step, whose newer write it does not read, if it reads something old.
pub fn overlooked(steps: &[Step]) -> Vec<Option<EventId>> {
    let mut graph = Graph::default();
    let mut overlooked = Vec::with_capacity(steps.len());
    for (id, step) in events(steps).zip(steps) {
        let reads = |a: &&Access| matches!(a.action, Action::Read | Action::CasFail);
        let read = step.accesses.first().filter(reads);
        let newest = read.and_then(|a| Some((a.from, graph.last(cell(a.location))?)));
        let newer = newest.filter(|(from, newest)| *from != Some(*newest));
        overlooked.push(newer.map(|(_, newest)| newest));
        graph.step(id, step);
    }
    overlooked
}

/// The last read of something old in `execution`, a bad run of `client`, that decides. Nothing if there is none, or if more than `most` executions would have to be looked at.
pub fn old_read<S: Subject, P: Property>(
    subject: &S,
    client: &Client,
    property: &mut P,
    execution: &Execution,
    most: u64,
    budget: &dyn Budget,
) -> Result<Option<OldRead>, StartError> {
    let overlooked = overlooked(&execution.steps);
    let mut candidates: Vec<Candidate> = (0..)
        .zip(overlooked)
        .filter_map(|(step, newest)| Some(Candidate::new(step, newest?)))
        .collect();
    if candidates.is_empty() {
        return Ok(None);
    }
    let mut machine = subject.start(client)?;
    let mut stuck = Stuck::new(subject, client);
    let options = graph::Options {
        model: MemoryModel::C20,
        bounds: Bounds::default(),
        budget,
    };
    let mut looked_at = 0;
    let walk = graphs(&mut machine, &options, &mut |leaf| {
        looked_at += 1;
        if looked_at > most {
            return ControlFlow::Break(());
        }
        if matches!(leaf.end, End::Covered | End::StepLimit | End::Cut) {
            return ControlFlow::Continue(());
        }
        let other = leaf.execution();
        // Where a fault ends everything, what others had still to do is not there.
        let cut = *leaf.end == End::Fault;
        let alike: Vec<usize> = (0..candidates.len())
            .filter(|&c| candidates[c].differs(&execution.steps, &other.steps, cut))
            .collect();
        if !alike.is_empty() {
            let is_good = is_good(&other, property, &mut stuck);
            for candidate in alike {
                candidates[candidate].note(is_good);
            }
        }
        ControlFlow::Continue(())
    });
    if walk.stopped {
        return Ok(None);
    }
    let decisive = candidates.iter().rev().find(|c| c.good > 0 && c.bad == 0);
    Ok(decisive.map(|c| OldRead {
        step: c.step,
        good: c.good,
    }))
}

/// A read that may decide.
struct Candidate {
    step: usize,
    newest: EventId,
    good: u64,
    bad: u64,
}

impl Candidate {
    fn new(step: usize, newest: EventId) -> Self {
        Self {
            step,
            newest,
            good: 0,
            bad: 0,
        }
    }

    /// Whether `other` does all that `steps` do before this read, and then reads what is newest; if it is `cut`, whether it may do so.
    fn differs(&self, steps: &[Step], other: &[Step], cut: bool) -> bool {
        let there: FxHashMap<EventId, &Step> = events(other).zip(other).collect();
        let mut before = events(steps).zip(&steps[..self.step]);
        let reads_newest = events(steps).nth(self.step).is_some_and(|id| {
            there.get(&id).map_or(cut, |step| {
                let read = step.accesses.first();
                read.is_some_and(|read| read.from == Some(self.newest))
            })
        });
        let is_same = |(id, step): (EventId, &Step)| {
            let sources = |step: &Step| Vec::from_iter(step.accesses.iter().map(|a| a.from));
            let there = there.get(&id);
            there.map_or(cut, |there| sources(there) == sources(step))
        };
        reads_newest && before.all(is_same)
    }

    fn note(&mut self, is_good: bool) {
        match is_good {
            true => self.good += 1,
            false => self.bad += 1,
        }
    }
}

/// Whether nothing is wrong with an execution, whatever clients tell each other.
fn is_good<S: Subject, P: Property>(
    execution: &Execution,
    property: &mut P,
    stuck: &mut Stuck<'_, S>,
) -> bool {
    let Execution {
        before,
        steps,
        after,
        end,
    } = execution;
    let mut waits = |waiting: &[_]| stuck.is_serial(steps.iter(), waiting);
    let defects = Defect::of_course(steps.iter(), after, end, &mut waits);
    let told = Told {
        before,
        steps,
        after,
        end,
    };
    defects.is_empty() && judge(property, told, MemoryModel::C20, MESSAGES) == Judgement::Good
}

/// The names of steps that are the same in every interleaving.
fn events(steps: &[Step]) -> impl Iterator<Item = EventId> {
    let mut taken: FxHashMap<u16, u32> = FxHashMap::default();
    steps.iter().map(move |step| {
        let thread = step.choice.thread;
        let count = taken.entry(thread).or_default();
        *count += 1;
        EventId {
            thread,
            step: *count - 1,
        }
    })
}
