//! Depth first: one order of effects after the other.
//!
//! Wing and Gong, *Testing and verifying concurrent objects*, Journal of Parallel and Distributed Computing 17, 1993, with
//! the memory of Lowe, *Testing for linearizability*, Concurrency and Computation: Practice and Experience 29(4), 2017: a
//! pair of placed operations and a state from which there was no way is not entered again.
//!
//! It differs from both in what is remembered. The search stands before the first return whose operation is not placed. All
//! operations that returned before are placed, so a *place* is that return, the set of open operations that are
//! placed and the state: as small as the number of open operations, however long the history is. What is left out is what
//! [`super::frontier`] leaves out, for the same reasons.
//!
//! Where there is an order of effects and many choices, this finds it soon; where there is none, it may try them all. The
//! frontier is the other way round, so [`super`] lets them compete. Both say the same: the furthest return
//! that no place gets past is the one at which the frontier is empty. A search that looks ahead ([`Outlook`]) turns back before
//! that, so it only finds orders, and where it has tried everything it gives up. One that guesses ([`Guess`]) begins anew when it has followed a guess for
//! a while: it forgets where it was, and what it says in the end is the same.

use super::frontier::Open;
use super::guess::Guess;
use super::mask::{Mask, Wide};
use super::outlook::Outlook;
use super::plan::Plan;
use super::space::{Space, StateId};
use super::two_ends::TwoEnds;
use super::{Found, Op};
use crate::check::budget::Budget;
use crate::history::OpId;
use crate::spec::{Sequence, Spec};
use crate::verdict::{Limit, Placed};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::mem::size_of;

/// Where the search may stand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place<M> {
    /// Before this return.
    at: u32,
    state: StateId,
    /// Open operations that took effect.
    placed: M,
}

/// A place on the way, and what is still to be tried there.
struct Frame<M> {
    place: Place<M>,
    /// Where its choices begin among all that are to be tried.
    choices: usize,
    /// How long the path is here.
    path: usize,
}

/// One thing to try. What an open operation does here is asked when its turn comes: mostly an earlier choice was right.
#[derive(Clone, Copy)]
enum Choice {
    /// The open operation in this slot, in every way that there is.
    Try(u32),
    /// The same with this state after it.
    Place(u32, StateId),
    /// To go on without the returning one.
    Skip,
}

/// What is tried first where several operations could be next. No order is good for every history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// Who returns soonest: it is needed soonest. Who never returns comes last.
    Returned,
    /// Who took effect first, by a guess: at the beginning who was called first. After a while there is another guess.
    Guessed,
}

/// How a search looks ahead: by how elements stand, and who will take them out.
enum Ahead<'a> {
    Line(Outlook<'a>),
    TwoEnds(TwoEnds<'a>),
}

impl<'a> Ahead<'a> {
    /// How to look ahead in `ops`; nothing if elements of `spec` do not stand in a line.
    fn new<S: Spec>(spec: &S, ops: &[Op<'a, S>]) -> Option<Self> {
        let line = Outlook::new(spec, ops).map(Self::Line);
        line.or_else(|| TwoEnds::new(spec, ops).map(Self::TwoEnds))
    }

    /// Whether there may be a way on where elements stand like this, when of the operations called so far (`called` many) those at positions
    /// `not_yet` did not take effect.
    fn fits(
        &mut self,
        standing: &Sequence,
        not_yet: impl Iterator<Item = u32>,
        called: u32,
    ) -> bool {
        match self {
            Self::Line(line) => line.fits(standing.iter(), not_yet, called),
            Self::TwoEnds(ends) => ends.fits(standing.iter(), not_yet, called),
        }
    }
}

/// A depth-first search that can be interrupted at any step.
pub(crate) struct DepthFirst<'a, S: Spec, M> {
    space: Space<'a, S>,
    line: Line<'a, S, M>,
    stack: Vec<Frame<M>>,
    choices: Vec<Choice>,
    /// The operations placed so far, with the state after each.
    path: Vec<(OpId, StateId)>,
    seen: FxHashSet<Place<M>>,
    /// The furthest return that the search stood before.
    furthest: u32,
    /// What is tried first.
    guess: Option<Guess>,
    /// When it is time for another guess, in steps.
    until: u64,
    /// What is known of the future, if it looks ahead.
    ahead: Option<Ahead<'a>>,
    /// Whether it turned back for what it saw ahead.
    turned_back: bool,
    /// How often it looked ahead and how often it turned back for it.
    looks: u64,
    turns: u64,
    /// Open operations that could be next; working memory.
    next: Vec<(Open, u32)>,
    found: Option<Found>,
    /// Whether everything was tried and nothing found out.
    gave_up: bool,
    /// Steps taken, for whoever compares efforts.
    work: u64,
}

impl<'a, S: Spec, M: Mask> DepthFirst<'a, S, M> {
    /// A search for an order of effects of `ops`, sorted by `from`. `ahead`: it looks ahead, where it can.
    pub(crate) fn new(spec: &'a S, ops: &'a [Op<'a, S>], first: First, ahead: bool) -> Self {
        let mut space = Space::new(spec);
        let plan = Plan::new(&mut space, ops);
        let mut search = Self {
            space,
            line: Line::new(ops, plan),
            stack: Vec::new(),
            choices: Vec::new(),
            path: Vec::new(),
            seen: FxHashSet::default(),
            furthest: 0,
            guess: (first == First::Guessed).then(|| Guess::new(ops)),
            until: u64::MAX,
            ahead: ahead.then(|| Ahead::new(spec, ops)).flatten(),
            turned_back: false,
            looks: 0,
            turns: 0,
            next: Vec::new(),
            found: None,
            gave_up: false,
            work: 0,
        };
        search.line.begin(&search.space);
        search.begin();
        search
    }

    /// Begins with what is guessed now.
    fn begin(&mut self) {
        if let Some(guess) = &self.guess {
            self.until = self.work.saturating_add(guess.worth());
        }
        self.enter(Place {
            at: 0,
            state: 0,
            placed: M::default(),
        });
    }

    /// Begins anew with another guess. The states that were met stay known.
    fn begin_anew(&mut self) {
        if let Some(guess) = &mut self.guess {
            guess.again();
        }
        self.stack.clear();
        self.choices.clear();
        self.path.clear();
        self.seen.clear();
        self.turned_back = false;
        self.line.go_to(&self.space, 0);
        self.begin();
    }

    /// Searches on for about `steps` steps; what was found, if that is clear by then.
    pub(crate) fn go_on(&mut self, steps: u64) -> Option<&Found> {
        let until = self.work.saturating_add(steps);
        while self.found.is_none() && !self.gave_up && self.work < until {
            self.step();
        }
        self.found.as_ref()
    }

    /// Whether it has tried everything and found nothing out: it turned back where it saw no way ahead.
    pub(crate) fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// The furthest return that it stood before.
    pub(crate) fn furthest(&self) -> u32 {
        self.furthest
    }

    /// About how many bytes it holds.
    pub(crate) fn memory(&self) -> usize {
        let heap = M::heap(self.line.slots.len());
        (self.seen.capacity() + self.stack.capacity()) * (size_of::<Frame<M>>() + heap)
            + self.choices.capacity() * size_of::<Choice>()
            + self.path.capacity() * size_of::<(OpId, StateId)>()
            + self.guess.as_ref().map_or(0, Guess::memory)
            + self.line.memory()
            + self.space.memory()
    }

    /// Tries the next thing.
    fn step(&mut self) {
        self.work += 1;
        if self.work > self.until {
            self.begin_anew();
            return;
        }
        let Some(frame) = self.stack.last() else {
            if self.turned_back {
                self.gave_up = true;
            } else {
                self.found = Some(Found::Refused(self.line.returning(self.furthest)));
            }
            return;
        };
        self.path.truncate(frame.path);
        let end = frame.choices;
        let mut place = frame.place.clone();
        self.line.go_to(&self.space, place.at);
        while self.choices.len() > end {
            match self.choices.pop() {
                Some(Choice::Try(slot)) => {
                    self.list_ways(&place, slot);
                    continue;
                }
                Some(Choice::Place(slot, state)) => {
                    place.placed.insert(slot as usize);
                    place.state = state;
                    self.path.push((self.line.open_in(slot as usize).op, state));
                }
                Some(Choice::Skip) | None => {
                    place.at += 1;
                    self.line.go_to(&self.space, place.at);
                }
            }
            self.enter(place);
            return;
        }
        self.stack.pop();
    }

    /// Goes on from a place: past all returns whose operations are placed, up to the next that waits.
    fn enter(&mut self, mut place: Place<M>) {
        loop {
            self.place_quiet(&mut place);
            let Some(slot) = self.line.returning_slot() else {
                self.found = Some(Found::Order);
                return;
            };
            if !place.placed.has(slot) {
                break;
            }
            place.placed.remove(slot);
            place.at += 1;
            self.line.go_to(&self.space, place.at);
        }
        self.furthest = self.furthest.max(place.at);
        if !self.seen.insert(place.clone()) {
            return;
        }
        let choices = self.choices.len();
        self.choose(&place);
        self.stack.push(Frame {
            place,
            choices,
            path: self.path.len(),
        });
    }

    /// Places every move that cannot change the state and fits.
    fn place_quiet(&mut self, place: &mut Place<M>) {
        let Self {
            space, line, path, ..
        } = self;
        loop {
            let before = place.placed.clone();
            let mut waiting = false;
            line.quiet.each_without(&before, |slot| {
                let open = line.open_in(slot);
                let (from, to) = space.step(place.state, open.act);
                if from == to {
                    return;
                }
                if open.waits && !line.is_turn(slot, &place.placed) {
                    waiting = true;
                    return;
                }
                place.placed.insert(slot);
                path.push((open.op, place.state));
            });
            if !waiting || before == place.placed {
                return;
            }
        }
    }

    /// Lists what can be next, the likeliest last.
    fn choose(&mut self, place: &Place<M>) {
        let line = &self.line;
        let returning = line.returning_slot();
        self.next.clear();
        let mut not = place.placed.clone();
        line.quiet
            .each_without(&place.placed, |slot| not.insert(slot));
        line.open.each_without(&not, |slot| {
            let open = line.open_in(slot);
            if !open.waits || line.is_turn(slot, &place.placed) {
                self.next
                    .push((open, u32::try_from(slot).unwrap_or(u32::MAX)));
            }
        });
        self.work += self.next.len() as u64 / 16;
        // Of equal moves the one that must return first goes first.
        self.next
            .sort_unstable_by_key(|&(open, _)| (open.act, open.ret, open.position));
        self.next.dedup_by(|(later, _), (first, _)| {
            later.act == first.act && !first.waits && !later.is_waited_for
        });
        self.next
            .sort_unstable_by_key(|&(open, _)| match &self.guess {
                None => Reverse((open.ret, open.position)),
                Some(guess) => Reverse((guess.moment(open.position), open.position)),
            });
        let tries = self.next.iter().map(|&(_, slot)| Choice::Try(slot));
        self.choices.extend(tries);
        if returning.is_some_and(|slot| line.optional.has(slot)) {
            self.choices.push(Choice::Skip);
        }
    }

    /// Lists every way in which the operation in `slot` can be next.
    fn list_ways(&mut self, place: &Place<M>, slot: u32) {
        let line = &self.line;
        let optional = line.optional.has(slot as usize);
        let act = line.open_in(slot as usize).act;
        let (from, to) = self.space.step(place.state, act);
        for n in from..to {
            let (state, _) = self.space.next(n);
            if optional && state == place.state {
                continue;
            }
            if let Some(ahead) = &mut self.ahead
                && (self.looks < LOOKS || self.turns >= self.looks / WORTH)
                && let Some(standing) = self.space.spec().line(self.space.state(state))
            {
                self.work += 1;
                self.looks += 1;
                let not_yet = line.not_yet(&place.placed, slot as usize);
                if !ahead.fits(standing, not_yet, line.called_so_far()) {
                    self.turned_back = true;
                    self.turns += 1;
                    continue;
                }
            }
            self.choices.push(Choice::Place(slot, state));
        }
    }
}

/// Time, up to some return: which operations are open there.
struct Line<'a, S: Spec, M> {
    ops: &'a [Op<'a, S>],
    plan: Plan,
    /// Per operation, by position, its slot.
    slot_of: Vec<u32>,
    /// Per return, how many operations (idle ones included) are called up to it.
    called: Vec<u32>,
    /// Before which return we are.
    at: u32,
    /// The open operations, by slot.
    slots: Vec<Option<Open>>,
    open: M,
    quiet: M,
    optional: M,
}

impl<'a, S: Spec, M: Mask> Line<'a, S, M> {
    fn new(ops: &'a [Op<'a, S>], plan: Plan) -> Self {
        let (slot_of, called) = plan.slots(ops);
        let width = plan.widest;
        Self {
            ops,
            plan,
            slot_of,
            called,
            at: 0,
            slots: vec![None; width],
            open: M::default(),
            quiet: M::default(),
            optional: M::default(),
        }
    }

    fn memory(&self) -> usize {
        (self.slot_of.capacity() + self.called.capacity()) * size_of::<u32>()
            + self.ops.len() * 3 * size_of::<u64>()
    }

    fn open_in(&self, slot: usize) -> Open {
        self.slots[slot].expect("an open slot holds an operation")
    }

    /// The slot of the operation whose return is next.
    fn returning_slot(&self) -> Option<usize> {
        let &i = self.plan.returns.get(self.at as usize)?;
        Some(self.slot_of[i as usize] as usize)
    }

    /// How many operations are called up to the next return.
    fn called_so_far(&self) -> u32 {
        let all = || u32::try_from(self.ops.len()).unwrap_or(u32::MAX);
        self.called
            .get(self.at as usize)
            .copied()
            .unwrap_or_else(all)
    }

    /// The positions of open operations that are neither in `placed` nor in `slot`.
    fn not_yet(&self, placed: &M, slot: usize) -> impl Iterator<Item = u32> {
        let mut positions = SmallVec::<[u32; 32]>::new();
        self.open.each_without(placed, |other| {
            if other != slot {
                positions.push(self.open_in(other).position);
            }
        });
        positions.into_iter()
    }

    /// The operation of return `at`.
    fn returning(&self, at: u32) -> OpId {
        self.ops[self.plan.returns[at as usize] as usize].id
    }

    /// Whether the earlier operations of its process that the one in `slot` touches are placed.
    fn is_turn(&self, slot: usize, placed: &M) -> bool {
        let id = self.open_in(slot).position as usize;
        let before = self.plan.touched.get(&id);
        before.into_iter().flatten().all(|&p| {
            let slot = self.slot_of[p] as usize;
            let still_open = self.slots[slot].is_some_and(|open| open.position as usize == p);
            !still_open || placed.has(slot)
        })
    }

    fn begin(&mut self, space: &Space<'_, S>) {
        if let Some(&called) = self.called.first() {
            self.call(space, 0, called);
        }
    }

    /// Moves to before return `at`.
    fn go_to(&mut self, space: &Space<'_, S>, at: u32) {
        while self.at < at {
            let returned = self.plan.returns[self.at as usize] as usize;
            self.remove(returned);
            let from = self.called[self.at as usize];
            self.at += 1;
            if let Some(&to) = self.called.get(self.at as usize) {
                self.call(space, from, to);
            }
        }
        while self.at > at {
            let to = self.called.get(self.at as usize).copied();
            self.at -= 1;
            let from = self.called[self.at as usize];
            for i in from..to.unwrap_or(from) {
                if !self.plan.idle[i as usize] {
                    self.remove(i as usize);
                }
            }
            let returned = self.plan.returns[self.at as usize];
            self.call(space, returned, returned + 1);
        }
    }

    fn call(&mut self, space: &Space<'_, S>, from: u32, to: u32) {
        for i in from as usize..to as usize {
            if self.plan.idle[i] {
                continue;
            }
            let slot = self.slot_of[i] as usize;
            let open = self.plan.open(self.ops, i);
            self.slots[slot] = Some(open);
            self.open.insert(slot);
            if self.ops[i].is_optional() {
                self.optional.insert(slot);
            } else if space.is_quiet(open.act) {
                self.quiet.insert(slot);
            }
        }
    }

    fn remove(&mut self, i: usize) {
        let slot = self.slot_of[i] as usize;
        self.slots[slot] = None;
        self.open.remove(slot);
        self.quiet.remove(slot);
        self.optional.remove(slot);
    }
}

/// An order of effects of `ops`, sorted by `from`, each operation with the state after it; nothing if there is none.
pub(crate) fn order<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    budget: &dyn Budget,
) -> Result<Option<Vec<Placed>>, Limit> {
    let mut search = DepthFirst::<S, Wide>::new(spec, ops, First::Guessed, true);
    loop {
        match search.go_on(STEPS) {
            Some(Found::Order) => break,
            Some(Found::Refused(_)) => return Ok(None),
            None => {}
        }
        if search.gave_up() {
            return Ok(None);
        }
        if let Some(limit) = budget.exhausted(search.memory()) {
            return Err(limit);
        }
    }
    let placed = search.path.iter().map(|&(operation, state)| Placed {
        operation,
        state: spec.show(search.space.state(state)),
    });
    Ok(Some(placed.collect()))
}

/// Who looked ahead so often and turned back less than once in `WORTH` times looks no more: where values repeat, there is little to see.
const LOOKS: u64 = 256;
const WORTH: u64 = 16;

/// So many steps are taken before the budget is asked again.
const STEPS: u64 = 512;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::question::Question;
    use crate::history::History;
    use crate::spec::Builtin;
    use crate::verdict::Criterion;

    #[test]
    fn a_search_is_said_to_hold_no_less_than_it_does() {
        let Ok(Builtin::Queue(queue)) = Builtin::named("queue") else {
            panic!("there is a queue")
        };
        let mut history = History::new();
        for n in 0..200_u32 {
            let at = u64::from(n);
            history.push(n, "enqueue", i64::from(n), (), at, at + 2);
        }
        let question =
            Question::new(&history, &queue, Criterion::Linearizable).expect("known calls");
        let ops = question.ops(0);
        for first in [First::Guessed, First::Returned] {
            let mut search = DepthFirst::<_, Wide>::new(&queue, &ops, first, false);
            for _ in 0..100 {
                search.go_on(1);
                let places = search.seen.len() + search.stack.len();
                let least = places * size_of::<Place<Wide>>() + search.space.memory();
                assert!(search.memory() >= least, "{} {least}", search.memory());
            }
            assert!(search.stack.len() > 50, "{}", search.stack.len());
        }
    }
}
