//! Searches compete for one answer.
//!
//! The frontier asks its budget, after equal amounts of work, whether it may go on. This budget lets depth-first searches, one per order,
//! work in the meantime and stops the frontier when one of them has found the answer. How much each of them works is counted, never
//! timed, so that every run is the same; and all would say the same in the end.

use super::depth_first::{DepthFirst, First};
use super::mask::Mask;
use super::{Found, Op};
use crate::check::budget::Budget;
use crate::spec::Spec;
use crate::verdict::Limit;
use std::cell::RefCell;

/// As long as the frontier does about as much work as there are operations, it is quick and a depth-first search gets only so many
/// steps per question; then, this many.
const STEPS: (u64, u64) = (32, 512);

/// At its first question it gets four steps per operation, but no less and no more than this: where there are many choices, it goes
/// straight to the end or nowhere.
const FIRST: (u64, u64) = (20_000, 100_000);

/// Where many small questions are asked, most of which the frontier answers soon, it gets so many steps at the first of its questions, and that many at each of the next.
const BRIEF: (u64, u64) = (512, 256);

/// Whoever has not got as far as another search takes one step when that takes this many: where operations never return, one order
/// often goes straight to the end while the other tries everything.
const BEHIND: u64 = 4;

/// A budget that lets depth-first searches work.
pub(crate) struct Competition<'a, S: Spec, M> {
    spec: &'a S,
    ops: &'a [Op<'a, S>],
    is_brief: bool,
    outer: &'a dyn Budget,
    state: RefCell<State<'a, S, M>>,
}

struct State<'a, S: Spec, M> {
    /// The depth-first searches that are not given up for lack of memory, once they have begun.
    searches: Vec<DepthFirst<'a, S, M>>,
    questions: u64,
}

impl<'a, S: Spec, M: Mask> Competition<'a, S, M> {
    /// Depth-first searches of `ops`, and `outer` limits for all. `is_brief`: this is one of many small questions.
    pub(crate) fn new(
        spec: &'a S,
        ops: &'a [Op<'a, S>],
        is_brief: bool,
        outer: &'a dyn Budget,
    ) -> Self {
        Self {
            spec,
            ops,
            is_brief,
            outer,
            state: RefCell::new(State {
                searches: Vec::new(),
                questions: 0,
            }),
        }
    }

    /// The answer of a depth-first search after the frontier stopped for `limit`. If only memory was short, they have all of it now.
    pub(crate) fn answer(self, limit: Limit) -> Result<Found, Limit> {
        let mut searches = self.state.into_inner().searches;
        let mut reached = Some(limit).filter(|&limit| limit != Limit::Memory);
        loop {
            if let Some(found) = searches.iter_mut().find_map(|search| search.go_on(0)) {
                return Ok(found.clone());
            }
            if searches.is_empty() || reached.is_some_and(|limit| limit != Limit::Memory) {
                return Err(reached.unwrap_or(limit));
            }
            if reached.is_some() {
                give_up_largest(&mut searches);
            }
            go_on(&mut searches, STEPS.1);
            searches.retain(|search| !search.gave_up());
            reached = self.outer.exhausted(held(&searches));
        }
    }
}

/// Lets each search go on; whoever has got furthest for `steps` steps, the others for fewer. Whether one has found the answer.
fn go_on<S: Spec, M: Mask>(searches: &mut [DepthFirst<'_, S, M>], steps: u64) -> bool {
    let furthest = searches.iter().map(DepthFirst::furthest).max();
    searches.iter_mut().any(|search| {
        let share = match Some(search.furthest()) == furthest {
            true => steps,
            false => steps / BEHIND,
        };
        search.go_on(share).is_some()
    })
}

/// How many bytes searches hold.
fn held<S: Spec, M: Mask>(searches: &[DepthFirst<'_, S, M>]) -> usize {
    searches.iter().map(DepthFirst::memory).sum()
}

/// Drops the search that holds the most.
fn give_up_largest<S: Spec, M: Mask>(searches: &mut Vec<DepthFirst<'_, S, M>>) {
    let sizes = searches.iter().map(DepthFirst::memory).enumerate();
    if let Some((largest, _)) = sizes.max_by_key(|&(_, size)| size) {
        searches.remove(largest);
    }
}

impl<S: Spec, M: Mask> Budget for Competition<'_, S, M> {
    fn exhausted(&self, memory: usize) -> Option<Limit> {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        state.questions += 1;
        let length = self.ops.len() as u64;
        let steps = match state.questions {
            1 => {
                let new = |(first, ahead)| DepthFirst::new(self.spec, self.ops, first, ahead);
                let both = [(First::Guessed, true), (First::Returned, false)];
                state.searches = both.map(new).into();
                // Most right histories are no longer than that, and most searches go straight to the end.
                match self.is_brief {
                    true => BRIEF.0,
                    false => (4 * length).clamp(FIRST.0, FIRST.1),
                }
            }
            asked if self.is_brief && asked < 64 => BRIEF.1,
            asked if asked < 64 + length / 64 => STEPS.0,
            _ => STEPS.1,
        };
        for _ in 0..steps.div_ceil(STEPS.1) {
            if go_on(&mut state.searches, steps.min(STEPS.1)) {
                // The frontier need not go on.
                return Some(Limit::Interrupted);
            }
            state.searches.retain(|search| !search.gave_up());
            while let Some(limit) = self.outer.exhausted(memory + held(&state.searches)) {
                let own = held(&state.searches);
                if limit != Limit::Memory || own <= memory || state.searches.is_empty() {
                    return Some(limit);
                }
                give_up_largest(&mut state.searches);
            }
        }
        None
    }
}
