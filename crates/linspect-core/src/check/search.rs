//! Decides a recorded history by just-in-time linearization (see [`super::frontier`]).

use super::budget::Budget;
use super::frontier::{Config, Frontier, Open, Scratch, Told, TrailId, UNTOLD};
use super::mask::{Mask, Wide};
use super::space::{Expected, MoveId, Space};
use crate::history::{NEVER, OpId, Outcome, Time};
use crate::spec::Spec;
use crate::value::Value;
use crate::verdict::Limit;
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
    start: Option<&Start<S>>,
    budget: &dyn Budget,
) -> Result<Found, Limit> {
    let mut space = Space::new(spec);
    let plan = Plan::new(&mut space, ops);
    if plan.widest <= 64 {
        let scratch = &mut Scratch::default();
        walk::<S, u64>(&mut space, ops, &plan, start, scratch, budget).map(|(found, _)| found)
    } else {
        let scratch = &mut Scratch::default();
        walk::<S, Wide>(&mut space, ops, &plan, start, scratch, budget).map(|(found, _)| found)
    }
}

/// Where a search begins, if not at the beginning: everything that may have happened before.
pub(crate) struct Start<S: Spec> {
    /// Operations called up to here are open, or over.
    pub(crate) at: Time,
    /// How many are over.
    pub(crate) over: usize,
    /// States, each with the open operations that took effect.
    pub(crate) configs: Vec<(S::State, Vec<OpId>)>,
}

/// Everything that may have happened when `returns` of the `ops` have returned; nothing if they violate before.
pub(crate) fn start_after<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    returns: usize,
    budget: &dyn Budget,
) -> Result<Option<Start<S>>, Limit> {
    let mut space = Space::new(spec);
    let mut plan = Plan::new(&mut space, ops);
    plan.returns.truncate(returns);
    let Some(&last) = plan.returns.last() else {
        return Ok(None);
    };
    let mut scratch = Scratch::<Wide>::default();
    let (found, frontier) = walk(&mut space, ops, &plan, None, &mut scratch, budget)?;
    if found != Found::Order {
        return Ok(None);
    }
    let configs = frontier.configs.iter().map(|(config, _)| {
        let mut placed = Vec::new();
        config.placed.each_without(&Wide::default(), |slot| {
            placed.extend(frontier.slots()[slot].map(|open| open.op));
        });
        (space.state(config.state).clone(), placed)
    });
    Ok(Some(Start {
        at: ops[last as usize].to,
        over: returns,
        configs: configs.collect(),
    }))
}

/// What is fixed before the walk: a move per operation, the order of returns, how many are open at once.
pub(crate) struct Plan {
    acts: Vec<MoveId>,
    /// Operations (by position) that never have to be placed and never help.
    idle: Vec<bool>,
    /// Whether results are told when operations return, not before.
    told_late: bool,
    /// Positions of those that return, in order of return.
    returns: Vec<u32>,
    /// How many operations are open at once, at most.
    widest: usize,
}

impl Plan {
    pub(crate) fn new<S: Spec>(space: &mut Space<'_, S>, ops: &[Op<'_, S>]) -> Self {
        Self::make(space, ops, false)
    }

    /// As [`Plan::new`], but nothing is known of a result before its return.
    pub(crate) fn with_results_told<S: Spec>(space: &mut Space<'_, S>, ops: &[Op<'_, S>]) -> Self {
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

    /// Operation `i` as an open one.
    fn open<S: Spec>(&self, ops: &[Op<'_, S>], i: usize) -> Open {
        Open {
            op: ops[i].id,
            act: self.acts[i],
            ret: match ops[i].outcome {
                Outcome::Pending => NEVER,
                _ if self.is_told_late(&ops[i]) => UNTOLD,
                _ => ops[i].to,
            },
        }
    }

    /// Whether the result of `op` is told when it returns, not before.
    fn is_told_late<S: Spec>(&self, op: &Op<'_, S>) -> bool {
        self.told_late && op.role == Role::Recorded && matches!(op.outcome, Outcome::Returned(_))
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
pub(crate) fn walk<S: Spec, M: Mask>(
    space: &mut Space<'_, S>,
    ops: &[Op<'_, S>],
    plan: &Plan,
    mut start: Option<&Start<S>>,
    scratch: &mut Scratch<M>,
    budget: &dyn Budget,
) -> Result<(Found, Frontier<M>), Limit> {
    let mut frontier = Frontier::<M>::new();
    let mut slots = Slots::default();
    let mut slot_of: FxHashMap<usize, usize> = FxHashMap::default();
    let mut found = Found::Order;
    plan.each_event(ops, |event| {
        if let Some(begin) = start
            && !matches!(event, Event::Call(i) if ops[i].from <= begin.at)
        {
            start = None;
            frontier.configs = started(space, ops, plan, begin, &frontier);
        }
        match event {
            Event::Call(i) => {
                let slot = slots.take();
                if *ops[i].outcome != Outcome::Pending {
                    slot_of.insert(i, slot);
                }
                frontier.call(space, slot, plan.open(ops, i), ops[i].is_optional());
                Ok(true)
            }
            Event::Return(i) => {
                let slot = slot_of.remove(&i).expect("who returns was called");
                let told = match ops[i].outcome {
                    Outcome::Returned(result) if plan.is_told_late(&ops[i]) => {
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
        }
    })?;
    Ok((found, frontier))
}

/// The configurations of `start`, for a frontier in which everything that is open there was called.
fn started<S: Spec, M: Mask>(
    space: &mut Space<'_, S>,
    ops: &[Op<'_, S>],
    plan: &Plan,
    start: &Start<S>,
    frontier: &Frontier<M>,
) -> Vec<(Config<M>, TrailId)> {
    let by_id: FxHashMap<OpId, &Op<'_, S>> = ops.iter().map(|op| (op.id, op)).collect();
    let mut configs: Vec<(Config<M>, TrailId)> = Vec::new();
    for (state, done) in &start.configs {
        let mut config = Config {
            state: space.intern(state.clone()),
            note: 0,
            placed: M::default(),
        };
        for (slot, open) in frontier.slots().iter().enumerate() {
            let Some(open) = open.filter(|open| done.contains(&open.op)) else {
                continue;
            };
            config.placed.insert(slot);
            if let Some(op) = by_id.get(&open.op).filter(|op| plan.is_told_late(op))
                && let Outcome::Returned(result) = op.outcome
            {
                let result = space.result(result);
                config.note = space.remember(config.note, slot, result);
            }
        }
        configs.push((config, 0));
    }
    configs.sort();
    configs.dedup();
    configs
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
