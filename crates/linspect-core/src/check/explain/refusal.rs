//! A close look at what a search does not find: how far one gets with an order of effects, and why not further.

use super::minimal_core::Allowance;
use crate::check::budget::Budget;
use crate::check::search::frontier::{Scratch, Trail};
use crate::check::search::mask::Wide;
use crate::check::search::plan::{Late, Plan};
use crate::check::search::space::{Space, StateId};
use crate::check::search::walk::{Start, walk};
use crate::check::search::{Found, Op};
use crate::history::OpId;
use crate::spec::Spec;
use crate::verdict::{Allowed, Limit, Placed};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// Why a search found nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The operation whose return nothing explains.
    pub(crate) refused: OpId,
    /// A longest order of effects on the way there.
    pub(crate) partial: Vec<Placed>,
    /// What it would have had to return, per state in which it could take effect, sorted by state.
    pub(crate) allowed: Vec<Allowed>,
}

/// Looks closely at operations that violate. Where that is quick, nothing is known of a result before its return, so that
/// the refused operation ends the shortest failing prefix.
pub(crate) fn refusal<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    start: Option<&Start<S>>,
    budget: &dyn Budget,
) -> Result<Option<Refusal>, Limit> {
    let limited = |questions, told_late| {
        let effort = Allowance {
            left: &Cell::new(questions),
            outer: budget,
        };
        look(spec, ops, start, told_late, &effort)
    };
    limited(100, true).or_else(|_| limited(2_000, false))
}

fn look<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    start: Option<&Start<S>>,
    told_late: bool,
    budget: &dyn Budget,
) -> Result<Option<Refusal>, Limit> {
    let mut space = Space::new(spec);
    let late = if told_late {
        Late::Everybody
    } else {
        Late::Nobody
    };
    let plan = Plan::with_results_told(&mut space, ops, late);
    let mut scratch = Scratch::<Wide>::default();
    scratch.trail = Some(Trail::new());
    scratch.tried = Some(Vec::new());
    let (found, frontier) = walk(&mut space, ops, &plan, start, &mut scratch, budget)?;
    let Found::Refused(refused) = found else {
        return Ok(None);
    };
    let outcomes: FxHashMap<OpId, &Op<'_, S>> = ops.iter().map(|op| (op.id, op)).collect();
    let call = outcomes[&refused].call;
    let tried = scratch.tried.take().unwrap_or_default();
    let trail = scratch.trail.take().unwrap_or_default();
    let mut partial = Vec::new();
    let mut states: FxHashSet<StateId> = FxHashSet::default();
    for (config, end) in &tried {
        let mut path = trail.path(*end);
        // The walk lets operations that need not take effect do so out of their process's turn.
        let before = |at: usize| path[..at].iter().map(|(id, _)| outcomes[id]);
        let is_late = |&at: &usize| before(at).any(|early| outcomes[&path[at].0].precedes(early));
        match (0..path.len()).find(is_late) {
            Some(late) => path.truncate(late),
            None => _ = states.insert(config.state),
        }
        // An operation that is still open may have been placed with another result than it was to have.
        let astray = space
            .noted(config.note)
            .iter()
            .filter_map(|&(slot, result)| {
                let op = frontier.slots()[usize::from(slot)]?.op;
                (outcomes[&op].outcome.value() != Some(space.result_of(result))).then_some(op)
            });
        for op in astray {
            path.truncate(
                path.iter()
                    .position(|&(placed, _)| placed == op)
                    .unwrap_or(path.len()),
            );
        }
        if path.len() > partial.len() {
            partial = path;
        }
    }
    let partial = shown(&space, &partial);
    let mut allowed: Vec<Allowed> = states
        .into_iter()
        .map(|id| {
            let mut results = Vec::new();
            spec.outcomes(space.state(id), call, &mut |result, _| results.push(result));
            results.sort();
            results.dedup();
            let state = spec.show(space.state(id));
            Allowed { state, results }
        })
        .collect();
    allowed.sort_by(|a, b| (&a.state, &a.results).cmp(&(&b.state, &b.results)));
    Ok(Some(Refusal {
        refused,
        partial,
        allowed,
    }))
}

/// An order of effects, in words.
fn shown<S: Spec>(space: &Space<'_, S>, path: &[(OpId, StateId)]) -> Vec<Placed> {
    path.iter()
        .map(|&(operation, state)| Placed {
            operation,
            state: space.spec().show(space.state(state)),
        })
        .collect()
}
