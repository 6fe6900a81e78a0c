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
//! that no place gets past is the one at which the frontier is empty. One that guesses ([`Guess`]) begins anew when it has followed a guess for
//! a while: it forgets where it was, and what it says in the end is the same.

use super::competition::{Contender, alone};
use super::footprint;
use super::frontier::Open;
use super::guess::Guess;
use super::mask::{Mask, Wide};
use super::plan::Plan;
use super::space::{Space, StateId};
use super::timeline::Timeline;
use super::{Found, Op};
use crate::check::budget::Budget;
use crate::history::OpId;
use crate::spec::Spec;
use crate::verdict::{Limit, Placed};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

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

/// A depth-first search that can be interrupted at any step.
pub(crate) struct DepthFirst<'a, S: Spec, M> {
    space: Space<'a, S>,
    line: Timeline<'a, S, M>,
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
    /// Open operations that could be next; working memory.
    next: Vec<(Open, u32)>,
    found: Option<Found>,
    /// Steps taken, for whoever compares efforts.
    work: u64,
}

impl<'a, S: Spec, M: Mask> DepthFirst<'a, S, M> {
    /// A search for an order of effects of `ops`, sorted by `from`.
    pub(crate) fn new(spec: &'a S, ops: &'a [Op<'a, S>], first: First) -> Self {
        let mut space = Space::new(spec);
        let plan = Plan::new(&mut space, ops);
        let mut search = Self {
            space,
            line: Timeline::new(spec, ops, plan),
            stack: Vec::new(),
            choices: Vec::new(),
            path: Vec::new(),
            seen: FxHashSet::default(),
            furthest: 0,
            guess: (first == First::Guessed).then(|| Guess::new(ops)),
            until: u64::MAX,
            next: Vec::new(),
            found: None,
            work: 0,
        };
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
        self.line.go_to(0);
        self.begin();
    }

    /// Tries the next thing.
    fn step(&mut self) {
        self.work += 1;
        if self.work > self.until {
            self.begin_anew();
            return;
        }
        let Some(frame) = self.stack.last() else {
            self.found = Some(Found::Refused(self.line.returning(self.furthest)));
            return;
        };
        self.path.truncate(frame.path);
        let end = frame.choices;
        let mut place = frame.place.clone();
        self.line.go_to(place.at);
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
                    self.line.go_to(place.at);
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
            self.line.go_to(place.at);
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
            self.choices.push(Choice::Place(slot, state));
        }
    }
}

impl<S: Spec, M: Mask> Contender for DepthFirst<'_, S, M> {
    fn go_on(&mut self, steps: u64) -> Option<&Found> {
        let until = self.work.saturating_add(steps);
        while self.found.is_none() && self.work < until {
            self.step();
        }
        self.found.as_ref()
    }

    fn furthest(&self) -> u32 {
        self.furthest
    }

    fn memory(&self) -> usize {
        let heap = M::heap(self.line.slots.len());
        footprint::table::<Place<M>>(self.seen.len(), self.seen.capacity())
            + footprint::list::<Frame<M>>(self.stack.len(), self.stack.capacity())
            + (self.seen.len() + self.stack.len()) * heap
            + footprint::list::<Choice>(self.choices.len(), self.choices.capacity())
            + footprint::list::<(OpId, StateId)>(self.path.len(), self.path.capacity())
            + self.guess.as_ref().map_or(0, Guess::memory)
            + self.line.memory()
            + self.space.memory()
    }
}

/// An order of effects of `ops`, sorted by `from`, each operation with the state after it; nothing if there is none.
pub(crate) fn order<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    budget: &dyn Budget,
) -> Result<Option<Vec<Placed>>, Limit> {
    let mut search = DepthFirst::<S, Wide>::new(spec, ops, First::Guessed);
    if alone(&mut search, budget)? != Some(Found::Order) {
        return Ok(None);
    }
    let placed = search.path.iter().map(|&(operation, state)| Placed {
        operation,
        state: spec.show(search.space.state(state)),
    });
    Ok(Some(placed.collect()))
}

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
            let mut search = DepthFirst::<_, Wide>::new(&queue, &ops, first);
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
