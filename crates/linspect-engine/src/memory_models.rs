//! One test under two memory models: sequential consistency, then what weaker orderings allow beside it.
//!
//! What is wrong already where every read reads what was written last is easier to understand, and can be taken apart further, so that comes first. A program
//! without weaker atomics and without data races has nothing else (the models of C, C++ and Rust promise that): it is explored once.

use crate::Verdict;
use crate::error::Error;
use crate::events::Events;
use crate::finding::coverage::rename_model;
use crate::investigate::{Investigated, Scope};
use crate::investigate_once;
use crate::origin::Loaded;
use crate::request::{Request, Task};
use linspect_core::execution::MemoryModel;
use std::time::Instant;

const NOT_EXPLORED: &str = "note: some atomics here are weaker than seq_cst; what only weaker orderings allow was not explored: --memory-model c20 does that";
const RIGHT_UNDER_SC: &str =
    "note: only weaker orderings allow this: under sequential consistency nothing was found";

/// Finds out what `request` asks about a program, under the memory model that was asked for.
pub(super) fn investigate(
    loaded: &Loaded,
    request: &Request,
    events: &dyn Events,
) -> Result<Investigated, Error> {
    let searches = matches!(request.task, Task::Search);
    if searches && loaded.settings.memory_model == Some(MemoryModel::C20) {
        return weak(loaded, request, events);
    }
    let mut found = investigate_once(loaded, request, Scope::Whole, events)?;
    if searches && found.weaker && matches!(found.finding.verdict, Verdict::Holds { .. }) {
        found.notes.push(NOT_EXPLORED.to_owned());
    }
    Ok(found)
}

/// Sequential consistency, then C20 with what is left of the budget.
fn weak(loaded: &Loaded, request: &Request, events: &dyn Events) -> Result<Investigated, Error> {
    if let Some(option) = request.only_schedules() {
        return Err(Error::NotUnderC20(option));
    }
    let (start, limits) = (Instant::now(), request.effort.limits());
    let mut strong = investigate_once(
        &loaded.under(MemoryModel::Sc),
        request,
        Scope::UnlessWeaker,
        events,
    )?;
    if is_wrong(&strong) {
        return Ok(strong);
    }
    if !strong.weaker {
        rename_model(&mut strong.finding.coverage);
        return Ok(strong);
    }
    let mut request = request.clone();
    request.effort.budget = limits.left();
    let mut found = investigate_once(loaded, &request, Scope::Whole, events)?;
    if is_wrong(&found) {
        found.notes.push(RIGHT_UNDER_SC.to_owned());
    }
    found.elapsed = start.elapsed();
    Ok(found)
}

fn is_wrong(found: &Investigated) -> bool {
    matches!(
        found.finding.verdict,
        Verdict::Violated { .. } | Verdict::Faulty { .. }
    )
}
