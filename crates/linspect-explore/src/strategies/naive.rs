//! Every schedule, one by one: the oracle that the reductions are compared with.

use super::{Leaf, Visit, Walk};
use crate::course::{Bounds, Course};
use crate::tight::Tight;
use linspect_core::execution::End;
use linspect_core::machine::Machine;
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;

/// How to walk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Bounds on each run.
    pub bounds: Bounds,
    /// Cut a run where another with the same tight history so far reached the same state: shows every tight history, but not every
    /// schedule. Sound only because nothing here depends on backtracking sets.
    pub cache: bool,
}

/// Shows every schedule of `machine` to `visit`, until that breaks.
pub fn naive<M: Machine>(machine: &mut M, options: Options, visit: &mut Visit<'_>) -> Walk {
    let mut walker = Walker {
        course: Course::new(machine, options.bounds),
        seen: options.cache.then(FxHashSet::default),
        walk: Walk::default(),
    };
    walker.walk.stopped = walker.descend(0.0, 1.0, visit).is_break();
    walker.walk
}

struct Walker<'a, M: Machine> {
    course: Course<'a, M>,
    seen: Option<FxHashSet<(u128, Tight)>>,
    walk: Walk,
}

impl<M: Machine> Walker<'_, M> {
    /// Walks everything from here, which is `share` of the whole walk after `done`.
    fn descend(&mut self, done: f64, share: f64, visit: &mut Visit<'_>) -> ControlFlow<()> {
        if let Some(seen) = &mut self.seen {
            let key = (
                self.course.machine.fingerprint(),
                Tight::of(&self.course.trace),
            );
            if !seen.insert(key) {
                self.walk.redundant += 1;
                return ControlFlow::Continue(());
            }
        }
        let mut choices = Vec::new();
        if !self.course.is_faulty() {
            self.course.choices(&mut choices);
        }
        if choices.is_empty() {
            return self.show(done + share, visit);
        }
        let here = self.course.machine.snapshot();
        let share = share / choices.len() as f64;
        for (i, choice) in choices.into_iter().enumerate() {
            self.course.take(choice);
            self.descend(done + share * i as f64, share, visit)?;
            self.course.untake();
            self.course.machine.restore(&here);
        }
        ControlFlow::Continue(())
    }

    fn show(&mut self, progress: f64, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let (end, after) = self.course.end();
        self.walk.executions += 1;
        self.walk.limited += u64::from(end == End::StepLimit);
        visit(&Leaf {
            trace: &self.course.trace,
            before: &self.course.before,
            after: &after,
            end: &end,
            progress,
        })
    }
}
