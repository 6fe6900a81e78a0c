//! Decides a recorded history by just-in-time linearization (see [`super::frontier`]).

use super::budget::Budget;
use super::frontier::{Frontier, Open, Scratch, Told, Trail, UNTOLD};
use super::mask::{Mask, Wide};
use super::space::{Expected, MoveId, Space, StateId};
use crate::history::{NEVER, OpId, Outcome, Time};
use crate::spec::Spec;
use crate::value::Value;
use crate::verdict::{Allowed, Limit, Placed};
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// Whether it must take effect at all.
    pub(crate) role: Role,
}

impl<S: Spec> Op<'_, S> {
    /// Whether it need not take effect.
    pub(crate) fn is_optional(&self) -> bool {
        self.role == Role::Optional || *self.outcome == Outcome::Pending
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

/// Decides whether `ops`, sorted by `from`, have an order of effects that `spec` allows.
pub(crate) fn search<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    budget: &dyn Budget,
) -> Result<Found, Limit> {
    let mut space = Space::new(spec);
    let plan = Plan::new(&mut space, ops);
    if plan.widest <= 64 {
        let scratch = &mut Scratch::default();
        walk::<S, u64>(&mut space, ops, &plan, scratch, budget).map(|(found, _)| found)
    } else {
        let scratch = &mut Scratch::default();
        walk::<S, Wide>(&mut space, ops, &plan, scratch, budget).map(|(found, _)| found)
    }
}

/// As [`search`], with an order of effects: the operations in it, each with the state after it.
pub(crate) fn search_order<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    budget: &dyn Budget,
) -> Result<Option<Vec<Placed>>, Limit> {
    let mut space = Space::new(spec);
    let plan = Plan::new(&mut space, ops);
    let mut scratch = Scratch::<Wide>::default();
    scratch.trail = Some(Trail::new());
    let (found, frontier) = walk(&mut space, ops, &plan, &mut scratch, budget)?;
    Ok((found == Found::Order).then(|| {
        let end = frontier.configs.first().map_or(0, |&(_, end)| end);
        let trail = scratch.trail.unwrap_or_default();
        shown(&space, &trail.path(end))
    }))
}

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

/// Looks closely at operations that violate. Where few of them overlap, nothing is known of a result before its return, so
/// that the refused operation ends the shortest failing prefix.
pub(crate) fn refusal<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    budget: &dyn Budget,
) -> Result<Option<Refusal>, Limit> {
    /// So many open operations with unknown results are still quick.
    const FEW: usize = 8;
    let mut space = Space::new(spec);
    let mut plan = Plan::new(&mut space, ops);
    if plan.widest <= FEW {
        space = Space::new(spec);
        plan = Plan::with_results_told(&mut space, ops);
    }
    let mut scratch = Scratch::<Wide>::default();
    scratch.trail = Some(Trail::new());
    scratch.tried = Some(Vec::new());
    let (found, frontier) = walk(&mut space, ops, &plan, &mut scratch, budget)?;
    let Found::Refused(refused) = found else {
        return Ok(None);
    };
    let outcomes: FxHashMap<OpId, &Op<'_, S>> = ops.iter().map(|op| (op.id, op)).collect();
    let call = outcomes[&refused].call;
    let tried = scratch.tried.take().unwrap_or_default();
    let trail = scratch.trail.take().unwrap_or_default();
    let mut partial = Vec::new();
    for (config, end) in &tried {
        let mut path = trail.path(*end);
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
    let states: FxHashSet<StateId> = tried.iter().map(|(config, _)| config.state).collect();
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

/// What is fixed before the walk: a move per operation, the order of returns, how many are open at once.
struct Plan {
    acts: Vec<MoveId>,
    /// Operations (by position) that never have to be placed and never help.
    idle: Vec<bool>,
    /// Whether results are told when operations return, not before.
    told_late: bool,
    /// Positions of those that return, in order of return.
    returns: Vec<u32>,
    widest: usize,
}

impl Plan {
    fn new<S: Spec>(space: &mut Space<'_, S>, ops: &[Op<'_, S>]) -> Self {
        Self::make(space, ops, false)
    }

    fn with_results_told<S: Spec>(space: &mut Space<'_, S>, ops: &[Op<'_, S>]) -> Self {
        Self::make(space, ops, true)
    }

    fn make<S: Spec>(space: &mut Space<'_, S>, ops: &[Op<'_, S>], told_late: bool) -> Self {
        type Key<'k> = ((u16, &'k Value), &'k Outcome, Role);
        let mut known: FxHashMap<Key<'_>, MoveId> = FxHashMap::default();
        let mut acts = Vec::with_capacity(ops.len());
        let mut idle = Vec::with_capacity(ops.len());
        let mut returns = Vec::with_capacity(ops.len());
        for (i, op) in ops.iter().enumerate() {
            acts.push(
                *known
                    .entry((op.text, op.outcome, op.role))
                    .or_insert_with(|| {
                        let expected = match op.outcome {
                            Outcome::Returned(_) if told_late && op.role == Role::Recorded => {
                                Expected::Later
                            }
                            known => Expected::Recorded(known.clone()),
                        };
                        space.add_move(op.call.clone(), expected)
                    }),
            );
            idle.push(op.is_optional() && space.spec().observes(op.call, op.outcome));
            if !idle[i] && *op.outcome != Outcome::Pending {
                returns.push(u32::try_from(i).expect("fewer than 2^32 operations"));
            }
        }
        returns.sort_by_key(|&i| ops[i as usize].to);
        let mut plan = Self {
            acts,
            idle,
            told_late,
            returns,
            widest: 0,
        };
        plan.widest = plan.widest(ops);
        plan
    }

    fn widest<S: Spec>(&self, ops: &[Op<'_, S>]) -> usize {
        let (mut now, mut most) = (0_usize, 0);
        self.each_event(ops, |event| {
            match event {
                Event::Call(_) => now += 1,
                Event::Return(_) => now -= 1,
            }
            most = most.max(now);
            Ok(true)
        })
        .map_or(most, |_| most)
    }

    /// Calls and returns in time order, calls first where times are equal. Stops when `each` says so.
    fn each_event<S: Spec>(
        &self,
        ops: &[Op<'_, S>],
        mut each: impl FnMut(Event) -> Result<bool, Limit>,
    ) -> Result<(), Limit> {
        let mut call = 0;
        for &ret in &self.returns {
            let ret = ret as usize;
            while call < ops.len() && ops[call].from <= ops[ret].to {
                if !self.idle[call] && !each(Event::Call(call))? {
                    return Ok(());
                }
                call += 1;
            }
            if !each(Event::Return(ret))? {
                return Ok(());
            }
        }
        // What is called after the last return is pending: nobody waits for it.
        Ok(())
    }
}

/// An event, by the position of its operation.
enum Event {
    Call(usize),
    Return(usize),
}

/// Walks the events, up to the first return that nothing explains.
fn walk<S: Spec, M: Mask>(
    space: &mut Space<'_, S>,
    ops: &[Op<'_, S>],
    plan: &Plan,
    scratch: &mut Scratch<M>,
    budget: &dyn Budget,
) -> Result<(Found, Frontier<M>), Limit> {
    let mut frontier = Frontier::<M>::new();
    let mut slots = Slots::default();
    let mut slot_of: FxHashMap<usize, usize> = FxHashMap::default();
    let mut found = Found::Order;
    plan.each_event(ops, |event| match event {
        Event::Call(i) => {
            let optional = ops[i].is_optional();
            let slot = slots.take();
            if *ops[i].outcome != Outcome::Pending {
                slot_of.insert(i, slot);
            }
            let open = Open {
                op: ops[i].id,
                act: plan.acts[i],
                ret: match ops[i].outcome {
                    Outcome::Pending => NEVER,
                    Outcome::Returned(_) if plan.told_late && !optional => UNTOLD,
                    _ => ops[i].to,
                },
            };
            frontier.call(space, slot, open, optional);
            Ok(true)
        }
        Event::Return(i) => {
            let slot = slot_of.remove(&i).expect("who returns was called");
            let told = match ops[i].outcome {
                Outcome::Returned(result) if plan.told_late && ops[i].role == Role::Recorded => {
                    Told::Now(space.result(result))
                }
                _ => Told::Before,
            };
            let alive = frontier.settle(space, scratch, slot, told, budget)?;
            slots.give_back(slot);
            if scratch.trail.is_none() {
                frontier.tidy(space);
            }
            if !alive {
                found = Found::Refused(ops[i].id);
            }
            Ok(alive)
        }
    })?;
    Ok((found, frontier))
}

/// Which slots are free. The lowest goes first, so that masks stay short.
#[derive(Default)]
struct Slots {
    free: std::collections::BinaryHeap<std::cmp::Reverse<usize>>,
    used: usize,
}

impl Slots {
    fn take(&mut self) -> usize {
        match self.free.pop() {
            Some(std::cmp::Reverse(slot)) => slot,
            None => {
                self.used += 1;
                self.used - 1
            }
        }
    }

    fn give_back(&mut self, slot: usize) {
        self.free.push(std::cmp::Reverse(slot));
    }
}
