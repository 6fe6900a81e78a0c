//! What the exploration of one client came to.

use super::DefectiveRun;
use super::coverage::{Coverage, Stopped};
use super::memory_use::MemoryUse;
use linspect_core::client::Client;
use linspect_core::execution::SiteId;
use std::collections::BTreeSet;

/// What the exploration of one client came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored {
    /// The client.
    pub client: Client,
    /// What was found: an error first, if there is one.
    pub found: Vec<DefectiveRun>,
    /// What was covered.
    pub coverage: Coverage,
    /// Where atomic accesses stand that are weaker than `seq_cst` or may fail without reason, of all runs.
    pub weaker: BTreeSet<SiteId>,
    /// Whether somebody slept in some run until he was woken.
    pub sleeps: bool,
    /// Whether some run counts: no assumption stopped it.
    pub counts: bool,
    /// The operations that returned in some run.
    pub returned: BTreeSet<u16>,
    /// What became of memory.
    pub memory: MemoryUse,
    /// Whether freed memory was used again.
    pub reused: bool,
    /// Whether what was found was found where freed memory is never used again, and only there.
    pub fresh: bool,
}

impl Explored {
    /// The first error.
    pub fn error(&self) -> Option<&DefectiveRun> {
        self.found.iter().find(|f| f.kind.is_error())
    }

    /// The same client, explored in two ways, the second one where freed memory is never used again. What memory does after it was used again
    /// is a consequence, so a use after free that shows there comes first.
    pub(super) fn and_fresh(mut self, second: Self) -> Self {
        self.fresh = match (self.error(), second.error()) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(_), Some(error)) => error.kind.is_use_of_freed_memory(),
        };
        if self.fresh {
            self.found = second.found;
        }
        self.weaker.extend(second.weaker);
        self.sleeps |= second.sleeps;
        self.counts |= second.counts;
        self.returned.extend(second.returned);
        self.memory.extend(second.memory);
        self.coverage = self.coverage.and(second.coverage);
        self
    }

    /// Whether the search has what it looked for, or may not go on.
    pub(super) fn ends_search(&self) -> bool {
        self.error().is_some() || self.is_out_of_budget()
    }

    /// Whether the budget, or its share of that, ended before it was done, or the rest was put off.
    pub(super) fn is_cut_short(&self) -> bool {
        let cut = matches!(
            self.coverage,
            Coverage::Unknown {
                reason: Stopped::Share | Stopped::PutOff,
                ..
            }
        );
        cut || self.is_out_of_budget()
    }

    /// Whether the budget ended before it was done.
    pub(super) fn is_out_of_budget(&self) -> bool {
        matches!(
            self.coverage,
            Coverage::Unknown {
                reason: Stopped::Limit(_),
                ..
            }
        )
    }
}
