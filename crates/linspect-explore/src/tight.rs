//! A tight history as a value to compare: what each operation returned and what had returned before it was called.

use crate::trace::Trace;
use linspect_core::execution::{Activation, Ending, Step};
use std::collections::{BTreeMap, BTreeSet};

/// What operations returned, if they did.
pub type Outcomes = Vec<(Activation, Option<String>)>;

/// Per operation, what had returned when it was called.
pub type ReturnedBefore = BTreeMap<Activation, BTreeSet<Activation>>;

/// The tight history of a run, up to renaming of times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tight {
    operations: BTreeMap<Activation, Seen>,
    returned: Vec<Activation>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Seen {
    /// What had returned when it was called, sorted.
    before: Vec<Activation>,
    outcome: Option<String>,
}

impl Tight {
    /// The tight history of a trace.
    pub fn of(trace: &Trace) -> Self {
        Self::of_steps(trace.steps())
    }

    /// The tight history of these steps in this order.
    pub fn of_steps<'a>(steps: impl IntoIterator<Item = &'a Step>) -> Self {
        let mut tight = Self::default();
        for step in steps {
            tight.push(step);
        }
        tight
    }

    /// What each operation returned, and what had returned when each was called.
    pub fn parts(&self) -> (Outcomes, ReturnedBefore) {
        let operations = self.operations.iter();
        let outcomes = operations
            .clone()
            .map(|(a, seen)| (*a, seen.outcome.clone()));
        let before = operations.map(|(a, seen)| (*a, seen.before.iter().copied().collect()));
        (outcomes.collect(), before.collect())
    }

    /// Goes on with `step`.
    pub fn push(&mut self, step: &Step) {
        if let Some(called) = step.called {
            self.call(called);
        }
        if let Some((returned, ending)) = &step.returned {
            self.ret(*returned, ending);
        }
    }

    fn call(&mut self, operation: Activation) {
        let seen = Seen {
            before: self.returned.clone(),
            outcome: None,
        };
        self.operations.insert(operation, seen);
    }

    fn ret(&mut self, operation: Activation, ending: &Ending) {
        if let Some(seen) = self.operations.get_mut(&operation) {
            seen.outcome = Some(format!("{ending:?}"));
        }
        let at = self.returned.partition_point(|r| *r < operation);
        self.returned.insert(at, operation);
    }
}
