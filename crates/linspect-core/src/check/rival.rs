//! Two searches compete for one answer.
//!
//! The frontier asks its budget, after equal amounts of work, whether it may go on. This budget lets a [`Dive`] work
//! in the meantime and stops the frontier when the dive has found the answer. How much each of them works is counted, never
//! timed, so that every run is the same; and both would say the same in the end.

use super::budget::Budget;
use super::dive::Dive;
use super::mask::Wide;
use super::search::{Found, Op};
use crate::spec::Spec;
use crate::verdict::Limit;
use std::cell::RefCell;

/// As long as the frontier does about as much work as there are operations, it is quick and its rival gets only so many
/// steps per question; then, this many.
const STEPS: (u64, u64) = (32, 512);

/// At its first question the rival gets four steps per operation, but no more than this.
const FIRST: u64 = 100_000;

/// A budget that lets a dive work.
pub(crate) struct Rival<'a, S: Spec> {
    spec: &'a S,
    ops: &'a [Op<'a, S>],
    outer: &'a dyn Budget,
    state: RefCell<State<'a, S>>,
}

struct State<'a, S: Spec> {
    dive: Option<Dive<'a, S, Wide>>,
    /// Whether the dive was given up for lack of memory.
    given_up: bool,
    questions: u64,
}

impl<'a, S: Spec> Rival<'a, S> {
    /// A dive into `ops`, and `outer` limits for both.
    pub(crate) fn new(spec: &'a S, ops: &'a [Op<'a, S>], outer: &'a dyn Budget) -> Self {
        Self {
            spec,
            ops,
            outer,
            state: RefCell::new(State {
                dive: None,
                given_up: false,
                questions: 0,
            }),
        }
    }

    /// The answer of the dive after the frontier stopped for `limit`. If only memory was short, the dive has all of it now.
    pub(crate) fn answer(self, limit: Limit) -> Result<Found, Limit> {
        let Some(mut dive) = self.state.into_inner().dive else {
            return Err(limit);
        };
        let mut limit = Some(limit).filter(|&limit| limit != Limit::Memory);
        loop {
            match (dive.go_on(0), limit) {
                (Some(found), _) => return Ok(found.clone()),
                (None, Some(limit)) => return Err(limit),
                (None, None) => {}
            }
            dive.go_on(STEPS.1);
            limit = self.outer.exhausted(dive.memory());
        }
    }
}

impl<S: Spec> Budget for Rival<'_, S> {
    fn exhausted(&self, memory: usize) -> Option<Limit> {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        state.questions += 1;
        if state.given_up {
            return self.outer.exhausted(memory);
        }
        let length = self.ops.len() as u64;
        let steps = match state.questions {
            // Most right histories are no longer than that, and most dives straight.
            1 => (4 * length).min(FIRST),
            asked if asked < 64 + length / 64 => STEPS.0,
            _ => STEPS.1,
        };
        let dive = state
            .dive
            .get_or_insert_with(|| Dive::new(self.spec, self.ops));
        if dive.go_on(steps).is_some() {
            // The frontier need not go on.
            return Some(Limit::Interrupted);
        }
        let own = dive.memory();
        let limit = self.outer.exhausted(memory + own)?;
        if limit == Limit::Memory && own > memory {
            state.dive = None;
            state.given_up = true;
            return self.outer.exhausted(memory);
        }
        Some(limit)
    }
}
