//! What was found out about a program, and what its runs had in them.

use super::progress::KnownProgress;
use super::relaxation::SmallestK;
use crate::finding::regression::Regression;
use crate::shard::ListedClient;
use linspect_core::client::{Client, Declared};
use linspect_report::finding::Finding;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What runs have that is explored in another way, too.
#[derive(Clone, Copy, Default)]
pub(super) struct SeenInRuns {
    /// Whether some run had an atomic access weaker than `seq_cst`.
    pub(super) weaker: bool,
    /// Whether accesses raced in some run, allowed or not.
    pub(super) raced: bool,
    /// Whether somebody slept in some run until he was woken.
    pub(super) sleeps: bool,
}

impl SeenInRuns {
    /// Whether there is more to explore.
    pub(super) fn is_more(self) -> bool {
        self.weaker || self.sleeps
    }
}

/// What was found out.
pub struct Investigated {
    /// The finding.
    pub finding: Finding,
    /// How relaxed the object is, if that was asked.
    pub smallest_k: Option<SmallestK>,
    /// Which orderings could be weaker, in words, if that was asked and nothing is wrong.
    pub orderings: Option<String>,
    /// How long it took.
    pub elapsed: Duration,
    /// How much of that it took to find something, or nothing.
    pub searched: Duration,
    /// What else there is to say: findings beside the verdict.
    pub notes: Vec<String>,
    /// What is known of progress, if it was promised and looked at.
    pub(super) progress: Option<KnownProgress>,
    /// What runs had that is explored in another way, too.
    pub(super) seen: SeenInRuns,
    /// The smallest test of an object, and the operations that it calls.
    pub(super) test: Option<(Client, Vec<Declared>)>,
    /// The graph of all interleavings of the smallest test, if that was asked for and there is one.
    pub tree: Option<String>,
    /// The clients that there are, if that was asked.
    pub(super) listed: Vec<ListedClient>,
    /// Whether something is wrong with one of the clients of a part.
    pub(super) wrong: bool,
}

/// How a note begins that says why there is no explanation.
pub(crate) const UNEXPLAINED: &str = "note: no explanation: ";

impl Investigated {
    /// What else there is to say; why something could not be explained only to those who ask for `all`.
    pub fn notes(&self, all: bool) -> impl Iterator<Item = &String> {
        let told = move |note: &&String| all || !note.starts_with(UNEXPLAINED);
        self.notes.iter().filter(told)
    }

    /// What there is to say of a run that was given: nothing was searched for.
    pub(super) fn of_one_run(finding: Finding, notes: Vec<String>, start: Instant) -> Self {
        Self {
            finding,
            smallest_k: None,
            orderings: None,
            elapsed: start.elapsed(),
            searched: Duration::ZERO,
            notes,
            progress: None,
            seen: SeenInRuns::default(),
            test: None,
            tree: None,
            listed: Vec::new(),
            wrong: false,
        }
    }

    /// The smallest test as the text of a source file that stands in `folder` and includes the harness, the first of `sources`; nothing if nothing is
    /// wrong, or if it needs no harness.
    pub fn regression(&self, sources: &[PathBuf], folder: &Path) -> Option<String> {
        let (client, declared) = self.test.as_ref()?;
        Regression::new(sources, client, declared)?.text(&self.finding, folder)
    }
}
