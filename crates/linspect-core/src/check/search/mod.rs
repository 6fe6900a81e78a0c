//! Decides a recorded history by search, where no specialised decider does.
//!
//! Searches compete: breadth first ([`walk`], which feeds a [`frontier`]) and [`depth_first`] in two orders; where operations take effect together ([`meeting`]) the first alone. All know the states of the
//! specification by numbers ([`space`]) and what need not be tried ([`plan`]); one looks ahead ([`outlook`], [`two_ends`]) and begins anew where it
//! finds nothing ([`guess`]). A [`monitor`] is the breadth-first search for histories whose future is not known yet.

mod competition;
pub(crate) mod depth_first;
pub(crate) mod frontier;
mod guess;
pub(crate) mod mask;
mod meeting;
pub(crate) mod monitor;
mod outlook;
pub(crate) mod plan;
pub(crate) mod space;
mod two_ends;
pub(crate) mod walk;

use self::competition::Competition;
use self::depth_first::{DepthFirst, First};
use self::frontier::Scratch;
use self::mask::{Mask, Wide};
use self::plan::Plan;
use self::space::Space;
use self::walk::{Start, walk};
use super::budget::{Budget, Unlimited};
use crate::history::{OpId, Outcome, Time};
use crate::spec::Spec;
use crate::value::Value;
use crate::verdict::Limit;

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
    if plan.widest <= 64 {
        compete::<S, u64>(space, ops, &plan, start, is_brief, budget)
    } else {
        compete::<S, Wide>(space, ops, &plan, start, is_brief, budget)
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
    let alone = |space: &mut Space<'_, S>, budget: &dyn Budget| {
        let scratch = &mut Scratch::<M>::default();
        walk(space, ops, plan, start, scratch, budget).map(|(found, _)| found)
    };
    if start.is_some() || space.spec().most_together() > 1 {
        // The depth-first search begins at the beginning, and lets one operation take effect at a time.
        return alone(&mut space, budget);
    }
    let competition = Competition::<S, M>::new(space.spec(), ops, is_brief, budget);
    let said = alone(&mut space, &competition);
    drop(space);
    said.or_else(|limit| competition.answer(limit))
}

/// What the searches say that compete, each by itself: the frontier, then the depth-first ones in both orders, without and
/// with a look ahead. Who looks ahead may have nothing to say.
pub(crate) fn apart<S: Spec>(spec: &S, ops: &[Op<'_, S>]) -> [Option<Found>; 5] {
    let mut space = Space::new(spec);
    let plan = Plan::new(&mut space, ops);
    let scratch = &mut Scratch::<Wide>::default();
    let said = walk(&mut space, ops, &plan, None, scratch, &Unlimited);
    let (frontier, _) = said.expect("without a budget nothing runs out");
    let depth_first = |first, ahead| {
        if spec.most_together() > 1 {
            return None;
        }
        let mut search = DepthFirst::<S, Wide>::new(spec, ops, first, ahead);
        search.go_on(u64::MAX).cloned()
    };
    [
        Some(frontier),
        depth_first(First::Returned, false),
        depth_first(First::Guessed, false),
        depth_first(First::Returned, true),
        depth_first(First::Guessed, true),
    ]
}
