//! Decides a recorded history by just-in-time linearization (see [`super::frontier`]).

use super::budget::{Budget, Unlimited};
use super::dive::Dive;
use super::frontier::{Config, Frontier, Open, Scratch, Told, TrailId, UNTOLD};
use super::mask::{Mask, Wide};
use super::rival::Rival;
use super::space::{Expected, MoveId, Space};
use crate::history::{NEVER, OpId, Outcome, Time};
use crate::spec::{Sees, Spec};
use crate::value::Value;
use crate::verdict::Limit;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

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
        compete::<S, u64>(space, ops, &plan, start, budget)
    } else {
        compete::<S, Wide>(space, ops, &plan, start, budget)
    }
}

/// Lets the frontier and a dive compete; who finds an answer first does not change it.
fn compete<S: Spec, M: Mask>(
    mut space: Space<'_, S>,
    ops: &[Op<'_, S>],
    plan: &Plan,
    start: Option<&Start<S>>,
    budget: &dyn Budget,
) -> Result<Found, Limit> {
    let alone = |space: &mut Space<'_, S>, budget: &dyn Budget| {
        let scratch = &mut Scratch::<M>::default();
        walk(space, ops, plan, start, scratch, budget).map(|(found, _)| found)
    };
    if start.is_some() {
        // A dive begins at the beginning.
        return alone(&mut space, budget);
    }
    let rival = Rival::new(space.spec(), ops, budget);
    let said = alone(&mut space, &rival);
    drop(space);
    said.or_else(|limit| rival.answer(limit))
}

/// What the two searches say that compete, each by itself.
pub(crate) fn apart<S: Spec>(spec: &S, ops: &[Op<'_, S>]) -> [Found; 2] {
    let mut space = Space::new(spec);
    let plan = Plan::new(&mut space, ops);
    let scratch = &mut Scratch::<Wide>::default();
    let said = walk(&mut space, ops, &plan, None, scratch, &Unlimited);
    let (frontier, _) = said.expect("without a budget nothing runs out");
    let mut dive = Dive::<S, Wide>::new(spec, ops);
    let dive = dive.go_on(u64::MAX).cloned();
    [frontier, dive.expect("it went on to the end")]
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

/// Every result that operation `who` of `ops` may have had as far as the returns up to its own tell, ascending.
pub(crate) fn results<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    who: OpId,
    budget: &dyn Budget,
) -> Result<Vec<Value>, Limit> {
    let mut space = Space::new(spec);
    let mut plan = Plan::with_results_told(&mut space, ops, Late::Only(who));
    let own = plan.returns.iter().position(|&i| ops[i as usize].id == who);
    plan.returns.truncate(own.map_or(0, |own| own + 1));
    let mut scratch = Scratch::<Wide>::default();
    scratch.results = Some(FxHashSet::default());
    walk(&mut space, ops, &plan, None, &mut scratch, budget)?;
    let results = scratch.results.into_iter().flatten();
    let mut results: Vec<Value> = results.map(|id| space.result_of(id).clone()).collect();
    results.sort();
    Ok(results)
}

/// What is fixed before the walk: a move per operation, the order of returns, how many are open at once.
pub(crate) struct Plan {
    acts: Vec<MoveId>,
    /// Operations (by position) that never have to be placed and never help.
    pub(crate) idle: Vec<bool>,
    /// Whose results are told when they return, not before.
    late: Late,
    /// Per operation that touches earlier ones of its process (see [`Op::touches`]), those, by position.
    pub(crate) touched: FxHashMap<usize, SmallVec<[usize; 2]>>,
    /// Who is touched by a later one.
    is_touched: FxHashSet<usize>,
    /// Positions of those that return, in order of return.
    pub(crate) returns: Vec<u32>,
    /// How many operations are open at once, at most.
    pub(crate) widest: usize,
}

/// Whose results are told when they return, not before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Late {
    Nobody,
    Everybody,
    Only(OpId),
}

impl Late {
    /// Whether the result of `op` is told when it returns.
    fn is_told<S: Spec>(self, op: &Op<'_, S>) -> bool {
        let late = match self {
            Self::Nobody => false,
            Self::Everybody => true,
            Self::Only(id) => op.id == id,
        };
        late && op.role == Role::Recorded && matches!(op.outcome, Outcome::Returned(_))
    }
}

impl Plan {
    pub(crate) fn new<S: Spec>(space: &mut Space<'_, S>, ops: &[Op<'_, S>]) -> Self {
        Self::with_results_told(space, ops, Late::Nobody)
    }

    /// As [`Plan::new`], but nothing is known of the results of those that are told `late`.
    pub(crate) fn with_results_told<S: Spec>(
        space: &mut Space<'_, S>,
        ops: &[Op<'_, S>],
        late: Late,
    ) -> Self {
        type Key<'k> = ((u16, &'k Value), &'k Outcome, Role, bool);
        let mut known: FxHashMap<Key<'_>, MoveId> = FxHashMap::default();
        let mut acts = Vec::with_capacity(ops.len());
        let mut idle = Vec::with_capacity(ops.len());
        let seen = seen(space.spec(), ops, late);
        let is_vain = |spec: &S, op: &Op<'_, S>| {
            let unseen = || {
                let leaves = spec.meets(op.call, op.outcome).leaves;
                leaves.is_some_and(|v| seen.as_ref().is_some_and(|seen| !seen.contains(&v)))
            };
            spec.observes(op.call, op.outcome) || unseen()
        };
        let mut returns = Vec::with_capacity(ops.len());
        for (i, op) in ops.iter().enumerate() {
            acts.push(
                *known
                    .entry((op.text, op.outcome, op.role, late.is_told(op)))
                    .or_insert_with(|| {
                        let expected = match op.outcome {
                            _ if late.is_told(op) => Expected::Later,
                            known => Expected::Recorded(known.clone()),
                        };
                        space.add_move(op.call.clone(), expected)
                    }),
            );
            idle.push(op.is_optional() && is_vain(space.spec(), op));
            if !idle[i] && *op.outcome != Outcome::Pending {
                returns.push(u32::try_from(i).expect("fewer than 2^32 operations"));
            }
        }
        returns.sort_by_key(|&i| ops[i as usize].to);
        let touched = touched(ops, &idle);
        let mut plan = Self {
            acts,
            idle,
            late,
            is_touched: touched.values().flatten().copied().collect(),
            touched,
            returns,
            widest: 0,
        };
        plan.widest = plan.widest(ops);
        plan
    }

    /// Operation `i` as an open one.
    pub(crate) fn open<S: Spec>(&self, ops: &[Op<'_, S>], i: usize) -> Open {
        Open {
            op: ops[i].id,
            position: u32::try_from(i).expect("fewer than 2^32 operations"),
            act: self.acts[i],
            ret: match ops[i].outcome {
                Outcome::Pending => NEVER,
                _ if self.late.is_told(&ops[i]) => UNTOLD,
                _ => ops[i].to,
            },
            waits: self.touched.contains_key(&i),
            is_waited_for: self.is_touched.contains(&i),
        }
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

    /// Per operation its slot, and per return how many operations are called up to it.
    pub(crate) fn slots<S: Spec>(&self, ops: &[Op<'_, S>]) -> (Vec<u32>, Vec<u32>) {
        let mut slots = Slots::default();
        let mut slot_of = vec![0; ops.len()];
        let mut called = Vec::with_capacity(self.returns.len());
        let mut call = 0;
        for &ret in &self.returns {
            while call < ops.len() && ops[call].from <= ops[ret as usize].to {
                if !self.idle[call] {
                    slot_of[call] = u32::try_from(slots.take()).expect("ids are numbers");
                }
                call += 1;
            }
            called.push(u32::try_from(call).expect("ids are numbers"));
            slots.give_back(slot_of[ret as usize] as usize);
        }
        (slot_of, called)
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

/// The values that operations see, if none sees more: see [`Spec::meets`].
fn seen<S: Spec>(spec: &S, ops: &[Op<'_, S>], late: Late) -> Option<FxHashSet<Value>> {
    let mut seen = FxHashSet::default();
    if !ops.iter().any(Op::is_optional) {
        return None;
    }
    for op in ops {
        match spec.meets(op.call, op.outcome).sees {
            // Who tells its result late may see anything until then.
            _ if late.is_told(op) => return None,
            Sees::Nothing => {}
            Sees::Only(value) => drop(seen.insert(value)),
            Sees::Anything => return None,
        }
    }
    Some(seen)
}

/// Per operation, the earlier ones of its process that it touches and that must take effect.
fn touched<S: Spec>(ops: &[Op<'_, S>], idle: &[bool]) -> FxHashMap<usize, SmallVec<[usize; 2]>> {
    let mut found: FxHashMap<usize, SmallVec<[usize; 2]>> = FxHashMap::default();
    // Per process, its operations that end last, by position.
    let mut ends: FxHashMap<u32, (Time, SmallVec<[usize; 2]>)> = FxHashMap::default();
    let mut in_order: Vec<usize> = (0..ops.len()).filter(|&i| !idle[i]).collect();
    in_order.sort_by_key(|&i| (ops[i].from, ops[i].to, ops[i].turn));
    for i in in_order {
        let op = &ops[i];
        let Some(process) = op.process else { continue };
        let (end, last) = ends.entry(process).or_insert((0, SmallVec::new()));
        for &before in last.iter().filter(|&&before| ops[before].touches(op)) {
            found.entry(i).or_default().push(before);
        }
        if op.is_optional() {
            continue;
        }
        if op.to > *end {
            *end = op.to;
            last.clear();
        }
        if op.to == *end {
            last.push(i);
        }
    }
    found
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
                for before in plan.touched.get(&i).into_iter().flatten() {
                    frontier.keep_in_order(slot_of[before], slot);
                }
                Ok(true)
            }
            Event::Return(i) => {
                let slot = slot_of.remove(&i).expect("who returns was called");
                let told = match ops[i].outcome {
                    _ if plan.late == Late::Only(ops[i].id) => Told::Anything,
                    Outcome::Returned(result) if plan.late.is_told(&ops[i]) => {
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
            if let Some(op) = by_id.get(&open.op).filter(|op| plan.late.is_told(op))
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
