//! Searches compete for one answer.
//!
//! The frontier asks its budget, after equal amounts of work, whether it may go on. This budget lets depth-first searches, one per order,
//! work in the meantime and stops the frontier when one of them has found the answer. How much each of them works is counted, never
//! timed, so that every run is the same; and all would say the same in the end.

use super::depth_first::{DepthFirst, First};
use super::mask::Mask;
use super::plan::Plan;
use super::row_search::RowSearch;
use super::{Found, Op};
use crate::check::budget::Budget;
use crate::spec::Spec;
use crate::verdict::Limit;
use std::cell::RefCell;
use std::marker::PhantomData;

/// As long as the frontier does about as much work as there are operations, it is quick and a depth-first search gets only so many
/// steps per question; then, this many.
const STEPS: (u64, u64) = (32, 512);

/// So many steps on a row take as long as one of a search that builds states.
const CHEAP: u64 = 8;

/// At its first question it gets four steps per operation, but no less and no more than this: where there are many choices, it goes
/// straight to the end or nowhere.
const FIRST: (u64, u64) = (20_000, 100_000);

/// Where many small questions are asked, most of which the frontier answers soon, a depth-first search begins when the frontier asks for this time, with so many steps per
/// operation, enough to go straight to the end, and gets that many at each of the next questions.
const BRIEF: (u64, u64, u64) = (2, 2, 256);

/// Whoever has not got as far as another search takes one step when that takes this many: where operations never return, one order
/// often goes straight to the end while the other tries everything.
const BEHIND: u64 = 2;

/// A search that can be interrupted at any step.
pub(crate) trait Contender {
    /// Searches on for about `steps` steps; what was found, if that is clear by then.
    fn go_on(&mut self, steps: u64) -> Option<&Found>;

    /// Whether it has tried everything and found nothing out: it turned back where it saw no way ahead.
    fn gave_up(&self) -> bool {
        false
    }

    /// The furthest return that it stood before.
    fn furthest(&self) -> u32;

    /// About how many bytes it holds.
    fn memory(&self) -> usize;
}

/// So many steps are taken before the budget is asked again, where nobody competes.
const ALONE: u64 = 512;

/// Lets `search` search alone; nothing if it gives up.
pub(crate) fn alone(
    search: &mut impl Contender,
    budget: &dyn Budget,
) -> Result<Option<Found>, Limit> {
    loop {
        if let Some(found) = search.go_on(ALONE) {
            return Ok(Some(found.clone()));
        }
        if search.gave_up() {
            return Ok(None);
        }
        if let Some(limit) = budget.exhausted(search.memory()) {
            return Err(limit);
        }
    }
}

/// A budget that lets depth-first searches work.
pub(crate) struct Competition<'a, S: Spec, M> {
    spec: &'a S,
    ops: &'a [Op<'a, S>],
    plan: &'a Plan,
    is_brief: bool,
    outer: &'a dyn Budget,
    state: RefCell<State<'a>>,
    mask: PhantomData<M>,
}

struct State<'a> {
    /// The depth-first searches that are not given up for lack of memory, once they have begun.
    searches: Vec<Box<dyn Contender + 'a>>,
    questions: u64,
    /// How many of their steps take as long as one that builds a state.
    pace: u64,
}

impl<'a, S: Spec, M: Mask + 'a> Competition<'a, S, M> {
    /// Depth-first searches of `ops`, and `outer` limits for all. `is_brief`: this is one of many small questions.
    pub(crate) fn new(
        spec: &'a S,
        ops: &'a [Op<'a, S>],
        plan: &'a Plan,
        is_brief: bool,
        outer: &'a dyn Budget,
    ) -> Self {
        Self {
            spec,
            ops,
            plan,
            is_brief,
            outer,
            state: RefCell::new(State {
                searches: Vec::new(),
                questions: 0,
                pace: 1,
            }),
            mask: PhantomData,
        }
    }

    /// The searches that work beside the frontier, and how many of their steps take as long as one that builds a state.
    fn searches(&self) -> (Vec<Box<dyn Contender + 'a>>, u64) {
        let row = |looks_ahead| {
            let search = RowSearch::<S, M>::new(self.spec, self.ops, self.plan, looks_ahead)?;
            Some(Box::new(search) as Box<dyn Contender + 'a>)
        };
        if let (Some(ahead), Some(plain)) = (row(true), row(false)) {
            return (vec![ahead, plain], CHEAP);
        }
        let new = |first| -> Box<dyn Contender + 'a> {
            Box::new(DepthFirst::<S, M>::new(self.spec, self.ops, first))
        };
        ([First::Guessed, First::Returned].map(new).into(), 1)
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
fn go_on(searches: &mut [Box<dyn Contender + '_>], steps: u64) -> bool {
    let furthest = searches.iter().map(|search| search.furthest()).max();
    searches.iter_mut().any(|search| {
        let share = match Some(search.furthest()) == furthest {
            true => steps,
            false => steps / BEHIND,
        };
        search.go_on(share).is_some()
    })
}

/// How many bytes searches hold.
fn held(searches: &[Box<dyn Contender + '_>]) -> usize {
    searches.iter().map(|search| search.memory()).sum()
}

/// Drops the search that holds the most.
fn give_up_largest(searches: &mut Vec<Box<dyn Contender + '_>>) {
    let sizes = searches.iter().map(|search| search.memory()).enumerate();
    if let Some((largest, _)) = sizes.max_by_key(|&(_, size)| size) {
        searches.remove(largest);
    }
}

impl<'a, S: Spec, M: Mask + 'a> Budget for Competition<'a, S, M> {
    fn exhausted(&self, memory: usize) -> Option<Limit> {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        state.questions += 1;
        let length = self.ops.len() as u64;
        let first = if self.is_brief { BRIEF.0 } else { 1 };
        if state.questions == first {
            (state.searches, state.pace) = self.searches();
        }
        let steps = match state.questions {
            asked if asked < first => 0,
            // Most right histories are no longer than that, and most searches go straight to the end.
            1 => (4 * length).clamp(FIRST.0, FIRST.1),
            asked if asked == first => (BRIEF.1 * length).max(STEPS.1),
            asked if self.is_brief && asked < 64 => BRIEF.2,
            asked if asked < 64 + length / 64 => STEPS.0 * state.pace,
            _ => STEPS.1 * state.pace,
        };
        for _ in 0..steps.div_ceil(STEPS.1).max(1) {
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
