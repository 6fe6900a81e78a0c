//! One row of a table.

use std::time::Duration;

/// A row: what a paper says, what was found here, and whether that is at least as good.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The row of the paper.
    pub(super) name: String,
    /// The object of the zoo.
    pub(super) object: String,
    /// Their figure.
    pub(super) theirs: String,
    /// Ours.
    pub(super) ours: String,
    /// Whether ours is as it should be.
    pub(super) reached: bool,
    /// How long it took, loading not counted.
    pub(super) time: Duration,
}

impl Row {
    /// The row with a bar on its time, where times mean something: not in a build for debugging.
    pub(super) fn within(mut self, bar: Duration) -> Self {
        self.reached &= cfg!(debug_assertions) || self.time <= bar;
        self
    }
}
