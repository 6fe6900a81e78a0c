//! Reads that cannot matter are no steps: those of memory that nobody writes beside others, such as the fields of an object that its constructor wrote.
//!
//! Which memory that is, nobody can know before the last run. So it is assumed: after the first executions of a client that has many, what was read in them and not written is taken for unwritten, and
//! the client is explored again without these reads as steps. If no run writes there, none would with them: take the shortest run that does, up to its first such write. Up to there each of these reads
//! reads the same whenever it is made, so it can be made with the step before it, and what is left is a run that was explored. If some run does write there, less is assumed, and the client is explored again.
//!
//! What is found is a run with fewer steps. The same run with all of them is told: a read comes as late as it can, so that a call that it begins comes late, but before the return that it leads to.

use super::client::Extent;
use super::coverage::Stopped;
use super::crew::Crew;
use super::leads::Lead;
use super::watcher::Watcher;
use crate::strategies::Leaf;
use linspect_core::defect::{Defect, Race};
use linspect_core::execution::{Access, Action, Location, Step};
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

    /// Whether reads of what nobody writes are no steps.
    pub(super) fn leaves_out_reads(&self) -> bool {
        self.unwritten.is_some()
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
        let extent = self.deepen(machine, start, leaves_out, crew);
        let reads = std::mem::take(&mut self.reads);
        if !reads.are_known() || !self.is_going_on() {
            return extent;
        }
        let known = self.leads.len();
        let mut written = FxHashSet::default();
        for _ in 0..ROUNDS {
            let unwritten = Arc::new(reads.unwritten(&written));
            let fewer = LeavesOut {
                unwritten: Some(Arc::clone(&unwritten)),
                ..leaves_out.clone()
            };
            self.forget(known);
            let extent = self.deepen(machine, start, &fewer, crew);
            let are_told = self.spell_out(machine, start, &fewer, known);
            let in_vain = |place: &&Location| unwritten.overlaps(place);
            let more: Vec<Location> = self.cut_reads.written().filter(in_vain).copied().collect();
            let is_real = match self.stopped {
                Some(
                    Stopped::Limit(_) | Stopped::Executions(_) | Stopped::Share | Stopped::PutOff,
                ) => true,
                Some(Stopped::Error) => self.leads.iter().any(|lead| lead.kind.is_error()),
                Some(Stopped::Machine) => more.is_empty(),
                None => more.is_empty() && (are_told || self.error.is_some()),
            };
            if is_real {
                return extent;
            }
            if more.is_empty() {
                break;
            }
            written.extend(more);
        }
        self.forget(known);
        self.deepen(machine, start, leaves_out, crew)
    }

    /// Forgets what was found and counted since `known` things were found, and why that ended.
    fn forget(&mut self, known: usize) {
        self.forget_counts();
        self.leads.truncate(known);
        (self.stopped, self.error) = (None, None);
        let leads = self.leads.iter();
        self.races = leads
            .filter_map(|lead| match &lead.kind {
                Defect::DataRace(race) => Some(race.clone()),
                _ => None,
            })
            .collect();
    }

    /// Tells the runs that were found after `known` others with all their steps, and looks whether they show the same. Forgets those that do not; whether all do.
    fn spell_out<M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
        fewer: &LeavesOut,
        known: usize,
    ) -> bool {
        let found = self.leads.split_off(known);
        let many = found.len();
        for lead in found {
            let told = match lead.has_all_steps {
                true => Some(lead),
                false => self.told_with_all_steps(machine, start, fewer, lead),
            };
            self.leads.extend(told);
        }
        machine.restore(start);
        self.leads.len() == known + many
    }

    /// The same as `lead`, with every read as a step. Nothing if that does not show the same.
    fn told_with_all_steps<M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
        fewer: &LeavesOut,
        lead: Lead,
    ) -> Option<Lead> {
        machine.restore(start);
        fewer.tell(machine);
        let mut steps = Vec::new();
        for &choice in &lead.schedule.0 {
            if !is_ready(machine, choice.thread) {
                break;
            }
            steps.push(machine.step(choice));
        }
        let goes_on: Vec<bool> = (0..machine.threads())
            .map(|thread| is_ready(machine, thread as ThreadId))
            .collect();
        machine.restore(start);
        LeavesOut::default().tell(machine);
        if steps.len() < lead.schedule.0.len() {
            return None;
        }
        let unwritten = fewer.unwritten.as_deref()?;
        let mut spelling = Spelling {
            machine,
            unwritten,
            schedule: Schedule::default(),
            most: (steps.len() + 1) * MOST_READS,
        };
        let places = spelling.spell(&steps)?;
        let kind = match lead.kind {
            Defect::DataRace(Race { first, second }) => Defect::DataRace(Race {
                first: (places[first.0], first.1),
                second: (places[second.0], second.1),
            }),
            kind => {
                spelling.end(&goes_on)?;
                kind
            }
        };
        let told = Lead {
            kind,
            schedule: spelling.schedule,
            has_all_steps: true,
            ..lead
        };
        let shown = self.confirm_lead(machine, start, &told).ok()?;
        shown.map(|_| told)
    }
}

/// A run that is told with every read as a step. The machine stands where the schedule leads to.
struct Spelling<'a, M> {
    machine: &'a mut M,
    unwritten: &'a Unwritten,
    schedule: Schedule,
    /// How many steps it may have.
    most: usize,
}

impl<M: Machine> Spelling<'_, M> {
    /// Tells `steps`, and where each of them is now.
    fn spell(&mut self, steps: &[Step]) -> Option<Vec<usize>> {
        let mut places = Vec::with_capacity(steps.len());
        for step in steps {
            let thread = step.choice.thread;
            let is_over = |told: &Step| told.returned.is_some() || told.fault.is_some();
            // What only reads such memory until it is over is one step, and several reads.
            let only_reads = step.accesses.is_empty() && is_over(step);
            let mut over = false;
            while !over && self.reads_beside(thread, step) {
                over = is_over(&self.step(Choice::of(thread))?);
            }
            if !(only_reads && over) {
                if over || !is_ready(self.machine, thread) {
                    return None;
                }
                let same = self.step(step.choice)?;
                over = is_over(&same);
                if !is_alike(&same, step) {
                    return None;
                }
            }
            places.push(self.schedule.0.len() - 1);
            while is_over(step) && !over {
                if !self.reads_beside(thread, step) {
                    return None;
                }
                over = is_over(&self.step(Choice::of(thread))?);
            }
            if over != is_over(step) {
                return None;
            }
        }
        Some(places)
    }

    /// Tells what threads read last that do not go on after it.
    fn end(&mut self, goes_on: &[bool]) -> Option<()> {
        for (thread, goes_on) in (0..).zip(goes_on) {
            while !goes_on && self.reads(thread).is_some() {
                self.step(Choice::of(thread))?;
            }
        }
        Some(())
    }

    /// Takes a step, unless there are too many.
    fn step(&mut self, choice: Choice) -> Option<Step> {
        if self.schedule.0.len() >= self.most {
            return None;
        }
        self.schedule.0.push(choice);
        Some(self.machine.step(choice))
    }

    /// Whether the next step of `thread` only reads such memory, and is not `step` itself.
    fn reads_beside(&mut self, thread: ThreadId, step: &Step) -> bool {
        self.reads(thread).is_some_and(|access| {
            let is_it = |own: &Access| own.site == access.site && own.location == access.location;
            !step.accesses.first().is_some_and(is_it)
        })
    }

    /// What the next step of `thread` reads, if it only reads such memory.
    fn reads(&mut self, thread: ThreadId) -> Option<Access> {
        if !is_ready(self.machine, thread) {
            return None;
        }
        let step = self.machine.peek(Choice::of(thread));
        let [access] = step.accesses.as_slice() else {
            return None;
        };
        let is_read = access.action == Action::Read && self.unwritten.contains(&access.location);
        is_read.then_some(*access)
    }
}

fn is_ready<M: Machine>(machine: &M, thread: ThreadId) -> bool {
    usize::from(thread) < machine.threads() && machine.status(thread) == Status::Ready
}

/// Whether two steps access the same memory. What additions read and wrote is not told where their order does not matter.
fn is_alike(step: &Step, other: &Step) -> bool {
    let places =
        |step: &Step| -> Vec<Location> { step.accesses.iter().map(|a| a.location).collect() };
    places(step) == places(other)
}
