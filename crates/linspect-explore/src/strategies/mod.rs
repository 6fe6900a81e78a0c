//! Who goes next: one strategy per file.
//!
//! [`exhaustive`], [`bounded`], [`states`] and [`naive`] walk the tree of schedules themselves and show every leaf to a visitor. The
//! others choose one run at a time and implement [`Strategy`]. None of them sees a specification.

pub mod bounded;
pub mod dpct;
pub mod exhaustive;
pub mod expected;
pub mod graph;
pub mod naive;
pub mod pct;
mod priorities;
pub mod random;
pub mod slices;
pub mod states;
pub mod surw;
mod wakeup;

pub use linspect_core::run::{Scene, Strategy};

use crate::trace::Trace;
use linspect_core::check::Budget;
use linspect_core::execution::{End, Ending, Execution};
use std::ops::ControlFlow;

/// The end of one run in a walk over many: what a visitor sees.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a> {
    /// The steps and their happens-before relation.
    pub trace: &'a Trace,
    /// Results of the prefix.
    pub before: &'a [Ending],
    /// Results of the suffix.
    pub after: &'a [Ending],
    /// How the run ended.
    pub end: &'a End,
    /// Roughly which part of the whole walk is done, from 0 to 1, this run included (after Knuth, "Estimating the
    /// efficiency of backtrack programs", 1975).
    pub progress: f64,
}

impl Leaf<'_> {
    /// The run as a value of its own.
    pub fn execution(&self) -> Execution {
        Execution {
            before: self.before.to_vec(),
            steps: self.trace.steps().cloned().collect(),
            after: self.after.to_vec(),
            end: self.end.clone(),
        }
    }
}

/// Looks at one run after the other; may break off the walk.
pub type Visit<'a> = dyn FnMut(&Leaf<'_>) -> ControlFlow<()> + 'a;

/// A budget that is asked once in so many questions, for to ask it takes as long as a step.
struct Seldom<'a> {
    budget: &'a dyn Budget,
    questions: u32,
}

/// Questions to a budget of which one is asked.
const BREATH: u32 = 64;

impl<'a> Seldom<'a> {
    fn new(budget: &'a dyn Budget) -> Self {
        let questions = 0;
        Self { budget, questions }
    }

    /// Whether it is used up; the first question is asked.
    fn is_exhausted(&mut self) -> bool {
        let asks = self.questions.is_multiple_of(BREATH);
        self.questions = self.questions.wrapping_add(1);
        asks && self.budget.exhausted(0).is_some()
    }
}

/// What a walk over all runs did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// Runs shown to the visitor.
    pub executions: u64,
    /// Runs given up because an equivalent one had been shown: none, unless a step had a fault.
    pub redundant: u64,
    /// Runs that were shown but count for nothing, because a thread tried in vain in them.
    pub covered: u64,
    /// Runs in which a thread reached the bound on its steps.
    pub limited: u64,
    /// The visitor stopped the walk.
    pub stopped: bool,
}
