//! Runs a client to its end under a strategy that chooses each step.

use crate::partial_run::PartialRun;
use crate::strategies::{Leaf, Scene, Strategy};
use crate::trace::Trace;
use linspect_core::execution::{End, Ending, Execution};
use linspect_core::machine::Machine;
use linspect_core::run::Bounds;
use linspect_core::schedule::Schedule;

/// A finished run with its happens-before relation.
#[derive(Clone, Debug)]
pub struct Run {
    /// The steps.
    pub trace: Trace,
    /// Results of the prefix.
    pub before: Vec<Ending>,
    /// Results of the suffix.
    pub after: Vec<Ending>,
    /// How it ended.
    pub end: End,
}

impl Run {
    /// The run as one of a walk that has only this one.
    pub fn leaf(&self) -> Leaf<'_> {
        Leaf {
            trace: &self.trace,
            before: &self.before,
            after: &self.after,
            end: &self.end,
            progress: 1.0,
        }
    }

    /// The run as an execution.
    pub fn execution(&self) -> Execution {
        self.leaf().execution()
    }
}

/// Runs `machine` from where it stands to the end, each step chosen by `strategy`.
pub fn run<M: Machine>(machine: &mut M, strategy: &mut dyn Strategy, bounds: Bounds) -> Run {
    let mut course = PartialRun::new(machine, bounds);
    let mut ready = Vec::new();
    let mut cut = false;
    while !course.is_faulty() {
        course.choices(&mut ready);
        if ready.is_empty() {
            break;
        }
        let scene = Scene {
            ready: &ready,
            taken: course.trace.events().len(),
            last: course.trace.events().last().map(|event| &event.step),
            next_site: &|thread| course.machine.next_site(thread),
            next_place: &|thread| course.machine.next_place(thread),
        };
        let Some(choice) = strategy.choose(&scene) else {
            cut = true;
            break;
        };
        course.take(choice);
    }
    let (end, after) = if cut {
        (End::Cut, Vec::new())
    } else {
        course.end()
    };
    Run {
        trace: course.trace,
        before: course.before,
        after,
        end,
    }
}

/// The schedule of an execution.
pub fn schedule(execution: &Execution) -> Schedule {
    Schedule(execution.steps.iter().map(|step| step.choice).collect())
}
