//! Depth first, where the object is a row of elements: one row that is changed and changed back, instead of states.
//!
//! The search is that of [`super::depth_first`] and leaves out the same. It differs in what it costs: a step changes one end of the row, and nothing is
//! remembered of a place before everything that follows from it was tried in vain. So a search that goes straight to the end remembers nothing.
//!
//! There are two. One tries operations in the order of their calls, as porcupine does, but those that never return last, and says the same as the frontier. The
//! other looks ahead ([`Foresight`]): it turns back where elements cannot leave as they stand, or where one is missing that somebody takes later. It tries
//! operations in the order of their returns first and begins anew with another guess from time to time. It only finds orders, and where it has tried everything it
//! gives up.

use super::competition::Contender;
use super::dead_ends::DeadEnds;
use super::footprint;
use super::foresight::Foresight;
use super::mask::Mask;
use super::plan::Plan;
use super::row::{Change, Deed, Deeds, Row};
use super::timeline::Timeline;
use super::{Found, Op};
use crate::history::{NEVER, OpId, Outcome, Time};
use crate::spec::Spec;

/// A depth-first search among orders of effects on a row.
pub(crate) struct RowSearch<'a, S: Spec, M> {
    line: Timeline<'a, S, M>,
    deeds: Vec<Deed>,
    row: Row,
    stack: Vec<Frame<M>>,
    /// The operations placed so far, by position, and what each changed.
    path: Vec<(u32, Change)>,
    dead_ends: DeadEnds<M>,
    /// The furthest return that the search stood before.
    furthest: u32,
    /// Per operation, by position, when its turn to be tried comes.
    ranks: Vec<u32>,
    /// Per operation, by position, the one with the same move that must return right before it.
    elders: Vec<Option<u32>>,
    foresight: Option<Foresight>,
    found: Option<Found>,
    gave_up: bool,
    /// Steps taken, for whoever compares efforts.
    work: u64,
}

/// A place on the way, and what was tried there.
struct Frame<M> {
    /// Before this return.
    at: u32,
    /// Open operations that took effect.
    placed: M,
    /// Whoever comes before this one was tried.
    next_rank: u32,
    /// Whether it was tried to go on without the returning one, or need not be.
    has_skipped: bool,
    /// How long the path is here.
    path: usize,
}

impl<'a, S: Spec, M: Mask> RowSearch<'a, S, M> {
    /// A search for an order of effects of `ops`, sorted by `from`; nothing if the object is not a row.
    pub(crate) fn new(
        spec: &S,
        ops: &'a [Op<'a, S>],
        plan: &Plan,
        looks_ahead: bool,
    ) -> Option<Self> {
        let deeds = Deeds::new(spec, ops)?;
        let mut search = Self {
            line: Timeline::new(spec, ops, plan.clone()),
            row: Row::new(spec.room()),
            stack: Vec::new(),
            path: Vec::new(),
            dead_ends: DeadEnds::default(),
            furthest: 0,
            ranks: first_ranks(ops, looks_ahead),
            elders: plan.elders(ops),
            foresight: looks_ahead.then(|| Foresight::new(&deeds, ops)),
            deeds: deeds.of,
            found: None,
            gave_up: false,
            work: 0,
        };
        search.begin();
        Some(search)
    }

    /// The operations in the order that was found.
    pub(crate) fn order(&self) -> impl Iterator<Item = OpId> {
        let id = |&(position, _): &(u32, Change)| self.line.ops[position as usize].id;
        self.path.iter().map(id)
    }

    /// Begins with what is guessed now.
    fn begin(&mut self) {
        if let Some(foresight) = &mut self.foresight {
            foresight.until = self.work.saturating_add(foresight.guess.worth());
        }
        self.enter(0, M::default());
    }

    /// Begins anew with another guess.
    fn begin_anew(&mut self) {
        self.go_back(0);
        self.stack.clear();
        self.dead_ends = DeadEnds::default();
        self.line.go_to(0);
        if let Some(foresight) = &mut self.foresight {
            foresight.guess.again();
            foresight.turned_back = false;
            let guess = &foresight.guess;
            self.ranks = ranks(self.ranks.len(), |position| guess.moment(position));
        }
        self.begin();
    }

    /// Tries the next thing.
    fn step(&mut self) {
        self.work += 1;
        if self.foresight.as_ref().is_some_and(|f| self.work > f.until) {
            self.begin_anew();
            return;
        }
        let Some(frame) = self.stack.last() else {
            match self.foresight.as_ref().is_some_and(|f| f.turned_back) {
                true => self.gave_up = true,
                false => self.found = Some(Found::Refused(self.line.returning(self.furthest))),
            }
            return;
        };
        let (at, length) = (frame.at, frame.path);
        self.go_back(length);
        self.line.go_to(at);
        if let Some(frame) = self.stack.last_mut()
            && !frame.has_skipped
        {
            frame.has_skipped = true;
            let placed = frame.placed.clone();
            self.line.go_to(at + 1);
            self.enter(at + 1, placed);
            return;
        }
        while let Some((rank, slot, change)) = self.next_move() {
            let position = self.line.open_in(slot).position;
            let Some(frame) = self.stack.last_mut() else {
                return;
            };
            frame.next_rank = rank + 1;
            let mut placed = frame.placed.clone();
            self.row.make(change);
            if !self.has_a_future(&placed, slot, position, change) {
                self.row.undo(change);
                continue;
            }
            self.path.push((position, change));
            placed.insert(slot);
            self.enter(at, placed);
            return;
        }
        if let Some(frame) = self.stack.pop() {
            self.dead_ends.insert(frame.at, frame.placed, &self.row);
        }
    }

    /// The open operation whose turn it is at the top of the stack, its slot, and what it changes.
    fn next_move(&mut self) -> Option<(u32, usize, Change)> {
        let frame = self.stack.last()?;
        let line = &self.line;
        let mut best: Option<(u32, usize, Change)> = None;
        let mut looked = 0;
        line.open.each_without(&frame.placed, |slot| {
            looked += 1;
            if line.quiet.has(slot) {
                return;
            }
            let open = line.open_in(slot);
            let rank = self.ranks[open.position as usize];
            if rank < frame.next_rank || best.is_some_and(|(first, ..)| first < rank) {
                return;
            }
            let Some(change) = self.row.change(self.deeds[open.position as usize]) else {
                return;
            };
            if change == Change::Nothing && line.optional.has(slot) {
                return;
            }
            if self.waits_for_its_like(open.position, &frame.placed)
                || (open.waits && !line.is_turn(slot, &frame.placed))
            {
                return;
            }
            best = Some((rank, slot, change));
        });
        self.work += looked / 32;
        best
    }

    /// Whether an open operation with the same move has to be placed before the one at `position`.
    fn waits_for_its_like(&self, position: u32, placed: &M) -> bool {
        let called = self.line.called_so_far();
        let mut elder = self.elders[position as usize];
        while let Some(other) = elder
            && other >= called
        {
            elder = self.elders[other as usize];
        }
        elder.is_some_and(|other| {
            let slot = self.line.slot_of[other as usize] as usize;
            // Who returned before does not count, nor who returned before that.
            let is_open = self.line.slots[slot].is_some_and(|open| open.position == other);
            is_open && !placed.has(slot)
        })
    }

    /// Whether there may be a way on after the operation at `position` in `slot` made `change`; always, for whoever does not look ahead.
    fn has_a_future(&mut self, placed: &M, slot: usize, position: u32, change: Change) -> bool {
        let Some(foresight) = &mut self.foresight else {
            return true;
        };
        let line = &self.line;
        let not_yet = || line.not_yet(placed, slot);
        let fits = foresight.takes_a_spare(position, change)
            && foresight.fits(&self.row, not_yet, line.called_so_far());
        if !fits {
            self.work += 1;
            foresight.turned_back = true;
            return false;
        }
        foresight.count(position, change, 1);
        true
    }

    /// Takes back what was done after the first `length` operations.
    fn go_back(&mut self, length: usize) {
        while self.path.len() > length
            && let Some((position, change)) = self.path.pop()
        {
            self.row.undo(change);
            if let Some(foresight) = &mut self.foresight {
                foresight.count(position, change, -1);
            }
        }
    }

    /// Goes on from a place: past all returns whose operations are placed, up to the next that waits.
    fn enter(&mut self, mut at: u32, mut placed: M) {
        let slot = loop {
            self.place_quiet(&mut placed);
            let Some(slot) = self.line.returning_slot() else {
                self.found = Some(Found::Order);
                return;
            };
            if !placed.has(slot) {
                break slot;
            }
            placed.remove(slot);
            at += 1;
            self.line.go_to(at);
        };
        self.furthest = self.furthest.max(at);
        if self.dead_ends.has(at, &placed, &self.row) {
            return;
        }
        self.stack.push(Frame {
            at,
            placed,
            next_rank: 0,
            has_skipped: !self.line.optional.has(slot),
            path: self.path.len(),
        });
    }

    /// Places every move that cannot change the row and fits.
    fn place_quiet(&mut self, placed: &mut M) {
        let Self {
            line,
            row,
            path,
            deeds,
            ..
        } = self;
        loop {
            let before = placed.clone();
            let mut waiting = false;
            line.quiet.each_without(&before, |slot| {
                let open = line.open_in(slot);
                if row.change(deeds[open.position as usize]).is_none() {
                    return;
                }
                if open.waits && !line.is_turn(slot, placed) {
                    waiting = true;
                    return;
                }
                placed.insert(slot);
                path.push((open.position, Change::Nothing));
            });
            if !waiting || before == *placed {
                return;
            }
        }
    }
}

/// When the turn of each operation to be tried comes at first. Who never returns comes last: it may not have taken effect.
fn first_ranks<S: Spec>(ops: &[Op<'_, S>], by_return: bool) -> Vec<u32> {
    ranks(ops.len(), |position| {
        let op = &ops[position as usize];
        match by_return {
            _ if *op.outcome == Outcome::Pending => NEVER,
            true => op.to,
            false => op.from,
        }
    })
}

/// The ranks of so many operations, by position, in the order of their moments.
fn ranks(count: usize, moment: impl Fn(u32) -> Time) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).take(count).collect();
    order.sort_unstable_by_key(|&position| (moment(position), position));
    let mut ranks = vec![0; count];
    for (rank, position) in (0..).zip(order) {
        ranks[position as usize] = rank;
    }
    ranks
}

impl<S: Spec, M: Mask> Contender for RowSearch<'_, S, M> {
    fn go_on(&mut self, steps: u64) -> Option<&Found> {
        let until = self.work.saturating_add(steps);
        while self.found.is_none() && !self.gave_up && self.work < until {
            self.step();
        }
        self.found.as_ref()
    }

    fn gave_up(&self) -> bool {
        self.gave_up
    }

    fn furthest(&self) -> u32 {
        self.furthest
    }

    fn memory(&self) -> usize {
        let heap = M::heap(self.line.slots.len());
        footprint::list::<Frame<M>>(self.stack.len(), self.stack.capacity())
            + self.stack.len() * heap
            + footprint::list::<(u32, Change)>(self.path.len(), self.path.capacity())
            + self.ranks.len() * 64
            + self.dead_ends.memory(heap)
            + self.line.memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::question::Question;
    use crate::check::search::dead_ends::DeadEnd;
    use crate::check::search::mask::Wide;
    use crate::check::search::space::Space;
    use crate::history::History;
    use crate::spec::{Builtin, Deque};
    use crate::verdict::Criterion;

    fn deque() -> Deque {
        match Builtin::named("deque") {
            Ok(Builtin::Deque(deque)) => deque,
            _ => panic!("there is a deque"),
        }
    }

    /// What a search says of `history` that looks ahead or not, and how many steps it took.
    fn searched(history: &History, looks_ahead: bool) -> (Option<Found>, u64) {
        let deque = deque();
        let question =
            Question::new(history, &deque, Criterion::Linearizable).expect("known calls");
        let ops = question.ops(0);
        let plan = Plan::new(&mut Space::new(&deque), &ops);
        let mut search =
            RowSearch::<_, Wide>::new(&deque, &ops, &plan, looks_ahead).expect("a deque is a row");
        let said = search.go_on(u64::MAX).cloned();
        (said, search.work)
    }

    /// Takes of which nobody knows what they took, and elements that others take for certain.
    fn takes_that_find_nothing_to_spare(last: i64) -> History {
        let mut history = History::new();
        for client in 0..6 {
            let at = u64::from(client);
            history.push(client, "push_back", i64::from(client), (), at, at + 1);
            let id = history.push(10 + client, "pop_back", (), (), at, 100);
            history.operations[id as usize].outcome = Outcome::Unknown;
        }
        for n in 0..6 {
            let at = 20 + 2 * u64::try_from(n).expect("few");
            let element = if n == 5 { last } else { n };
            history.push(0, "pop_front", (), element, at, at + 1);
        }
        history
    }

    #[test]
    fn an_element_that_somebody_takes_for_certain_is_left_to_them() {
        let history = takes_that_find_nothing_to_spare(5);
        let (plainly, many) = searched(&history, false);
        let (ahead, few) = searched(&history, true);
        assert_eq!(
            (plainly, ahead),
            (Some(Found::Order), Some(Found::Order)),
            "both find an order"
        );
        assert!(2 * few < many, "{few} steps, and {many}");
    }

    #[test]
    fn who_looks_ahead_does_not_say_where_it_fails() {
        let history = takes_that_find_nothing_to_spare(6);
        let wrong = history.operations.len() - 1;
        let refused = u32::try_from(wrong).map(Found::Refused).ok();
        assert_eq!(searched(&history, false).0, refused);
        assert_eq!(searched(&history, true).0, None);
    }

    #[test]
    fn a_search_is_said_to_hold_no_less_than_it_does() {
        let deque = deque();
        let history = takes_that_find_nothing_to_spare(6);
        let question =
            Question::new(&history, &deque, Criterion::Linearizable).expect("known calls");
        let ops = question.ops(0);
        let plan = Plan::new(&mut Space::new(&deque), &ops);
        let mut search =
            RowSearch::<_, Wide>::new(&deque, &ops, &plan, false).expect("a deque is a row");
        let mut most = 0;
        while search.go_on(10).is_none() {
            let dead_ends = search.dead_ends.places.len() * size_of::<DeadEnd<Wide>>();
            let rows = search.dead_ends.rows.len() * size_of::<u32>();
            let stack = search.stack.len() * size_of::<Frame<Wide>>();
            assert!(search.memory() >= dead_ends + rows + stack);
            most = most.max(search.dead_ends.places.len());
        }
        assert!(most > 50, "{most} dead ends");
    }
}
