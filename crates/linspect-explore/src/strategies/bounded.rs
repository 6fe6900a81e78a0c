//! All schedules with few preemptions (Musuvathi and Qadeer: "Iterative Context Bounding for Systematic Testing of
//! Multithreaded Programs", PLDI 2007).
//!
//! A preemption is a switch away from a thread that could go on. A bound on preemptions is not safe together with
//! partial-order reduction, so this is a search of its own, with state caching instead.

use super::{Leaf, Seldom, Visit, Walk};
use crate::partial_run::PartialRun;
use crate::tight::Tight;
use linspect_core::check::Budget;
use linspect_core::digest::digest;
use linspect_core::execution::End;
use linspect_core::machine::Machine;
use linspect_core::run::Bounds;
use linspect_core::schedule::{Choice, ThreadId};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

/// Shows to `visit` schedules with exactly `preemptions` preemptions, at least one for each tight history that needs so many, until `visit` breaks or the
/// budget is exhausted.
pub fn bounded<M: Machine>(
    machine: &mut M,
    bounds: Bounds,
    preemptions: u32,
    budget: &dyn Budget,
    visit: &mut Visit<'_>,
) -> Walk {
    let mut walker = Walker {
        course: PartialRun::new(machine, bounds),
        preemptions,
        budget: Seldom::new(budget),
        seen: FxHashMap::default(),
        walk: Walk::default(),
        done: 0.0,
        forks: Vec::new(),
    };
    walker.walk.stopped = walker.walk(visit).is_break();
    walker.walk
}

struct Walker<'a, M: Machine> {
    course: PartialRun<'a, M>,
    preemptions: u32,
    budget: Seldom<'a>,
    /// State, tight history and running thread, with the fewest preemptions they were reached with.
    seen: FxHashMap<u128, u32>,
    walk: Walk,
    done: f64,
    /// Where the run so far went on, the latest last: a run may be longer than a native stack is deep.
    forks: Vec<Fork<M::Snapshot>>,
}

/// A state of the present run from which ways are left.
struct Fork<S> {
    here: S,
    /// The ways that were not gone yet.
    left: std::vec::IntoIter<Choice>,
    at: Reached,
    /// The part of the whole walk behind each of its ways.
    share: f64,
    /// Whether the thread that ran could go on.
    could_go_on: bool,
}

/// How far a run has come, beside the state of the machine.
#[derive(Clone)]
struct Reached {
    running: Option<ThreadId>,
    /// Preemptions so far.
    used: u32,
    tight: Rc<Tight>,
}

impl<M: Machine> Walker<'_, M> {
    /// Walks everything from where the machine stands.
    fn walk(&mut self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let start = Reached {
            running: None,
            used: 0,
            tight: Rc::default(),
        };
        self.enter(start, 1.0, visit)?;
        while let depth @ 1.. = self.forks.len() {
            // There is a fork before each step that was taken; what comes after the last fork is undone.
            while self.course.trace.events().len() >= depth {
                self.course.untake();
            }
            let fork = &mut self.forks[depth - 1];
            let Some(choice) = fork.left.next() else {
                self.forks.pop();
                continue;
            };
            self.course.machine.restore(&fork.here);
            let preempts = fork.could_go_on && Some(choice.thread) != fork.at.running;
            let used = fork.at.used + u32::from(preempts);
            let (mut tight, share) = (Rc::clone(&fork.at.tight), fork.share);
            self.course.take(choice);
            let step = self.course.trace.events().last().expect("just taken");
            if step.step.called.is_some() || step.step.returned.is_some() {
                Rc::make_mut(&mut tight).push(&step.step);
            }
            let running = Some(choice.thread);
            let at = Reached {
                running,
                used,
                tight,
            };
            self.enter(at, share, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Looks at the state that was just reached, which is `share` of the whole walk: shows it if the run ends there, and
    /// notes the ways on if it is new.
    fn enter(&mut self, at: Reached, share: f64, visit: &mut Visit<'_>) -> ControlFlow<()> {
        if self.budget.is_exhausted() {
            return ControlFlow::Break(());
        }
        if !self.is_new(&at) {
            self.walk.redundant += 1;
            self.done += share;
            return ControlFlow::Continue(());
        }
        let mut choices = Vec::new();
        if !self.course.is_faulty() {
            self.course.choices(&mut choices);
        }
        if choices.is_empty() {
            self.done += share;
            return self.show(at.used, visit);
        }
        let could_go_on = choices.iter().any(|c| Some(c.thread) == at.running);
        choices.retain(|choice| {
            let free = !could_go_on || Some(choice.thread) == at.running;
            free || at.used < self.preemptions
        });
        self.forks.push(Fork {
            here: self.course.machine.snapshot(),
            share: share / choices.len() as f64,
            left: choices.into_iter(),
            at,
            could_go_on,
        });
        ControlFlow::Continue(())
    }

    fn is_new(&mut self, at: &Reached) -> bool {
        let state = self.course.machine.fingerprint();
        let key = digest(&(state, at.running, &*at.tight));
        match self.seen.get_mut(&key) {
            Some(least) if *least <= at.used => false,
            Some(least) => {
                *least = at.used;
                true
            }
            None => {
                self.seen.insert(key, at.used);
                true
            }
        }
    }

    fn show(&mut self, used: u32, visit: &mut Visit<'_>) -> ControlFlow<()> {
        if used < self.preemptions {
            return ControlFlow::Continue(());
        }
        let (end, after) = self.course.end();
        self.walk.executions += 1;
        self.walk.limited += u64::from(end == End::StepLimit);
        visit(&Leaf {
            trace: &self.course.trace,
            before: &self.course.before,
            after: &after,
            end: &end,
            progress: self.done,
        })
    }
}
