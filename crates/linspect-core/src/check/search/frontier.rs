//! Just-in-time linearization: the set of everything that may have happened so far.
//!
//! Gavin Lowe, *Testing for linearizability*, Concurrency and Computation: Practice and Experience 29(4), 2017.
//!
//! A *configuration* is a state of the specification and the set of open operations that already took effect. An
//! operation is placed only when some return makes it necessary. When operation x returns, every configuration must
//! contain x: those that do not are extended by open operations until they do, or are dropped. Finished operations are
//! forgotten, so a configuration stays as small as the number of open operations.
//!
//! What is left out, and why nothing is lost by it:
//!
//! * A move that cannot change the state is placed as soon as it fits: without it every continuation is still possible.
//! * Of two open operations with equal moves the one that must return first goes first: exchanging them in an order
//!   of effects gives another.
//! * An operation that need not take effect is not placed where it would not change the state.
//! * Of two configurations that differ only in such operations, the one that still has more of them to place can do
//!   whatever the other can.

use super::dominated::drop_dominated;
use super::footprint;
use super::mask::Mask;
use super::space::{MoveId, ResultId, Space, StateId};
use crate::check::budget::Budget;
use crate::history::{OpId, Time};
use crate::spec::Spec;
use crate::verdict::Limit;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::mem::size_of;

/// One thing that may have happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Config<M> {
    pub(crate) state: StateId,
    /// Results assumed for placed operations that have yet to tell theirs.
    pub(crate) note: u32,
    /// Open operations that took effect.
    pub(crate) placed: M,
}

/// An open operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Open {
    pub(crate) op: OpId,
    /// Its position among the operations of the search.
    pub(crate) position: u32,
    pub(crate) act: MoveId,
    /// When it returns, if that is known.
    pub(crate) ret: Time,
    /// Whether it touches an earlier operation of its process, which must take effect before it.
    pub(crate) waits: bool,
    /// Whether a later operation of its process touches it.
    pub(crate) is_waited_for: bool,
}

/// Every configuration that agrees with the events so far.
#[derive(Clone, Debug)]
pub(crate) struct Frontier<M> {
    pub(crate) configs: Vec<(Config<M>, TrailId)>,
    slots: Vec<Option<Open>>,
    open: M,
    /// Open operations that are placed as soon as they fit.
    quiet: M,
    /// Open operations that need not take effect.
    optional: M,
    /// Per slot, the open operations of its process that must be placed before it, by slot and position.
    firsts: Vec<SmallVec<[(usize, u32); 1]>>,
    /// Per slot, the open operation with the same move that must be placed right before it.
    elder: Vec<Option<usize>>,
    /// Per move, the open operations with it in the order in which they are placed, that of their returns: by time, then by
    /// position; each with its slot.
    likes: FxHashMap<MoveId, Vec<(Time, u32, usize)>>,
}

/// What a return says about the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Nothing new: the move already says it.
    Before,
    /// This result.
    Now(ResultId),
    /// Nothing: any result will do.
    Anything,
}

impl Told {
    pub(super) fn allows(self, result: ResultId) -> bool {
        match self {
            Self::Now(wanted) => wanted == result,
            Self::Before | Self::Anything => true,
        }
    }
}

/// A position in a [`Trail`].
pub(crate) type TrailId = u32;

/// How each configuration came to be: a forest of placed operations, children point to parents.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    /// (operation, state after it, the step before); entry 0 is the start.
    pub(crate) steps: Vec<(OpId, StateId, TrailId)>,
}

impl Trail {
    pub(crate) fn new() -> Self {
        Self {
            steps: vec![(0, 0, 0)],
        }
    }

    /// The operations placed on the way to `at`, with the state after each.
    pub(crate) fn path(&self, mut at: TrailId) -> Vec<(OpId, StateId)> {
        let mut path = Vec::new();
        while at != 0 {
            let (op, state, before) = self.steps[at as usize];
            path.push((op, state));
            at = before;
        }
        path.reverse();
        path
    }
}

/// Working memory of [`Frontier::settle`], kept to save allocations.
#[derive(Debug)]
pub(crate) struct Scratch<M> {
    todo: Vec<(Config<M>, TrailId)>,
    /// Configurations on the way, so that each is extended once.
    seen: FxHashSet<Config<M>>,
    done: FxHashSet<Config<M>>,
    /// Kept only on request: how each configuration came to be.
    pub(crate) trail: Option<Trail>,
    /// On request, every configuration that the last return was tried in.
    pub(crate) tried: Option<Vec<(Config<M>, TrailId)>>,
    /// On request, every result with which an operation returned of which any will do.
    pub(crate) results: Option<FxHashSet<ResultId>>,
    /// How much was done since the budget was asked, in operations that were tried somewhere.
    work: usize,
}

impl<M> Default for Scratch<M> {
    fn default() -> Self {
        Self {
            todo: Vec::new(),
            seen: FxHashSet::default(),
            done: FxHashSet::default(),
            trail: None,
            tried: None,
            results: None,
            work: 0,
        }
    }
}

/// How often a search asks whether it may go on: every so many tried operations.
const ASK_EVERY: usize = 1024;

impl<M: Mask> Frontier<M> {
    /// Nothing happened yet.
    pub(crate) fn new() -> Self {
        let start = Config {
            state: 0,
            note: 0,
            placed: M::default(),
        };
        Self {
            configs: vec![(start, 0)],
            slots: Vec::new(),
            open: M::default(),
            quiet: M::default(),
            optional: M::default(),
            firsts: Vec::new(),
            elder: Vec::new(),
            likes: FxHashMap::default(),
        }
    }

    /// Operation `open` is called and gets `slot`. `optional`: it need not take effect.
    pub(crate) fn call<S: Spec>(
        &mut self,
        space: &Space<'_, S>,
        slot: usize,
        open: Open,
        optional: bool,
    ) {
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, None);
            self.firsts.resize(slot + 1, SmallVec::new());
            self.elder.resize(slot + 1, None);
        }
        debug_assert!(self.slots[slot].is_none(), "slot {slot} is taken");
        self.slots[slot] = Some(open);
        self.open.insert(slot);
        if optional {
            self.optional.insert(slot);
        }
        self.rank_among_its_like(slot, open);
        if !optional && space.is_quiet(open.act) {
            self.quiet.insert(slot);
        }
    }

    /// The open operation in slot `first` takes effect before the one in slot `second`.
    pub(crate) fn keep_in_order(&mut self, first: usize, second: usize) {
        let position = self.slots[first].map(|open| (first, open.position));
        self.firsts[second].extend(position);
    }

    /// Whether nothing that must be placed before the operation in `slot` is still to be placed.
    fn is_due(&self, slot: usize, placed: &M) -> bool {
        self.elder[slot].is_none_or(|elder| placed.has(elder)) && self.has_its_turn(slot, placed)
    }

    /// Whether no operation of the same process that must be placed before the one in `slot` is still to be placed.
    pub(super) fn has_its_turn(&self, slot: usize, placed: &M) -> bool {
        let waits_for = |&(first, position): &(usize, u32)| {
            let is_open = self.slots[first].is_some_and(|open| open.position == position);
            is_open && !placed.has(first)
        };
        !self.firsts[slot].iter().any(waits_for)
    }

    /// The open operation with the same move that is placed before the one in `slot`, or with it.
    pub(super) fn elder(&self, slot: usize) -> Option<usize> {
        self.elder[slot]
    }

    /// The slots of open operations that are neither `placed` nor placed as soon as they fit.
    pub(super) fn unplaced(&self, placed: &M) -> Vec<usize> {
        let mut slots = Vec::new();
        self.open.each_without(placed, |slot| slots.push(slot));
        slots.retain(|&slot| !self.quiet.has(slot));
        slots
    }

    /// Whether the operation in `slot` need not take effect.
    pub(super) fn is_optional(&self, slot: usize) -> bool {
        self.optional.has(slot)
    }

    /// The open operations, by slot.
    pub(crate) fn slots(&self) -> &[Option<Open>] {
        &self.slots
    }

    /// The operation in `slot` returns: it has taken effect by now, unless it is optional. Whether anything can have
    /// happened.
    pub(crate) fn settle<S: Spec>(
        &mut self,
        space: &mut Space<'_, S>,
        scratch: &mut Scratch<M>,
        slot: usize,
        told: Told,
        budget: &dyn Budget,
    ) -> Result<bool, Limit> {
        scratch.begin();
        let configs = std::mem::take(&mut self.configs);
        let mut out = Vec::with_capacity(configs.len());
        let optional = self.optional.has(slot);
        let before = configs.len() * size_of::<(Config<M>, TrailId)>();
        for (at, (config, trail)) in configs.into_iter().enumerate() {
            // This is much less than to try an operation.
            scratch.work += usize::from(at % 8 == 0);
            self.ask(space, scratch, before, &out, budget)?;
            if config.placed.has(slot) {
                self.leave(space, scratch, &mut out, (config, trail), slot, told);
                continue;
            }
            if optional {
                scratch.finish(&mut out, config.clone(), trail);
            }
            if scratch.seen.insert(config.clone()) {
                scratch.todo.push((config, trail));
            }
        }
        while let Some((config, trail)) = scratch.todo.pop() {
            scratch.work += 1;
            self.extend(
                space,
                scratch,
                &mut out,
                (config, trail),
                slot,
                told,
                budget,
            )?;
        }
        self.release(slot);
        self.configs = out;
        if optional || !self.optional.is_empty() {
            let mut configs = std::mem::take(&mut self.configs);
            drop_dominated(&mut configs, &self.optional, &mut |work, configs| {
                scratch.work += work;
                self.ask(space, scratch, 0, configs, budget)
            })?;
            self.configs = configs;
        }
        Ok(!self.configs.is_empty())
    }

    /// Places one more open operation in every possible way.
    #[expect(clippy::too_many_arguments, reason = "what a step of the search needs")]
    fn extend<S: Spec>(
        &self,
        space: &mut Space<'_, S>,
        scratch: &mut Scratch<M>,
        out: &mut Vec<(Config<M>, TrailId)>,
        (mut config, mut trail): (Config<M>, TrailId),
        slot: usize,
        told: Told,
        budget: &dyn Budget,
    ) -> Result<(), Limit> {
        self.place_quiet(space, scratch, &mut config, &mut trail);
        if config.placed.has(slot) {
            self.leave(space, scratch, out, (config, trail), slot, told);
            return Ok(());
        }
        let mut limit = None;
        if let Some(tried) = &mut scratch.tried {
            tried.push((config.clone(), trail));
        }
        let mut not = config.placed.clone();
        self.quiet.each_without(&config.placed, |q| not.insert(q));
        self.open.each_without(&not, |q| {
            let open = self.slots[q].expect("an open slot holds an operation");
            if limit.is_some() || !self.is_due(q, &config.placed) {
                return;
            }
            scratch.work += 1;
            limit = self.ask(space, scratch, 0, out, budget).err();
            let optional = self.optional.has(q);
            let (from, to) = space.step(config.state, open.act);
            for at in from..to {
                let (state, result) = space.next(at);
                if optional && state == config.state {
                    continue;
                }
                let mut next = Config {
                    state,
                    note: config.note,
                    placed: config.placed.clone(),
                };
                next.placed.insert(q);
                if q == slot {
                    if told.allows(result) {
                        scratch.note_result(told, result);
                        let trail = scratch.follow(trail, open.op, state);
                        next.placed.remove(q);
                        scratch.finish(out, next, trail);
                    }
                    continue;
                }
                if open.ret == UNTOLD {
                    next.note = space.remember(config.note, q, result);
                }
                scratch.enter(next, trail, open.op);
            }
        });
        if limit.is_none() && space.spec().most_together() > 1 {
            self.meet(space, scratch, out, (&config, trail), slot, told);
        }
        limit.map_or(Ok(()), Err)
    }

    /// Places every move that cannot change the state and fits.
    fn place_quiet<S: Spec>(
        &self,
        space: &mut Space<'_, S>,
        scratch: &mut Scratch<M>,
        config: &mut Config<M>,
        trail: &mut TrailId,
    ) {
        loop {
            let before = config.placed.clone();
            let mut waiting = false;
            self.quiet.each_without(&before, |q| {
                let open = self.slots[q].expect("an open slot holds an operation");
                let (from, to) = space.step(config.state, open.act);
                if from == to {
                    return;
                }
                if open.waits && !self.is_due(q, &config.placed) {
                    waiting = true;
                    return;
                }
                debug_assert_eq!(space.next(from).0, config.state, "observers change nothing");
                config.placed.insert(q);
                *trail = scratch.follow(*trail, open.op, config.state);
            });
            // Whoever waited for an operation that was placed just now has its turn.
            if !waiting || before == config.placed {
                return;
            }
        }
    }

    /// Orders the new operation among the open ones with the same move, by when they must have taken effect. Two that
    /// exchange their places must not pass by operations that wait for them or that they wait for.
    fn rank_among_its_like(&mut self, slot: usize, open: Open) {
        if open.ret == UNTOLD || open.waits || open.is_waited_for {
            return;
        }
        let likes = self.likes.entry(open.act).or_default();
        let new = (open.ret, open.position, slot);
        let at = likes.partition_point(|&other| other < new);
        likes.insert(at, new);
        self.elder[slot] = at.checked_sub(1).map(|before| likes[before].2);
        if let Some(&(_, _, younger)) = likes.get(at + 1) {
            self.elder[younger] = Some(slot);
        }
    }

    /// The operation in `slot` is no longer open.
    fn leave_its_like(&mut self, slot: usize) {
        let Some(open) = self.slots[slot] else { return };
        let Some(likes) = self.likes.get_mut(&open.act) else {
            return;
        };
        if let Ok(at) = likes.binary_search(&(open.ret, open.position, slot)) {
            likes.remove(at);
            if let Some(&(_, _, younger)) = likes.get(at) {
                self.elder[younger] = self.elder[slot];
            }
            if likes.is_empty() {
                self.likes.remove(&open.act);
            }
        }
    }

    /// A configuration that contains the returning operation: it stays, without it, if it assumed the right result.
    fn leave<S: Spec>(
        &self,
        space: &mut Space<'_, S>,
        scratch: &mut Scratch<M>,
        out: &mut Vec<(Config<M>, TrailId)>,
        (mut config, trail): (Config<M>, TrailId),
        slot: usize,
        told: Told,
    ) {
        if told != Told::Before {
            match space.recall(config.note, slot) {
                Some((result, note)) if told.allows(result) => {
                    config.note = note;
                    scratch.note_result(told, result);
                }
                _ => return,
            }
        }
        config.placed.remove(slot);
        scratch.finish(out, config, trail);
    }

    fn release(&mut self, slot: usize) {
        self.leave_its_like(slot);
        self.slots[slot] = None;
        self.open.remove(slot);
        self.quiet.remove(slot);
        self.optional.remove(slot);
        self.firsts[slot].clear();
        self.elder[slot] = None;
    }

    /// Asks whether the search may go on, where enough was done since it last did. `more` bytes and `out` are held beside.
    fn ask<S: Spec>(
        &self,
        space: &Space<'_, S>,
        scratch: &mut Scratch<M>,
        more: usize,
        out: &Vec<(Config<M>, TrailId)>,
        budget: &dyn Budget,
    ) -> Result<(), Limit> {
        if scratch.work < ASK_EVERY {
            return Ok(());
        }
        scratch.work = 0;
        let held = more + self.memory(space, scratch, (out.len(), out.capacity()));
        budget.exhausted(held).map_or(Ok(()), Err)
    }

    /// Forgets the states that no configuration is in, where that is worth it.
    pub(crate) fn tidy<S: Spec>(&mut self, space: &mut Space<'_, S>) {
        if space.is_crowded(self.configs.len()) {
            space.forget(self.configs.iter_mut().map(|(config, _)| &mut config.state));
        }
    }

    /// About how many bytes the search holds, with a list of so many configurations and places for them that comes out of it.
    fn memory<S: Spec>(
        &self,
        space: &Space<'_, S>,
        scratch: &Scratch<M>,
        out: (usize, usize),
    ) -> usize {
        let Scratch {
            todo, seen, done, ..
        } = scratch;
        let list = |(len, capacity)| footprint::list::<(Config<M>, TrailId)>(len, capacity);
        let table = |set: &FxHashSet<_>| footprint::table::<Config<M>>(set.len(), set.capacity());
        let tried = scratch.tried.as_ref();
        let tried = tried.map_or((0, 0), |tried| (tried.len(), tried.capacity()));
        let steps = scratch.trail.as_ref();
        let steps = steps.map_or((0, 0), |trail| (trail.steps.len(), trail.steps.capacity()));
        let sets = out.0 + tried.0 + todo.len() + seen.len() + done.len();
        // Those that come out are sorted by keys of three numbers.
        let sorting = out.0 * size_of::<[u32; 4]>();
        list(out)
            + list(tried)
            + list((todo.len(), todo.capacity()))
            + table(seen)
            + table(done)
            + sets * M::heap(self.slots.len())
            + sorting
            + footprint::list::<(OpId, StateId, TrailId)>(steps.0, steps.1)
            + space.memory()
    }
}

/// The return time of an operation whose result will be told when it returns.
pub(crate) const UNTOLD: Time = Time::MAX - 1;

impl<M: Mask> Scratch<M> {
    /// Makes room for another return. One huge step must not make every later one pay for clearing its tables.
    fn begin(&mut self) {
        self.todo.clear();
        for set in [&mut self.seen, &mut self.done] {
            if set.capacity() > 64 * (set.len() + 16) {
                set.shrink_to(set.len());
            }
            set.clear();
        }
        if let Some(tried) = &mut self.tried {
            tried.clear();
        }
    }

    pub(super) fn note_result(&mut self, told: Told, result: ResultId) {
        if told == Told::Anything
            && let Some(results) = &mut self.results
        {
            results.insert(result);
        }
    }

    pub(super) fn follow(&mut self, before: TrailId, op: OpId, state: StateId) -> TrailId {
        let Some(trail) = &mut self.trail else {
            return 0;
        };
        trail.steps.push((op, state, before));
        u32::try_from(trail.steps.len() - 1).expect("a trail is kept for small histories only")
    }

    /// A configuration to extend later, unless it was met before.
    pub(super) fn enter(&mut self, config: Config<M>, trail: TrailId, op: OpId) {
        if self.seen.insert(config.clone()) {
            // Wide sets take longer.
            self.work += config.placed.words() / 64;
            let trail = self.follow(trail, op, config.state);
            self.todo.push((config, trail));
        }
    }

    /// A configuration that contains the returning operation.
    pub(super) fn finish(
        &mut self,
        out: &mut Vec<(Config<M>, TrailId)>,
        config: Config<M>,
        trail: TrailId,
    ) {
        if self.done.insert(config.clone()) {
            out.push((config, trail));
        }
    }
}
