//! All schedules with few preemptions (Musuvathi and Qadeer: "Iterative Context Bounding for Systematic Testing of
//! Multithreaded Programs", PLDI 2007).
//!
//! A preemption is a switch away from a thread that could go on. A bound on preemptions is not safe together with
//! partial-order reduction, so this is a search of its own, with state caching instead.

use super::{Leaf, Visit, Walk};
use crate::course::Course;
use crate::digest::digest;
use crate::tight::Tight;
use linspect_core::check::Budget;
use linspect_core::execution::End;
use linspect_core::machine::Machine;
use linspect_core::run::Bounds;
use linspect_core::schedule::ThreadId;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

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
        course: Course::new(machine, bounds),
        preemptions,
        budget,
        seen: FxHashMap::default(),
        walk: Walk::default(),
        done: 0.0,
    };
    walker.walk.stopped = walker.descend(None, 0, 1.0, visit).is_break();
    walker.walk
}

struct Walker<'a, M: Machine> {
    course: Course<'a, M>,
    preemptions: u32,
    budget: &'a dyn Budget,
    /// State, tight history and running thread, with the fewest preemptions they were reached with.
    seen: FxHashMap<u128, u32>,
    walk: Walk,
    done: f64,
}

impl<M: Machine> Walker<'_, M> {
    /// Walks everything from here, which is `share` of the whole walk.
    fn descend(
        &mut self,
        running: Option<ThreadId>,
        used: u32,
        share: f64,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        if self.budget.exhausted(0).is_some() {
            return ControlFlow::Break(());
        }
        if !self.is_new(running, used) {
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
            return self.show(used, visit);
        }
        let could_go_on = choices.iter().any(|choice| Some(choice.thread) == running);
        choices.retain(|choice| {
            let free = !could_go_on || Some(choice.thread) == running;
            free || used < self.preemptions
        });
        let here = self.course.machine.snapshot();
        let share = share / choices.len() as f64;
        for choice in choices {
            let preempts = could_go_on && Some(choice.thread) != running;
            self.course.take(choice);
            let used = used + u32::from(preempts);
            self.descend(Some(choice.thread), used, share, visit)?;
            self.course.untake();
            self.course.machine.restore(&here);
        }
        ControlFlow::Continue(())
    }

    fn is_new(&mut self, running: Option<ThreadId>, used: u32) -> bool {
        let state = self.course.machine.fingerprint();
        let key = digest(&(state, running, Tight::of(&self.course.trace)));
        match self.seen.get_mut(&key) {
            Some(least) if *least <= used => false,
            Some(least) => {
                *least = used;
                true
            }
            None => {
                self.seen.insert(key, used);
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
