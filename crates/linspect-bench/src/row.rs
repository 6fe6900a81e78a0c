//! One row of a table.

use std::time::Duration;

/// A row: what a paper says, what was found here, and whether that is at least as good.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The row of the paper.
    pub(crate) name: String,
    /// The object of the zoo.
    pub(crate) object: String,
    /// Their figure.
    pub(crate) theirs: String,
    /// Ours.
    pub(crate) ours: String,
    /// Whether ours is as it should be.
    pub(crate) reached: bool,
    /// How long it took, loading not counted.
    pub(crate) time: Duration,
}

impl Row {
    /// The row with a bar on its time, where times mean something: not in a build for debugging.
    pub(crate) fn within(mut self, bar: Duration) -> Self {
        self.reached &= cfg!(debug_assertions) || self.time <= bar;
        self
    }

    /// As lines of text.
    pub(crate) fn text(&self) -> String {
        let mark = if self.reached { "✓" } else { "✗" };
        let time = self.time.as_secs_f64() * 1000.0;
        let mut text = format!(
            "  {mark} {:<44} {:<30} {time:>7.0} ms  theirs: {}\n",
            self.name, self.object, self.theirs
        );
        text.push_str(&format!("      ours: {}\n", self.ours));
        text
    }

    /// As a line of JSON.
    pub(crate) fn json(&self) -> String {
        let row = serde_json::json!({
            "row": self.name,
            "object": self.object,
            "theirs": self.theirs,
            "ours": self.ours,
            "reached": self.reached,
        });
        format!("{row}\n")
    }
}
