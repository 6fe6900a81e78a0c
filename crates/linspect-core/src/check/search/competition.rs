//! Two searches compete for one answer.
//!
//! The frontier asks its budget, after equal amounts of work, whether it may go on. This budget lets a [`DepthFirst`] work
//! in the meantime and stops the frontier when the depth-first search has found the answer. How much each of them works is counted, never
//! timed, so that every run is the same; and both would say the same in the end.

use super::depth_first::DepthFirst;
use super::mask::Wide;
use super::{Found, Op};
use crate::check::budget::Budget;
use crate::spec::Spec;
use crate::verdict::Limit;
use std::cell::RefCell;

/// As long as the frontier does about as much work as there are operations, it is quick and the depth-first search gets only so many
/// steps per question; then, this many.
const STEPS: (u64, u64) = (32, 512);

/// At its first question it gets four steps per operation, but no more than this.
const FIRST: u64 = 100_000;

/// A budget that lets a depth-first search work.
pub(crate) struct Competition<'a, S: Spec> {
    spec: &'a S,
    ops: &'a [Op<'a, S>],
    outer: &'a dyn Budget,
    state: RefCell<State<'a, S>>,
}

struct State<'a, S: Spec> {
    depth_first: Option<DepthFirst<'a, S, Wide>>,
    /// Whether the depth-first search was given up for lack of memory.
    given_up: bool,
    questions: u64,
}

impl<'a, S: Spec> Competition<'a, S> {
    /// A depth-first search of `ops`, and `outer` limits for both.
    pub(crate) fn new(spec: &'a S, ops: &'a [Op<'a, S>], outer: &'a dyn Budget) -> Self {
        Self {
            spec,
            ops,
            outer,
            state: RefCell::new(State {
                depth_first: None,
                given_up: false,
                questions: 0,
            }),
        }
    }

    /// The answer of the depth-first search after the frontier stopped for `limit`. If only memory was short, it has all of it now.
    pub(crate) fn answer(self, limit: Limit) -> Result<Found, Limit> {
        let Some(mut depth_first) = self.state.into_inner().depth_first else {
            return Err(limit);
        };
        let mut limit = Some(limit).filter(|&limit| limit != Limit::Memory);
        loop {
            match (depth_first.go_on(0), limit) {
                (Some(found), _) => return Ok(found.clone()),
                (None, Some(limit)) => return Err(limit),
                (None, None) => {}
            }
            depth_first.go_on(STEPS.1);
            limit = self.outer.exhausted(depth_first.memory());
        }
    }
}

impl<S: Spec> Budget for Competition<'_, S> {
    fn exhausted(&self, memory: usize) -> Option<Limit> {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        state.questions += 1;
        if state.given_up {
            return self.outer.exhausted(memory);
        }
        let length = self.ops.len() as u64;
        let steps = match state.questions {
            // Most right histories are no longer than that, and most searches go straight to the end.
            1 => (4 * length).min(FIRST),
            asked if asked < 64 + length / 64 => STEPS.0,
            _ => STEPS.1,
        };
        let depth_first = state
            .depth_first
            .get_or_insert_with(|| DepthFirst::new(self.spec, self.ops));
        if depth_first.go_on(steps).is_some() {
            // The frontier need not go on.
            return Some(Limit::Interrupted);
        }
        let own = depth_first.memory();
        let limit = self.outer.exhausted(memory + own)?;
        if limit == Limit::Memory && own > memory {
            state.depth_first = None;
            state.given_up = true;
            return self.outer.exhausted(memory);
        }
        Some(limit)
    }
}
