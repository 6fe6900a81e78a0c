//! How relaxed an object is: the smallest k with which every explored history passes.
//!
//! Criteria only weaken with k, so a client that passed with some k need not be explored again with a larger one: the search goes
//! on from the client that failed.

use super::{DefectiveRun, SearchError, SearchOutcome};
use linspect_core::client::Client;
use linspect_core::defect::Defect;

/// How relaxed an object is.
#[derive(Clone, Debug, PartialEq)]
pub struct Relaxation {
    /// The smallest k with which every explored history passes; nothing if not even the largest tried is enough.
    pub k: Option<u32>,
    /// A client that fails with one less, and how.
    pub needed_by: Option<(Client, DefectiveRun)>,
    /// What each client came to, with the k at which it passed or failed last.
    pub outcome: SearchOutcome,
}

/// The smallest `k` up to `most`; `search_from(k, first)` searches the clients from number `first` on with relaxation `k`.
pub fn smallest_relaxation(
    most: u32,
    mut search_from: impl FnMut(u32, usize) -> Result<SearchOutcome, SearchError>,
) -> Result<Relaxation, SearchError> {
    let mut passed = Vec::new();
    let mut needed_by = None;
    let mut k = 0;
    loop {
        let mut outcome = search_from(k, passed.len())?;
        let failed = outcome.error().map(|(c, f)| (c.clone(), f.clone()));
        // No relaxation helps against a panic.
        let curable = matches!(&failed, Some((_, f)) if f.kind == Defect::Violation);
        if curable && k < most {
            outcome.explored.pop();
            needed_by = failed;
            k += 1;
            passed.append(&mut outcome.explored);
            continue;
        }
        passed.append(&mut outcome.explored);
        outcome.explored = passed;
        return Ok(Relaxation {
            k: failed.is_none().then_some(k),
            needed_by,
            outcome,
        });
    }
}
