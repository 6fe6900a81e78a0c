//! Decides a recorded history by just-in-time linearization (see [`super::frontier`]).

use super::budget::Budget;
use super::frontier::{Frontier, Open, Scratch, Told, Trail};
use super::mask::{Mask, Wide};
use super::space::{Expected, MoveId, Space, StateId};
use crate::history::{NEVER, OpId, Outcome, Time};
use crate::spec::Spec;
use crate::value::Value;
use crate::verdict::{Limit, Placed};
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

impl<S: Spec> Clone for Op<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Spec> Copy for Op<'_, S> {}

/// Whether an operation must take effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// Exactly once; at most once if it is pending.
    Recorded,
    /// As often as one likes from its call on, with any result: it explains nothing away.
    Endless,
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
        walk::<S, u64>(&mut space, ops, &plan, &mut Scratch::default(), budget)
    } else {
        walk::<S, Wide>(&mut space, ops, &plan, &mut Scratch::default(), budget)
    }
}

/// As [`search`], with an order of effects: the operations in it, each with the state after it.
pub(crate) fn search_order<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    budget: &dyn Budget,
) -> Result<(Found, Vec<Placed>), Limit> {
    let mut space = Space::new(spec);
    let plan = Plan::new(&mut space, ops);
    let mut scratch = Scratch::<Wide>::default();
    scratch.trail = Some(Trail::new());
    let (found, path) = walk_path(&mut space, ops, &plan, &mut scratch, budget)?;
    let order = path
        .into_iter()
        .map(|(operation, state)| Placed {
            operation,
            state: spec.show(space.state(state)),
        })
        .collect();
    Ok((found, order))
}

/// What is fixed before the walk: a move per operation, the order of returns, how many are open at once.
struct Plan {
    acts: Vec<MoveId>,
    /// Operations (by position) that never have to be placed and never help.
    idle: Vec<bool>,
    /// Positions of those that return, in order of return.
    returns: Vec<u32>,
    widest: usize,
}

impl Plan {
    fn new<S: Spec>(space: &mut Space<'_, S>, ops: &[Op<'_, S>]) -> Self {
        let mut known: FxHashMap<((u16, &Value), &Outcome), MoveId> = FxHashMap::default();
        let mut acts = Vec::with_capacity(ops.len());
        let mut idle = Vec::with_capacity(ops.len());
        let mut returns = Vec::with_capacity(ops.len());
        for (i, op) in ops.iter().enumerate() {
            let outcome = match op.role {
                Role::Recorded => op.outcome,
                Role::Endless => &Outcome::Pending,
            };
            acts.push(*known.entry((op.text, outcome)).or_insert_with(|| {
                space.add_move(op.call.clone(), Expected::Recorded(outcome.clone()))
            }));
            let optional = *outcome == Outcome::Pending;
            idle.push(optional && space.spec().is_read_only(op.call));
            if !optional {
                returns.push(u32::try_from(i).expect("fewer than 2^32 operations"));
            }
        }
        returns.sort_by_key(|&i| ops[i as usize].to);
        let mut plan = Self {
            acts,
            idle,
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
                Event::Call(i) if ops[i].role == Role::Recorded => now += 1,
                Event::Call(_) => {}
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

fn walk<S: Spec, M: Mask>(
    space: &mut Space<'_, S>,
    ops: &[Op<'_, S>],
    plan: &Plan,
    scratch: &mut Scratch<M>,
    budget: &dyn Budget,
) -> Result<Found, Limit> {
    walk_path(space, ops, plan, scratch, budget).map(|(found, _)| found)
}

/// Walks the events. If `scratch` keeps a trail, also gives an order of effects.
fn walk_path<S: Spec, M: Mask>(
    space: &mut Space<'_, S>,
    ops: &[Op<'_, S>],
    plan: &Plan,
    scratch: &mut Scratch<M>,
    budget: &dyn Budget,
) -> Result<(Found, Vec<(OpId, StateId)>), Limit> {
    let mut frontier = Frontier::<M>::new();
    let mut slots = Slots::default();
    let mut slot_of: FxHashMap<usize, usize> = FxHashMap::default();
    let mut supplied: FxHashSet<MoveId> = FxHashSet::default();
    let mut found = Found::Order;
    plan.each_event(ops, |event| match event {
        Event::Call(i) if ops[i].role == Role::Endless => {
            if supplied.insert(plan.acts[i]) {
                frontier.supply(plan.acts[i]);
            }
            Ok(true)
        }
        Event::Call(i) => {
            let optional = *ops[i].outcome == Outcome::Pending;
            let slot = slots.take();
            if !optional {
                slot_of.insert(i, slot);
            }
            let open = Open {
                op: ops[i].id,
                act: plan.acts[i],
                ret: if optional { NEVER } else { ops[i].to },
            };
            frontier.call(space, slot, open, optional);
            Ok(true)
        }
        Event::Return(i) => {
            let slot = slot_of.remove(&i).expect("who returns was called");
            let alive = frontier.settle(space, scratch, slot, Told::Before, budget)?;
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
    let path = match (&scratch.trail, frontier.configs.first()) {
        (Some(trail), Some(&(_, end))) => trail.path(end),
        _ => Vec::new(),
    };
    Ok((found, path))
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
