//! Decides a recorded history by search, where no specialised decider does.
//!
//! Searches compete: breadth first ([`walk`], which feeds a [`frontier`]) and, beside it, two that go depth first: [`depth_first`] in two orders, or [`row_search`] where the
//! object is a [`row`]; where operations take effect together ([`meeting`]) the first alone. All know what need not be tried ([`plan`]) and which operations are open when
//! ([`timeline`]), and states of the specification by numbers ([`space`]). Some begin anew where they find nothing ([`guess`]) and look ahead ([`foresight`]: [`outlook`], [`two_ends`]). A
//! [`monitor`] is the breadth-first search for histories whose future is not known yet.

mod competition;
mod dead_ends;
pub(crate) mod depth_first;
mod dominated;
pub(crate) mod footprint;
mod foresight;
pub(crate) mod frontier;
mod guess;
pub(crate) mod mask;
mod meeting;
pub(crate) mod monitor;
mod outlook;
pub(crate) mod plan;
mod row;
pub(crate) mod row_search;
pub(crate) mod space;
mod timeline;
mod two_ends;
pub(crate) mod walk;

use self::competition::{Competition, Contender, alone};
use self::depth_first::{DepthFirst, First};
use self::frontier::Scratch;
use self::mask::{Mask, Wide};
use self::plan::Plan;
use self::row_search::RowSearch;
use self::space::Space;
use self::walk::{Start, walk};
use super::budget::{Budget, Unlimited};
use crate::history::{OpId, Outcome, Time};
use crate::spec::Spec;
use crate::value::Value;
use crate::verdict::{Limit, Placed};
use rustc_hash::FxHashMap;

/// An operation as a decider sees it.
#[derive(Debug)]
pub(crate) struct Op<'a, S: Spec> {
    /// Its index in the history.
    pub(crate) id: OpId,
    /// What was called, as the specification understands it.
    pub(crate) call: &'a S::Call,
    /// Method and argument, which say when two calls are the same.
    pub(crate) text: (u16, &'a Value),
    /// What came of it, in the specification's spelling.
    pub(crate) outcome: &'a Outcome,
    /// From when on it may take effect.
    pub(crate) from: Time,
    /// Until when it must have.
    pub(crate) to: Time,
    /// Who called, if the order in which a process does things counts.
    pub(crate) process: Option<u32>,
    /// When it was its turn among the operations of its process at one moment of the clock; equal where nobody knows.
    pub(crate) turn: OpId,
    /// Whether it must take effect at all.
    pub(crate) role: Role,
}

impl<S: Spec> Op<'_, S> {
    /// Whether it need not take effect.
    pub(crate) fn is_optional(&self) -> bool {
        self.role == Role::Optional || *self.outcome == Outcome::Pending
    }

    /// Whether it must take effect before `other`, if both do.
    pub(crate) fn precedes(&self, other: &Self) -> bool {
        self.to < other.from || self.touches(other)
    }

    /// Whether it ended when `other` began by the clock, and their process did it first.
    pub(crate) fn touches(&self, other: &Self) -> bool {
        let rank = |op: &Self| (op.from, op.to, op.turn);
        self.to == other.from
            && self.process.is_some()
            && self.process == other.process
            && rank(self) < rank(other)
    }
}

impl<S: Spec> Clone for Op<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Spec> Copy for Op<'_, S> {}

/// Whether an operation must take effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// Exactly once and with its result; at most once if it is pending.
    Recorded,
    /// At most once, but then with its result.
    Optional,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// An order of effects exists.
    Order,
    /// None exists: nothing explains the return of this operation.
    Refused(OpId),
}

/// Decides whether `ops`, sorted by `from`, have an order of effects that `spec` allows. `is_brief`: this is one of many small questions.
pub(crate) fn search<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    start: Option<&Start<S>>,
    is_brief: bool,
    budget: &dyn Budget,
) -> Result<Found, Limit> {
    let mut space = Space::new(spec);
    let plan = Plan::new(&mut space, ops);
    match plan.widest {
        ..=64 => compete::<S, u64>(space, ops, &plan, start, is_brief, budget),
        65..=128 => compete::<S, u128>(space, ops, &plan, start, is_brief, budget),
        _ => compete::<S, Wide>(space, ops, &plan, start, is_brief, budget),
    }
}

/// Lets the breadth-first and the depth-first search compete; who finds an answer first does not change it.
fn compete<S: Spec, M: Mask>(
    mut space: Space<'_, S>,
    ops: &[Op<'_, S>],
    plan: &Plan,
    start: Option<&Start<S>>,
    is_brief: bool,
    budget: &dyn Budget,
) -> Result<Found, Limit> {
    let frontier = |space: &mut Space<'_, S>, budget: &dyn Budget| {
        let scratch = &mut Scratch::<M>::default();
        walk(space, ops, plan, start, scratch, budget).map(|(found, _)| found)
    };
    if start.is_some() || space.spec().most_together() > 1 {
        // The depth-first search begins at the beginning, and lets one operation take effect at a time.
        return frontier(&mut space, budget);
    }
    let competition = Competition::<S, M>::new(space.spec(), ops, plan, is_brief, budget);
    let said = frontier(&mut space, &competition);
    drop(space);
    said.or_else(|limit| competition.answer(limit))
}

/// An order of effects of `ops`, sorted by `from`, each operation with the state after it; nothing if there is none, or if nobody finds it.
pub(crate) fn order<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    budget: &dyn Budget,
) -> Result<Option<Vec<Placed>>, Limit> {
    if spec.most_together() > 1 {
        return walk::order(spec, ops, budget);
    }
    let plan = Plan::new(&mut Space::new(spec), ops);
    let Some(mut search) = RowSearch::<S, Wide>::new(spec, ops, &plan, true) else {
        return depth_first::order(spec, ops, budget);
    };
    match alone(&mut search, budget)? {
        Some(Found::Order) => Ok(Some(placed(spec, ops, search.order()))),
        _ => Ok(None),
    }
}

/// Operations in their order, each with the only state that there can be after it.
fn placed<S: Spec>(spec: &S, ops: &[Op<'_, S>], order: impl Iterator<Item = OpId>) -> Vec<Placed> {
    let by_id: FxHashMap<OpId, &Op<'_, S>> = ops.iter().map(|op| (op.id, op)).collect();
    let mut state = spec.initial();
    let place = |operation| {
        let op = by_id[&operation];
        let mut after = None;
        spec.successors(&state, op.call, op.outcome, &mut |next| after = Some(next));
        state = after.expect("what is in the order ends as it did");
        Placed {
            operation,
            state: spec.show(&state),
        }
    };
    order.map(place).collect()
}

/// What the searches say that compete, each by itself: the frontier, the depth-first ones in both orders, and those of a row, without and
/// with a look ahead. Who looks ahead may have nothing to say.
pub(crate) fn apart<S: Spec>(spec: &S, ops: &[Op<'_, S>]) -> [Option<Found>; 5] {
    let mut space = Space::new(spec);
    let plan = Plan::new(&mut space, ops);
    let scratch = &mut Scratch::<Wide>::default();
    let said = walk(&mut space, ops, &plan, None, scratch, &Unlimited);
    let (frontier, _) = said.expect("without a budget nothing runs out");
    if spec.most_together() > 1 {
        return [Some(frontier), None, None, None, None];
    }
    let depth_first = |first| {
        let mut search = DepthFirst::<S, Wide>::new(spec, ops, first);
        search.go_on(u64::MAX).cloned()
    };
    let row = |looks_ahead| {
        let mut search = RowSearch::<S, Wide>::new(spec, ops, &plan, looks_ahead)?;
        search.go_on(u64::MAX).cloned()
    };
    [
        Some(frontier),
        depth_first(First::Returned),
        depth_first(First::Guessed),
        row(false),
        row(true),
    ]
}
