//! What a search knows of a history before it begins: a move per operation, the order of returns, what need not be tried.

use super::frontier::{Open, UNTOLD};
use super::space::{Expected, MoveId, Space};
use super::{Op, Role};
use crate::history::{NEVER, OpId, Outcome, Time};
use crate::spec::{Sees, Spec};
use crate::value::Value;
use crate::verdict::Limit;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// What is fixed before the walk: a move per operation, the order of returns, how many are open at once.
#[derive(Clone)]
pub(crate) struct Plan {
    acts: Vec<MoveId>,
    /// Operations (by position) that never have to be placed and never help.
    pub(crate) idle: Vec<bool>,
    /// Whose results are told when they return, not before.
    pub(super) late: Late,
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
    pub(super) fn is_told<S: Spec>(self, op: &Op<'_, S>) -> bool {
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

    /// Per operation, by position, the one with the same move that must return right before it. Two that exchange their places must not pass by
    /// operations that wait for them or that they wait for.
    pub(super) fn elders<S: Spec>(&self, ops: &[Op<'_, S>]) -> Vec<Option<u32>> {
        let mut last: FxHashMap<MoveId, u32> = FxHashMap::default();
        let mut elders = vec![None; ops.len()];
        let is_free = |i: &usize| {
            !self.idle[*i] && !self.touched.contains_key(i) && !self.is_touched.contains(i)
        };
        let mut in_order: Vec<usize> = (0..ops.len()).filter(is_free).collect();
        in_order.sort_by_key(|&i| (self.open(ops, i).ret, i));
        for i in in_order {
            let position = u32::try_from(i).expect("fewer than 2^32 operations");
            elders[i] = last.insert(self.acts[i], position);
        }
        elders
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
    pub(super) fn each_event<S: Spec>(
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
pub(super) enum Event {
    Call(usize),
    Return(usize),
}

/// Which slots are free. The lowest goes first, so that masks stay short.
#[derive(Default)]
pub(super) struct Slots {
    free: std::collections::BinaryHeap<std::cmp::Reverse<usize>>,
    used: usize,
}

impl Slots {
    pub(super) fn take(&mut self) -> usize {
        match self.free.pop() {
            Some(std::cmp::Reverse(slot)) => slot,
            None => {
                self.used += 1;
                self.used - 1
            }
        }
    }

    pub(super) fn give_back(&mut self, slot: usize) {
        self.free.push(std::cmp::Reverse(slot));
    }
}
