//! Runs a client and judges it while it happens, for runs of thousands of operations: no happens-before relation is kept.
//!
//! The property is a just-in-time checker, so the run is lost at the first return that nothing explains: the steps up to there are the
//! shortest bad prefix of the run.

use crate::course::{self, Bounds};
use crate::strategies::{Scene, Strategy};
use linspect_core::execution::{End, Execution};
use linspect_core::machine::{Machine, Status};
use linspect_core::property::Property;
use linspect_core::schedule::{Choice, ThreadId};

/// A run and what became of it.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The run.
    pub execution: Execution,
    /// Whether it is good.
    pub good: bool,
    /// How many steps it took to be bad however it went on, if that happened before its end.
    pub lost: Option<usize>,
}

/// How far to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// To the end.
    End,
    /// Until nothing that follows can make the run good; its end is then [`End::Cut`].
    Lost,
}

/// Runs `machine` from where it stands, each step chosen by `strategy`.
pub fn watch<M: Machine, P: Property>(
    machine: &mut M,
    strategy: &mut dyn Strategy,
    property: &mut P,
    bounds: Bounds,
    until: Until,
) -> Watched {
    let mut execution = Execution {
        before: machine.prefix().to_vec(),
        steps: Vec::new(),
        after: Vec::new(),
        end: End::Cut,
    };
    let mut watch = property.start(&execution.before);
    let mut lost = property.is_lost(&watch).then_some(0);
    let mut threads = Threads::new(bounds);
    let mut ready = Vec::new();
    loop {
        if lost.is_some() && until == Until::Lost {
            break;
        }
        if execution.steps.last().is_some_and(|s| s.fault.is_some()) {
            execution.end = End::Fault;
            break;
        }
        threads.ready(machine, &mut ready);
        if ready.is_empty() {
            let (waiting, limited) = threads.waiting(machine);
            (execution.end, execution.after) = course::end(machine, waiting, limited);
            break;
        }
        let scene = Scene {
            ready: &ready,
            taken: execution.steps.len(),
            last: execution.steps.last(),
            next_site: &|thread| machine.next_site(thread),
        };
        let Some(choice) = strategy.choose(&scene) else {
            break;
        };
        let step = machine.step(choice);
        threads.count(choice.thread);
        if lost.is_none() {
            property.observe(&mut watch, &step);
            lost = property
                .is_lost(&watch)
                .then_some(execution.steps.len() + 1);
        }
        execution.steps.push(step);
    }
    let good = lost.is_none() && property.holds(&watch, &execution.end, &execution.after);
    Watched {
        execution,
        good,
        lost,
    }
}

/// How many steps each thread has taken.
struct Threads {
    taken: Vec<u32>,
    bounds: Bounds,
}

impl Threads {
    fn new(bounds: Bounds) -> Self {
        Self {
            taken: Vec::new(),
            bounds,
        }
    }

    fn count(&mut self, thread: ThreadId) {
        let at = usize::from(thread);
        if self.taken.len() <= at {
            self.taken.resize(at + 1, 0);
        }
        self.taken[at] += 1;
    }

    fn is_limited(&self, thread: ThreadId) -> bool {
        let taken = self.taken.get(usize::from(thread)).copied();
        taken.unwrap_or(0) >= self.bounds.steps_per_thread
    }

    /// The ways on, sorted.
    fn ready<M: Machine>(&self, machine: &M, into: &mut Vec<Choice>) {
        into.clear();
        for thread in 0..machine.threads() as ThreadId {
            if !self.is_limited(thread) && machine.status(thread) == Status::Ready {
                let branches = machine.alternatives(thread);
                into.extend((0..branches).map(|branch| Choice { thread, branch }));
            }
        }
    }

    /// The threads that are not done, and whether one of them is at its bound.
    fn waiting<M: Machine>(&self, machine: &M) -> (Vec<ThreadId>, bool) {
        let waiting: Vec<ThreadId> = (0..machine.threads() as ThreadId)
            .filter(|&thread| machine.status(thread) != Status::Done)
            .collect();
        let limited = waiting.iter().any(|&thread| self.is_limited(thread));
        (waiting, limited)
    }
}
