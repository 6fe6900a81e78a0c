//! What became of memory in the runs of a search: whether operations gave it back at all.

use crate::strategies::Leaf;
use linspect_core::execution::Action;
use serde::{Deserialize, Serialize};

/// What became of memory in some runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryUse {
    /// Whether a thread let others reach memory that it had allocated.
    pub shared: bool,
    /// Whether a thread freed memory that others could have reached.
    pub freed: bool,
}

impl MemoryUse {
    /// Takes in what became of memory in one run.
    pub(super) fn note(&mut self, leaf: &Leaf<'_>) {
        let steps = leaf.trace.steps();
        self.shared = self.shared || steps.clone().any(|step| !step.aside.published.is_empty());
        let mut accesses = steps.flat_map(|step| &step.accesses);
        self.freed = self.freed || accesses.any(|access| access.action == Action::Free);
    }

    /// Takes in what became of memory in other runs.
    pub(super) fn extend(&mut self, other: Self) {
        self.shared |= other.shared;
        self.freed |= other.freed;
    }
}
