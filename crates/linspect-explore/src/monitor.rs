//! Runs a client and judges it while it happens, for runs of thousands of operations: no happens-before relation is kept.
//!
//! The property is a just-in-time checker, so the run is lost at the first return that nothing explains: the steps up to there are the
//! shortest bad prefix of the run.

use linspect_core::execution::{Execution, Step};
use linspect_core::machine::Machine;
use linspect_core::property::Property;
use linspect_core::run::{Bounds, Observer, Scene, Strategy, run};
use linspect_core::schedule::Choice;
use std::ops::ControlFlow;

/// A run and what became of it.
#[derive(Clone, Debug)]
pub struct MonitoredRun {
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
    /// Until nothing that follows can make the run good; its end is then [`linspect_core::execution::End::Cut`].
    Lost,
}

/// Runs `machine` from where it stands, each step chosen by `strategy`.
pub fn monitor_run<M: Machine, P: Property>(
    machine: &mut M,
    strategy: &mut dyn Strategy,
    property: &mut P,
    bounds: Bounds,
    until: Until,
) -> MonitoredRun {
    let watch = property.start(machine.prefix());
    let mut judge = Judge {
        lost: property.is_lost(&watch).then_some(0),
        watch,
        property,
        taken: 0,
        until,
    };
    let execution = if judge.is_decided() {
        run(machine, &mut Nothing, bounds, &mut judge)
    } else {
        run(machine, strategy, bounds, &mut judge)
    };
    let Judge {
        property,
        watch,
        lost,
        ..
    } = judge;
    let good = lost.is_none() && property.holds(&watch, &execution.end, &execution.after);
    MonitoredRun {
        execution,
        good,
        lost,
    }
}

/// Judges each step as it is taken.
struct Judge<'a, P: Property> {
    property: &'a mut P,
    watch: P::Watch,
    taken: usize,
    lost: Option<usize>,
    until: Until,
}

impl<P: Property> Judge<'_, P> {
    fn is_decided(&self) -> bool {
        self.lost.is_some() && self.until == Until::Lost
    }
}

impl<P: Property, M: Machine> Observer<M> for Judge<'_, P> {
    fn after(&mut self, _machine: &mut M, step: &Step) -> ControlFlow<()> {
        self.taken += 1;
        if self.lost.is_none() {
            self.property.observe(&mut self.watch, step);
            self.lost = self.property.is_lost(&self.watch).then_some(self.taken);
        }
        if self.is_decided() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Takes no step.
struct Nothing;

impl Strategy for Nothing {
    fn choose(&mut self, _scene: &Scene<'_>) -> Option<Choice> {
        None
    }
}
