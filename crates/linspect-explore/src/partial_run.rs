//! A run so far: the machine, its trace, and where every thread stands after each step.

use crate::prefix_cache::CachedStep;
use crate::trace::{Clock, Placement, Trace};
use linspect_core::execution::{Action, End, Ending, Location, Step};
use linspect_core::machine::{Blocked, Machine, Status};
use linspect_core::run::{Bounds, end};
use linspect_core::schedule::{Choice, ThreadId};
use smallvec::SmallVec;

/// Where a thread stands between steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Ready,
    /// At something another thread holds.
    Held(Location),
    /// At something another thread must do first.
    Waits,
    /// For the rest of the run at an attempt that was in vain.
    Parked,
    Done,
    /// At its bound.
    Limited,
}

pub(crate) type Standings = SmallVec<[Standing; 6]>;

/// A run so far.
pub(crate) struct PartialRun<'a, M> {
    pub(crate) machine: &'a mut M,
    pub(crate) trace: Trace,
    pub(crate) before: Vec<Ending>,
    bounds: Bounds,
    /// One more than the trace has steps.
    standings: Vec<Standings>,
}

/// What a step raced with when it was taken.
pub(crate) struct Taken {
    /// The events that it races with, latest first.
    pub(crate) races: SmallVec<[usize; 4]>,
    /// What happened before it whatever it did.
    pub(crate) past: Clock,
    /// Whose waiting it ended.
    pub(crate) woken: SmallVec<[ThreadId; 4]>,
}

/// Where the threads of `machine` stand, which have `taken` so many steps each.
pub(crate) fn standings<M: Machine>(
    machine: &M,
    taken: impl Fn(ThreadId) -> usize,
    bounds: Bounds,
) -> Standings {
    let standing = |thread| match machine.status(thread) {
        Status::Done => Standing::Done,
        _ if taken(thread) >= bounds.steps_per_thread as usize => Standing::Limited,
        Status::Ready => Standing::Ready,
        Status::Blocked(Blocked::Lock { location, .. } | Blocked::Wait(location)) => {
            Standing::Held(location)
        }
        Status::Blocked(
            Blocked::Join(_) | Blocked::Exit(_) | Blocked::Spin(_) | Blocked::Assumption,
        ) => Standing::Waits,
        Status::Blocked(Blocked::Parked) => Standing::Parked,
    };
    let mut standings = Standings::new();
    for thread in 0..machine.threads() as ThreadId {
        standings.push(standing(thread));
    }
    standings
}

impl<'a, M: Machine> PartialRun<'a, M> {
    /// The run that starts where `machine` stands.
    pub(crate) fn new(machine: &'a mut M, bounds: Bounds) -> Self {
        let start = standings(machine, |_| 0, bounds);
        Self::resume(machine, bounds, &start)
    }

    /// A run whose beginning is to be told by [`PartialRun::repeat`] or [`PartialRun::tell`]; the threads stand so at the start.
    pub(crate) fn resume(machine: &'a mut M, bounds: Bounds, start: &Standings) -> Self {
        Self {
            before: machine.prefix().to_vec(),
            machine,
            trace: Trace::default(),
            bounds,
            standings: {
                let mut standings = Vec::with_capacity(32);
                standings.push(SmallVec::from_slice(start));
                standings
            },
        }
    }

    /// Where the threads stand now.
    pub(crate) fn standings(&self) -> &Standings {
        self.standings.last().expect("the beginning stays")
    }

    /// Where the threads stood before step `at`.
    pub(crate) fn standings_before(&self, at: usize) -> &Standings {
        &self.standings[at]
    }

    /// The ready threads.
    pub(crate) fn ready(&self) -> impl Iterator<Item = ThreadId> + '_ {
        let standings = self.standings().iter().enumerate();
        standings
            .filter(|(_, s)| **s == Standing::Ready)
            .map(|(t, _)| t as ThreadId)
    }

    /// The ways on: every branch of every ready thread, sorted.
    pub(crate) fn choices(&self, into: &mut Vec<Choice>) {
        into.clear();
        for thread in self.ready() {
            for branch in 0..self.machine.alternatives(thread) {
                into.push(Choice { thread, branch });
            }
        }
    }

    /// Takes a step. The machine must be where the run is.
    pub(crate) fn take(&mut self, choice: Choice) -> Taken {
        let step = self.machine.step(choice);
        let taken = |thread| {
            let before = self.trace.of_thread(thread).len();
            before + usize::from(thread == choice.thread)
        };
        let standings = standings(self.machine, taken, self.bounds);
        self.tell(step, standings)
    }

    /// Tells a step that the machine has taken, after which the threads stand so. The machine stays where it is.
    pub(crate) fn tell(&mut self, step: Step, standings: Standings) -> Taken {
        let past = self.trace.past(step.choice.thread);
        let Placement { clock, races } = self.trace.place(&step, &past);
        self.trace.push(step, clock);
        self.standings.push(standings);
        let woken = self.woken();
        for &thread in &woken {
            self.trace.woke(thread);
        }
        Taken { races, past, woken }
    }

    /// Goes a way again after which the threads stand so. The machine stays where it is.
    pub(crate) fn repeat(&mut self, way: &CachedStep, standings: Standings) {
        self.trace.push(way.step.clone(), way.clock.clone());
        self.standings.push(standings);
        for &thread in &way.woken {
            self.trace.woke(thread);
        }
    }

    /// Forgets the last step. The machine stays where it is.
    pub(crate) fn untake(&mut self) {
        self.standings.pop();
        self.trace.pop();
    }

    /// Whether the last step had a fault.
    pub(crate) fn is_faulty(&self) -> bool {
        let last = self.trace.events().last();
        last.is_some_and(|event| event.step.fault.is_some())
    }

    /// Whether no step can follow the last one: it had a fault, or the process has ended.
    pub(crate) fn is_over(&self) -> bool {
        let last = self.trace.events().last();
        last.is_some_and(|event| event.step.fault.is_some() || event.step.ends_process())
    }

    /// How the run ends if nobody may go on, and the results of the suffix, which it runs.
    pub(crate) fn end(&mut self) -> (End, Vec<Ending>) {
        if self.is_faulty() {
            return (End::Fault, Vec::new());
        }
        // When the process has ended nobody stands anywhere, but somebody may have been parked until then.
        let at_end = self.standings.len() - 1 - usize::from(self.is_over());
        if self.standings[at_end].contains(&Standing::Parked) {
            return (End::Covered, Vec::new());
        }
        let standings = self.standings().iter().enumerate();
        let waiting: Vec<ThreadId> = standings
            .filter(|(_, s)| **s != Standing::Done)
            .map(|(t, _)| t as ThreadId)
            .collect();
        let limited = self.standings().contains(&Standing::Limited);
        end(self.machine, waiting, limited)
    }

    /// Whose wait the last step ended.
    fn woken(&self) -> SmallVec<[ThreadId; 4]> {
        let mut woken = SmallVec::new();
        let [.., before, now] = self.standings.as_slice() else {
            return woken;
        };
        let Some(last) = self.trace.events().last() else {
            return woken;
        };
        // The release of a lock and its taking conflict, which is order enough.
        let unlocks = |location: Location| {
            let mut accesses = last.step.accesses.iter();
            accesses.any(|a| a.action == Action::Unlock && a.location.overlaps(&location))
        };
        for (t, (was, is)) in before.iter().zip(now).enumerate() {
            let waited = match was {
                Standing::Waits => true,
                Standing::Held(location) => !unlocks(*location),
                Standing::Ready | Standing::Parked | Standing::Done | Standing::Limited => false,
            };
            if waited && was != is && *is != Standing::Parked && t as ThreadId != last.thread() {
                woken.push(t as ThreadId);
            }
        }
        woken
    }
}
