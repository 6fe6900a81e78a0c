//! Reads that cannot matter are no steps: those of memory that nobody writes beside others, such as the fields of an object that its constructor wrote.
//!
//! Which memory that is, nobody can know before the last run. So it is assumed: after the first executions of a client that has many, what was read in them and not written is taken for unwritten, and
//! the client is explored again without these reads as steps. If no run writes there, none would with them: take the shortest run that does, up to its first such write. Up to there each of these reads
//! reads the same whenever it is made, so it can be made with the step before it, and what is left is a run that was explored. If some run does write there, less is assumed, and the client is explored again.
//!
//! What is found is a run with fewer steps. The same run with all of them is told: a read comes as late as it can, so that a call that it begins comes late, but before the return that it leads to.

use super::client::Extent;
use super::crew::Crew;
use super::leads::Lead;
use super::watcher::Watcher;
use crate::strategies::Leaf;
use linspect_core::defect::{Defect, Race};
use linspect_core::execution::{Action, Location, Step};
use linspect_core::machine::{Additions, Machine, Retries, Status, Subject};
use linspect_core::property::Property;
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use linspect_core::unwritten::Unwritten;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Executions, and runs in which a thread tried in vain, after which a client is one that has many.
const MANY: u64 = 64;

/// How often less is assumed before nothing is.
const ROUNDS: usize = 3;

/// How many reads without a step may follow each other where all are told.
const MOST_READS: usize = 10_000;

/// Which runs need not be had, because others show the same.
#[derive(Clone, Debug, Default)]
pub(super) struct LeavesOut {
    pub(super) retries: Retries,
    additions: Additions,
    unwritten: Option<Arc<Unwritten>>,
}

impl LeavesOut {
    /// Those that retries make.
    pub(super) fn retries(retries: Retries) -> Self {
        Self {
            retries,
            ..Self::default()
        }
    }

    /// Those that are made by additions in another order, too, if any are left out.
    pub(super) fn or_orders_of_additions(mut self) -> Self {
        if self.retries == Retries::Park {
            self.additions = Additions::Unordered;
        }
        self
    }

    /// Tells a machine that stands at its start.
    pub(super) fn tell<M: Machine>(&self, machine: &mut M) {
        machine.set_retries(self.retries);
        machine.set_additions(self.additions);
        machine.set_unwritten(self.unwritten.clone());
    }
}

/// What the first executions of a client read and wrote, if anybody wants to know.
#[derive(Default)]
pub(super) struct Reads {
    wanted: bool,
    read: FxHashSet<Location>,
    written: FxHashSet<Location>,
    leaves: u64,
    known: bool,
}

impl Reads {
    /// Notes a leaf, if anybody wants to know; whether enough is known after it, so that the client can be explored again.
    pub(super) fn is_known_after(&mut self, leaf: &Leaf<'_>) -> bool {
        if !self.wanted || self.leaves == MANY {
            return false;
        }
        self.leaves += 1;
        // What was made while threads ran was written then, and whoever reads it must come after that.
        let published = leaf.trace.steps().flat_map(|step| &step.aside.published);
        self.written.extend(published.map(|p| p.location));
        for access in leaf.trace.steps().flat_map(|step| &step.accesses) {
            if access.action == Action::Read {
                self.read.insert(access.location);
            } else if access.action.touches_memory() && access.action.writes() {
                self.written.insert(access.location);
            }
        }
        self.known = self.leaves == MANY && !self.unwritten(&FxHashSet::default()).is_empty();
        self.known
    }

    /// Whether enough is known, and there are reads that may be left out.
    pub(super) fn are_known(&self) -> bool {
        self.known
    }

    fn unwritten(&self, more: &FxHashSet<Location>) -> Unwritten {
        Unwritten::new(&self.read, self.written.iter().chain(more))
    }
}

impl<S: Subject, P: Property> Watcher<'_, S, P> {
    /// Explores a client, without the steps that cannot matter if it has many executions.
    pub(super) fn explore_steps_that_matter<M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
        leaves_out: &LeavesOut,
        crew: Option<Crew<'_, S, P>>,
    ) -> Extent {
        let is_asked = leaves_out.retries == Retries::Park && !self.stuck.is_program();
        self.reads = Reads {
            wanted: is_asked,
            ..Reads::default()
        };
        let known = self.leads.len();
        let extent = self.deepen(machine, start, leaves_out, crew);
        let reads = std::mem::take(&mut self.reads);
        if !reads.are_known() || !self.is_going_on() {
            return extent;
        }
        let mut written = FxHashSet::default();
        for _ in 0..ROUNDS {
            let unwritten = Arc::new(reads.unwritten(&written));
            let fewer = LeavesOut {
                unwritten: Some(Arc::clone(&unwritten)),
                ..leaves_out.clone()
            };
            self.forget_counts();
            self.forget_leads(known);
            let extent = self.deepen(machine, start, &fewer, crew);
            let in_vain = |place: &&Location| unwritten.overlaps(place);
            let more: Vec<Location> = self.cut_reads.written().filter(in_vain).copied().collect();
            if !more.is_empty() && self.is_going_on() {
                written.extend(more);
                continue;
            }
            match self.spell_out(machine, start, &fewer, known) {
                Some(()) => return extent,
                None => break,
            }
        }
        self.forget_counts();
        self.forget_leads(known);
        self.stopped = None;
        self.deepen(machine, start, leaves_out, crew)
    }

    /// Forgets what was found since there were `known`.
    fn forget_leads(&mut self, known: usize) {
        self.leads.truncate(known);
        let leads = self.leads.iter();
        self.races = leads
            .filter_map(|lead| match &lead.kind {
                Defect::DataRace(race) => Some(race.clone()),
                _ => None,
            })
            .collect();
    }

    /// Tells the runs that were found since there were `known` with all their steps. Nothing if one cannot be.
    fn spell_out<M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
        fewer: &LeavesOut,
        known: usize,
    ) -> Option<()> {
        for index in known..self.leads.len() {
            let lead = &self.leads[index];
            machine.restore(start);
            fewer.tell(machine);
            let steps: Vec<Step> = lead.schedule.0.iter().map(|c| machine.step(*c)).collect();
            machine.restore(start);
            LeavesOut::default().tell(machine);
            let unwritten = fewer.unwritten.as_deref()?;
            let (schedule, places) = whole(machine, &steps, unwritten)?;
            let kind = match lead.kind.clone() {
                Defect::DataRace(Race { first, second }) => Defect::DataRace(Race {
                    first: (places[first.0], first.1),
                    second: (places[second.0], second.1),
                }),
                kind => kind,
            };
            self.leads[index] = Lead {
                kind,
                schedule,
                ..self.leads[index].clone()
            };
        }
        Some(())
    }
}

/// The schedule of the run with these steps in which every read is one, and where each of these steps is in it. `machine` stands at the start of it.
fn whole<M: Machine>(
    machine: &mut M,
    steps: &[Step],
    unwritten: &Unwritten,
) -> Option<(Schedule, Vec<usize>)> {
    let (mut schedule, mut places) = (Schedule::default(), Vec::new());
    for step in steps {
        let choice = step.choice;
        // An operation that reads only such memory is one step, and several reads.
        let only_reads = step.accesses.is_empty() && step.returned.is_some();
        let mut returned = false;
        while !returned && reads(machine, choice.thread, unwritten) {
            schedule.0.push(Choice::of(choice.thread));
            returned = machine.step(Choice::of(choice.thread)).returned.is_some();
            is_short(&schedule, steps)?;
        }
        if !(only_reads && returned) {
            is_ready(machine, choice.thread).then_some(())?;
            schedule.0.push(choice);
            let same = machine.step(choice);
            returned = same.returned.is_some();
            is_alike(&same, step).then_some(())?;
        }
        places.push(schedule.0.len() - 1);
        while step.returned.is_some() && !returned {
            reads(machine, choice.thread, unwritten).then_some(())?;
            schedule.0.push(Choice::of(choice.thread));
            returned = machine.step(Choice::of(choice.thread)).returned.is_some();
            is_short(&schedule, steps)?;
        }
        (returned == step.returned.is_some()).then_some(())?;
    }
    Some((schedule, places))
}

fn is_short(schedule: &Schedule, steps: &[Step]) -> Option<()> {
    (schedule.0.len() <= (steps.len() + 1) * MOST_READS).then_some(())
}

fn is_ready<M: Machine>(machine: &M, thread: ThreadId) -> bool {
    usize::from(thread) < machine.threads() && machine.status(thread) == Status::Ready
}

/// Whether the next step of `thread` only reads such memory.
fn reads<M: Machine>(machine: &mut M, thread: ThreadId, unwritten: &Unwritten) -> bool {
    if !is_ready(machine, thread) {
        return false;
    }
    let step = machine.peek(Choice::of(thread));
    let [access] = step.accesses.as_slice() else {
        return false;
    };
    access.action == Action::Read && unwritten.contains(&access.location)
}

/// Whether two steps access the same memory. What additions read and wrote is not told where their order does not matter.
fn is_alike(step: &Step, other: &Step) -> bool {
    let places =
        |step: &Step| -> Vec<Location> { step.accesses.iter().map(|a| a.location).collect() };
    places(step) == places(other)
}
