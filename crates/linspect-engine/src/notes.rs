//! What there is to say beside a verdict: races that are only noted, and what a test that holds says nothing about.

use crate::finding::data_race::Raced;
use crate::internal;
use crate::investigate::Investigation;
use linspect_core::machine::Subject;
use linspect_explore::search::{Covered, Kept};
use std::collections::BTreeSet;

impl Investigation<'_> {
    /// Which operations of the clients that were run to their end never returned: that they hold says nothing of what they do.
    fn never_returned(&self, kept: &Kept) -> Option<String> {
        let entries = kept.ledger.entries.iter();
        let tried = entries.filter(|entry| entry.covered == Covered::Exhausted);
        let calls = tried.flat_map(|entry| entry.client.threads.iter().flatten());
        let never: BTreeSet<u16> = calls
            .map(|call| call.operation)
            .filter(|operation| !kept.returned.contains(operation))
            .collect();
        let operations = self.code.operations();
        let names: Vec<&str> = never
            .iter()
            .filter_map(|&operation| operations.get(usize::from(operation)))
            .map(|operation| operation.name.as_str())
            .collect();
        let names = names.join(", ");
        (!names.is_empty()).then(|| {
            format!("note: {names} never returned in any run: nothing is known of what it would do")
        })
    }

    /// Whether assumptions stopped all runs of some clients, but not of all.
    fn excluded(kept: &Kept) -> Option<String> {
        let (excluded, all) = (kept.ledger.excluded(), kept.ledger.entries.len());
        (excluded > 0 && excluded < all).then(|| {
            format!(
                "note: an assumption excludes every run of {excluded} of {all} clients: these say nothing"
            )
        })
    }

    /// Whether operations handed memory to each other and none was freed in any run, as where it is collected every hundred operations.
    fn never_freed(&self, kept: &Kept) -> Option<String> {
        let is_kept = kept.memory.shared && !kept.memory.freed && !self.is_program();
        is_kept.then(|| {
            "note: no run freed what operations allocate: whether it is freed too early or twice was not tested"
                .to_owned()
        })
    }

    /// What there is to say beside the verdict.
    pub(super) fn notes(&self, kept: &Kept, raced: &[Raced]) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        if let Some(error) = &kept.internal {
            notes.push(format!("note: {error}\n      {}", internal::HELP));
        }
        notes.extend(self.race_notes(raced));
        if kept.error.is_none() {
            notes.extend(self.never_returned(kept));
            notes.extend(Self::excluded(kept));
            notes.extend(self.never_freed(kept));
        }
        notes
    }
}
