//! What only spurious wake-ups and delays allow: the smallest clients once more, where a thread may wake at a condition though nobody wakes it, and one of a program may be late when it asks for the time.
//!
//! POSIX, C, C++ and Rust allow that, and systems do it seldom, so that code which counts on it never to happen is seldom seen to fail. Each thread wakes or is late so once at most. It
//! is explored where somebody slept or asked for the time in some run, and only after nothing was found without it: what is wrong anyway is easier to understand. What an object returns may depend on the time, so its operations are never late.

use crate::clock_budget::ClockBudget;
use crate::error::Error;
use crate::events::Events;
use crate::finding::coverage::{explored_beside, say_without_spurious};
use crate::investigate::Scope;
use crate::investigate_once;
use crate::investigated::{Investigated, SeenInRuns};
use crate::memory_models::is_wrong;
use crate::origin::Loaded;
use crate::request::{Request, Task};
use linspect_core::check::Budget;
use std::cell::OnceCell;
use std::time::{Duration, Instant};

const RIGHT_WITHOUT: &str = "note: only a spurious wake-up or a delay allows this: where nobody wakes by himself or is late, nothing was found";

/// What part of the budget that is left is for it: one of so many.
const SHARE: u32 = 4;

/// But no more than this, and than what the search took until then: a test that is done at once stays quick.
const IN_ANY_CASE: Duration = Duration::from_secs(2);

/// The most operations that run at once where no clock ends the search.
const OPERATIONS: usize = 2;

/// A search for what only spurious wake-ups allow, made when somebody first asks for it.
pub(super) struct SpuriousPhase<'a> {
    loaded: &'a Loaded,
    request: &'a Request,
    events: &'a dyn Events,
    start: Instant,
    limits: ClockBudget,
    found: OnceCell<Result<Investigated, Error>>,
}

impl<'a> SpuriousPhase<'a> {
    /// Beside what `request` asks about a program; its budget runs from now on.
    pub(super) fn new(loaded: &'a Loaded, request: &'a Request, events: &'a dyn Events) -> Self {
        Self {
            loaded,
            request,
            events,
            start: Instant::now(),
            limits: request.effort.limits(),
            found: OnceCell::new(),
        }
    }

    /// Whether spurious wake-ups do no harm, as far as they are explored. It is asked where nothing is wrong without them.
    pub(super) fn is_right(&self, seen: SeenInRuns) -> bool {
        !self.has_more(seen) || !self.explored().as_ref().is_ok_and(is_wrong)
    }

    /// Says in `found`, which was found without spurious wake-ups, what was explored of them; what is wrong because of them, if something is.
    pub(super) fn conclude(self, found: &mut Investigated) -> Option<Investigated> {
        let slept = found.seen.sleeps && !self.loaded.settings.spurious;
        if is_wrong(found) || !slept {
            return None;
        }
        if self.has_more(found.seen) && self.limits.exhausted(0).is_none() {
            self.explored();
        }
        let start = self.start;
        match self.found.into_inner() {
            Some(Ok(mut wrong)) if is_wrong(&wrong) => {
                wrong.notes.push(RIGHT_WITHOUT.to_owned());
                wrong.elapsed = start.elapsed();
                return Some(wrong);
            }
            Some(Ok(right)) => {
                found.finding.spurious_wakeups =
                    Some(explored_beside(right.finding, "spurious wake-ups"));
                found.elapsed = start.elapsed();
            }
            Some(Err(error)) => {
                let note = format!("note: spurious wake-ups were not explored: {error}");
                found.notes.push(note);
                say_without_spurious(&mut found.finding.coverage);
            }
            None => say_without_spurious(&mut found.finding.coverage),
        }
        None
    }

    /// Whether there is something to explore. Who asks for the smallest k asks about another specification each time; who asks what is left of a
    /// search that others make in parts is not told of this one, which is made as a whole.
    fn has_more(&self, seen: SeenInRuns) -> bool {
        let is_search = matches!(self.request.task, Task::Search) && !self.request.min_k;
        seen.sleeps && is_search && !self.loaded.settings.spurious
    }

    fn explored(&self) -> &Result<Investigated, Error> {
        self.found.get_or_init(|| {
            let mut request = self.request.clone();
            let effort = &mut request.effort;
            effort.budget = share(effort.budget, self.limits.left());
            if effort.budget.is_none() {
                let asked = effort.operations.unwrap_or(OPERATIONS);
                effort.operations = Some(asked.min(OPERATIONS));
            }
            let promised = Scope::Unless(&|_| false);
            investigate_once(&self.loaded.waking_alone(), &request, promised, self.events)
        })
    }
}

/// The time for it, of a budget of which so much is left.
fn share(budget: Option<Duration>, left: Option<Duration>) -> Option<Duration> {
    let (budget, left) = (budget?, left?);
    let spent = budget.saturating_sub(left);
    Some((left / SHARE).min(IN_ANY_CASE + spent))
}
