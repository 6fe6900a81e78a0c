//! The one way to run a client: a machine, somebody who chooses each step, bounds, and somebody who looks on.
//!
//! Whoever wants one run, to replay, to record, to judge or to tell it, runs it here, so that all agree on how it ended. Only walks
//! that go back to earlier states drive a machine themselves; how a run of theirs ends they ask [`end`].

use crate::consistency::Cell;
use crate::execution::{End, Ending, Execution, SiteId, Step};
use crate::machine::{Blocked, Machine, Status};
use crate::schedule::{Choice, Schedule, ThreadId};
use std::fmt;
use std::ops::ControlFlow;

/// Bounds on one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How many steps each thread may take. A bound per thread cuts whole classes, so it is safe with partial-order reduction.
    pub steps_per_thread: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            steps_per_thread: 10_000,
        }
    }
}

impl Bounds {
    /// No bounds: for a schedule, which is its own.
    pub const NONE: Self = Self {
        steps_per_thread: u32::MAX,
    };
}

/// What a strategy sees when it chooses.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The ways on, sorted; never empty.
    pub ready: &'a [Choice],
    /// How many steps there were so far.
    pub taken: usize,
    /// The last of them.
    pub last: Option<&'a Step>,
    /// Where in the source the next visible access of a live thread stands, if who runs it can say so.
    pub next_site: &'a dyn Fn(ThreadId) -> Option<SiteId>,
    /// Which memory it is to, if who runs it can say so.
    pub next_place: &'a dyn Fn(ThreadId) -> Option<Cell>,
}

impl fmt::Debug for Scene<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scene")
            .field("ready", &self.ready)
            .field("taken", &self.taken)
            .field("last", &self.last)
            .finish_non_exhaustive()
    }
}

/// Chooses one run step by step.
pub trait Strategy {
    /// One of the scene's ways on; `None` cuts the run short.
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice>;

    /// Whether it only repeats a run, so that where it stops may be a state in which the run was before.
    fn repeats(&self) -> bool {
        false
    }
}

/// Looks on while a client runs.
pub trait Observer<M: Machine> {
    /// `choice` is about to be taken.
    fn before(&mut self, _machine: &mut M, _choice: Choice) {}

    /// `step` was taken; may break off the run.
    fn after(&mut self, _machine: &mut M, _step: &Step) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Nobody looks on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl<M: Machine> Observer<M> for Nobody {}

/// Runs `machine` from where it stands, each step chosen by `strategy`, and then the client's suffix.
///
/// The run ends with [`End::Cut`] where the strategy or the observer stops it.
pub fn run<M: Machine>(
    machine: &mut M,
    strategy: &mut dyn Strategy,
    bounds: Bounds,
    observer: &mut dyn Observer<M>,
) -> Execution {
    let mut execution = Execution {
        before: machine.prefix().to_vec(),
        steps: Vec::new(),
        after: Vec::new(),
        end: End::Cut,
    };
    let mut taken = Taken {
        by_thread: Vec::new(),
        bounds,
    };
    let mut ready = Vec::new();
    let mut states = Visited {
        states: Vec::new(),
        first: 0,
    };
    loop {
        if execution.steps.last().is_some_and(|s| s.fault.is_some()) {
            execution.end = End::Fault;
            return execution;
        }
        taken.ready(machine, &mut ready);
        if ready.is_empty() {
            let (waiting, limited) = taken.waiting(machine);
            (execution.end, execution.after) = end(machine, waiting, limited);
            return execution;
        }
        let scene = Scene {
            ready: &ready,
            taken: execution.steps.len(),
            last: execution.steps.last(),
            next_site: &|thread| machine.next_site(thread),
            next_place: &|thread| machine.next_place(thread),
        };
        let Some(choice) = strategy.choose(&scene) else {
            if let Some(threads) = states.livelock(machine, &execution.steps, &ready) {
                execution.end = End::Livelock(threads);
            }
            return execution;
        };
        observer.before(machine, choice);
        let step = machine.step(choice);
        taken.count(choice.thread);
        let flow = observer.after(machine, &step);
        if strategy.repeats() {
            states.note(machine, &step, execution.steps.len());
        }
        execution.steps.push(step);
        if flow.is_break() {
            return execution;
        }
    }
}

/// How a run without fault ends in which nobody goes on and `waiting` threads are not done, some of them at their bound if it is `limited`. Runs the
/// suffix if nobody waits.
pub fn end<M: Machine>(
    machine: &mut M,
    waiting: Vec<ThreadId>,
    limited: bool,
) -> (End, Vec<Ending>) {
    let spins = |&t: &ThreadId| matches!(machine.status(t), Status::Blocked(Blocked::Spin(_)));
    let is_assumed = |&t: &ThreadId| machine.status(t) == Status::Blocked(Blocked::Assumption);
    if waiting.is_empty() {
        match machine.finish() {
            Ok(after) => (End::Complete, after),
            Err(fault) => (End::Suffix(fault), Vec::new()),
        }
    } else if limited {
        (End::StepLimit, Vec::new())
    } else if waiting.iter().any(is_assumed) {
        (End::Cut, Vec::new())
    } else if waiting.iter().all(spins) {
        (End::Livelock(waiting), Vec::new())
    } else {
        (End::Deadlock(waiting), Vec::new())
    }
}

/// The states of a run that is repeated, after each step since the last in which an operation returned.
struct Visited<S> {
    states: Vec<S>,
    /// After which step the first of them is.
    first: usize,
}

impl<S> Visited<S> {
    /// Notes the state after `step`, which is the step number `index`.
    fn note<M: Machine<Snapshot = S>>(&mut self, machine: &mut M, step: &Step, index: usize) {
        if step.returned.is_some() || self.states.is_empty() {
            self.states.clear();
            self.first = index;
        }
        self.states.push(machine.snapshot());
    }

    /// The threads that are not done, if the run has come back to a state, no operation has returned since, and whoever can go on has taken a step since:
    /// they can do the same for ever.
    fn livelock<M: Machine<Snapshot = S>>(
        &self,
        machine: &mut M,
        steps: &[Step],
        ready: &[Choice],
    ) -> Option<Vec<ThreadId>> {
        let (here, before) = self.states.split_last()?;
        let now = machine.fingerprint();
        let same = |state: &S| {
            machine.restore(state);
            machine.fingerprint() == now
        };
        let found = before.iter().rposition(same);
        machine.restore(here);
        let round = &steps[self.first + found? + 1..];
        let takes_part = |choice: &Choice| round.iter().any(|s| s.choice.thread == choice.thread);
        let threads = 0..machine.threads() as ThreadId;
        ready.iter().all(takes_part).then(|| {
            threads
                .filter(|&t| machine.status(t) != Status::Done)
                .collect()
        })
    }
}

/// How many steps each thread has taken.
struct Taken {
    by_thread: Vec<u32>,
    bounds: Bounds,
}

impl Taken {
    fn count(&mut self, thread: ThreadId) {
        let at = usize::from(thread);
        if self.by_thread.len() <= at {
            self.by_thread.resize(at + 1, 0);
        }
        self.by_thread[at] += 1;
    }

    fn is_limited(&self, thread: ThreadId) -> bool {
        let taken = self.by_thread.get(usize::from(thread)).copied();
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

/// Follows a schedule to its last choice, and no further; stops where it does not fit, because the program is another.
#[derive(Clone, Debug)]
pub struct Follow<'a> {
    schedule: &'a Schedule,
    followed: usize,
}

impl<'a> Follow<'a> {
    /// Follows `schedule`.
    pub fn new(schedule: &'a Schedule) -> Self {
        Self {
            schedule,
            followed: 0,
        }
    }

    /// How many choices of the schedule were followed.
    pub fn followed(&self) -> usize {
        self.followed
    }

    /// Whether all of them were.
    pub fn is_done(&self) -> bool {
        self.followed == self.schedule.0.len()
    }
}

impl Strategy for Follow<'_> {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        let choice = *self.schedule.0.get(self.followed)?;
        let fits = scene.ready.contains(&choice);
        self.followed += usize::from(fits);
        fits.then_some(choice)
    }

    fn repeats(&self) -> bool {
        true
    }
}

/// Goes on with the thread that ran last as long as it can, then with the first that is ready: nobody is interrupted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uninterrupted;

impl Strategy for Uninterrupted {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        let last = scene.last.map(|step| step.choice.thread);
        let same = |choice: &&Choice| Some(choice.thread) == last;
        scene
            .ready
            .iter()
            .find(same)
            .or(scene.ready.first())
            .copied()
    }
}
