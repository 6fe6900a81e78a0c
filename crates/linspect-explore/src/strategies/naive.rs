//! Every schedule, one by one: the oracle that the reductions are compared with.

use super::{Leaf, Visit, Walk};
use crate::partial_run::PartialRun;
use crate::tight::Tight;
use linspect_core::digest::digest;
use linspect_core::execution::End;
use linspect_core::machine::Machine;
use linspect_core::run::Bounds;
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;

/// How to walk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Bounds on each run.
    pub bounds: Bounds,
    /// What may be left out.
    pub cache: Cache,
}

/// Where a run is cut because another reached the same point. Sound because nothing here depends on backtracking sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cache {
    /// Nowhere: every schedule is shown.
    #[default]
    Off,
    /// Same state and same tight history so far: every tight history is shown.
    Histories,
    /// Equivalent so far: every class is shown, once.
    Classes,
}

/// Shows every schedule of `machine` to `visit`, until that breaks.
pub fn naive<M: Machine>(machine: &mut M, options: Options, visit: &mut Visit<'_>) -> Walk {
    let mut walker = Walker {
        course: PartialRun::new(machine, options.bounds),
        cache: options.cache,
        seen: FxHashSet::default(),
        walk: Walk::default(),
    };
    walker.walk.stopped = walker.descend(0.0, 1.0, visit).is_break();
    walker.walk
}

struct Walker<'a, M: Machine> {
    course: PartialRun<'a, M>,
    cache: Cache,
    seen: FxHashSet<u128>,
    walk: Walk,
}

impl<M: Machine> Walker<'_, M> {
    /// Walks everything from here, which is `share` of the whole walk after `done`.
    fn descend(&mut self, done: f64, share: f64, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let key = match self.cache {
            Cache::Off => None,
            Cache::Histories => {
                let state = self.course.machine.fingerprint();
                Some(digest(&(state, Tight::of(&self.course.trace))))
            }
            Cache::Classes => Some(self.course.trace.signature()),
        };
        if key.is_some_and(|key| !self.seen.insert(key)) {
            self.walk.redundant += 1;
            return ControlFlow::Continue(());
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
