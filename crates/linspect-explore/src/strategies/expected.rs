//! How long a run is expected to be: what PCT is told, and where D-PCT begins.

use super::Scene;
use crate::monitor::{Until, monitor_run};
use linspect_core::consistency::{Cell, cell};
use linspect_core::execution::{Access, Action, Step};
use linspect_core::machine::Machine;
use linspect_core::property::FaultFree;
use linspect_core::run::{Bounds, Uninterrupted};
use linspect_core::schedule::ThreadId;
use std::collections::BTreeSet;

/// Per thread, the number of visible steps expected of each of its operations, in order. What a thread does outside its operations, as all that a thread of a
/// plain program does, counts as one more.
pub type Lengths = Vec<Vec<u32>>;

/// How many steps a client takes when no thread is interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Of each operation.
    pub lengths: Lengths,
    /// All together.
    pub steps: u64,
    /// Of the longest thread.
    pub longest: u32,
    /// Whose steps are nobody's business.
    pub parents: Parents,
}

/// Threads that start and join others and do nothing beside them but count owners and use memory that those do not, as `main` of most tests does. Nothing that others do depends on
/// when they do it, as long as it is soon.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parents {
    threads: BTreeSet<ThreadId>,
    /// What they use.
    places: BTreeSet<Cell>,
    /// How many steps they take.
    steps: u64,
}

impl Parents {
    /// Those of a run in which one thread runs after the other.
    fn of(steps: &[Step], threads: usize) -> Self {
        let mut parents = Self::default();
        for thread in 0..threads as ThreadId {
            let own = steps.iter().enumerate();
            let own = own.filter(|(_, step)| step.choice.thread == thread);
            let starts = |step: &Step| step.accesses.iter().any(|a| a.action == Action::Spawn);
            if !own.clone().any(|(_, step)| starts(step)) {
                continue;
            }
            let mut places = BTreeSet::new();
            let helps = own.clone().all(|(at, step)| {
                let is_joined = |other: &Step| {
                    let mut before = own.clone().take_while(|(i, _)| *i < at);
                    before.any(|(_, s)| s.other == Some(other.choice.thread) && !starts(s))
                };
                // What others do that may come before or after it.
                let mut others = steps
                    .iter()
                    .filter(|s| s.choice.thread != thread && !is_joined(s));
                let mut places_of = used(step).filter(|a| a.action != Action::Tally);
                places.extend(used(step).map(|access| cell(access.location)));
                match step.returned {
                    Some(_) => others.next().is_none(),
                    None => places_of.all(|access| {
                        let is_it = |a: &Access| cell(a.location) == cell(access.location);
                        !others.clone().any(|other| used(other).any(is_it))
                    }),
                }
            });
            if helps {
                parents.steps += own.count() as u64;
                parents.threads.insert(thread);
                parents.places.extend(places);
            }
        }
        parents
    }

    /// How many threads they are.
    pub fn len(&self) -> usize {
        self.threads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.threads.is_empty()
    }

    /// A parent that can go on, and does what parents do.
    pub(super) fn ready(&self, scene: &Scene<'_>) -> Option<ThreadId> {
        let mut ready = scene.ready.iter().map(|choice| choice.thread);
        ready.find(|thread| {
            let helps = || (scene.next_place)(*thread).is_none_or(|at| self.places.contains(&at));
            self.threads.contains(thread) && helps()
        })
    }
}

impl Expected {
    /// How many steps there are of threads that are no parents.
    pub fn steps_that_matter(&self) -> u64 {
        self.steps - self.parents.steps
    }

    /// How many threads there are that are no parents.
    pub fn threads_that_matter(&self) -> usize {
        self.lengths.len() - self.parents.len()
    }

    /// Runs `machine` from where it stands, one thread after the other.
    pub fn measure<M: Machine>(machine: &mut M, bounds: Bounds) -> Self {
        let run = monitor_run(
            machine,
            &mut Uninterrupted,
            &mut FaultFree,
            bounds,
            Until::End,
        )
        .execution;
        let mut lengths: Lengths = vec![Vec::new(); machine.threads()];
        let mut taken = vec![0; machine.threads()];
        let mut all = vec![0; machine.threads()];
        for step in &run.steps {
            let thread = usize::from(step.choice.thread);
            taken[thread] += 1;
            all[thread] += 1;
            if step.returned.is_some() {
                lengths[thread].push(std::mem::take(&mut taken[thread]));
            }
        }
        for (lengths, taken) in lengths.iter_mut().zip(taken) {
            if taken > 0 {
                // Nothing tells where it ends, so that is always one step away.
                lengths.push(taken + 1);
            }
        }
        Self {
            parents: Parents::of(&run.steps, machine.threads()),
            lengths,
            steps: run.steps.len() as u64,
            longest: all.into_iter().max().unwrap_or(0),
        }
    }
}

/// The accesses of a step to memory.
fn used(step: &Step) -> impl Iterator<Item = &Access> {
    let accesses = step.accesses.iter();
    accesses.filter(|access| access.action.touches_memory())
}
