//! The order of a bad run's steps, told so that a client with other operations can follow it.
//!
//! A smaller client takes other steps: lists are shorter, compare-and-swaps succeed at once. If choices were followed one by one, an operation that takes
//! one step less would shift all that come after it. So every step is named by the operation it belongs to and by its place in the source, and
//! each operation is aligned for itself: it waits where the recorded one waited and has returned when the recorded one had.

use super::split::calls;
use linspect_core::execution::{Activation, Execution, SiteId};
use linspect_core::schedule::{Choice, ThreadId};
use linspect_explore::strategies::{Scene, Strategy};
use rustc_hash::FxHashMap;

/// The order of a run's steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepOrder {
    turns: Vec<Turn>,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn {
    /// The operation that takes it.
    of: Activation,
    branch: u8,
    /// Where it stands in the source.
    site: Option<SiteId>,
    /// Whether the operation returns in it.
    returns: bool,
}

impl StepOrder {
    /// The order of the steps of `execution`.
    pub fn of(execution: &Execution) -> Self {
        Self::project(execution, Some)
    }

    /// The order of those steps whose operation becomes one of another client. Threads that operations started themselves keep their own order.
    pub(crate) fn project(
        execution: &Execution,
        becomes: impl Fn(Activation) -> Option<Activation>,
    ) -> Self {
        let becomes: FxHashMap<Activation, Activation> = calls(execution)
            .into_iter()
            .filter_map(|a| Some((a, becomes(a)?)))
            .collect();
        let mut running: FxHashMap<ThreadId, Activation> = FxHashMap::default();
        let mut turns = Vec::new();
        for step in &execution.steps {
            let thread = step.choice.thread;
            if let Some(called) = step.called {
                running.insert(thread, called);
            }
            let new = running.get(&thread).and_then(|a| becomes.get(a));
            turns.extend(new.map(|&of| Turn {
                of,
                branch: step.choice.branch,
                site: step.accesses.first().map(|a| a.site),
                returns: step.returned.is_some(),
            }));
        }
        Self { turns }
    }

    /// The threads in their order.
    pub fn threads(&self) -> impl Iterator<Item = ThreadId> + '_ {
        self.turns.iter().map(|turn| turn.of.thread)
    }

    /// Whether the operation of turn `at` comes to `site` after that turn.
    fn comes_to(&self, at: usize, site: Option<SiteId>) -> bool {
        let of = self.turns[at].of;
        let mut own = self.turns[at + 1..].iter().filter(|turn| turn.of == of);
        own.find(|turn| turn.site == site || turn.returns)
            .is_some_and(|turn| turn.site == site)
    }
}

/// Runs a client in a given order, as far as it can.
pub(crate) struct Imitation<'a> {
    order: &'a StepOrder,
    at: usize,
    /// Per thread of the client, how many operations have returned.
    returned: Vec<u16>,
}

/// What a turn comes to in another client.
enum Part {
    /// Nothing (more).
    Over,
    /// Exactly this step.
    Now(Choice),
    /// Something has to be done before.
    Before(Choice),
}

impl<'a> Imitation<'a> {
    /// For a client of so many threads.
    pub(crate) fn new(order: &'a StepOrder, threads: usize) -> Self {
        Self {
            order,
            at: 0,
            returned: vec![0; threads],
        }
    }

    fn part(&self, turn: &Turn, scene: &Scene<'_>) -> Part {
        let thread = turn.of.thread;
        let returned = self.returned[usize::from(thread)];
        if returned > turn.of.index {
            return Part::Over;
        }
        let mut ways = scene.ready.iter().filter(|c| c.thread == thread);
        let Some(any) = ways.next() else {
            // It waits; perhaps for a thread that nobody recorded.
            let unrecorded = |c: &&Choice| usize::from(c.thread) >= self.returned.len();
            let other = scene.ready.iter().find(unrecorded);
            return other.map_or(Part::Over, |c| Part::Before(*c));
        };
        let choice = *ways.find(|c| c.branch == turn.branch).unwrap_or(any);
        if returned < turn.of.index || turn.returns {
            return Part::Before(choice);
        }
        let site = (scene.next_site)(thread);
        if site == turn.site {
            Part::Now(choice)
        } else if self.order.comes_to(self.at, site) {
            Part::Over
        } else {
            Part::Before(choice)
        }
    }
}

impl Strategy for Imitation<'_> {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        if let Some((ended, _)) = scene.last.and_then(|step| step.returned.as_ref())
            && let Some(returned) = self.returned.get_mut(usize::from(ended.thread))
        {
            *returned = ended.index + 1;
        }
        while let Some(turn) = self.order.turns.get(self.at) {
            match self.part(turn, scene) {
                Part::Over => self.at += 1,
                Part::Now(choice) => {
                    self.at += 1;
                    return Some(choice);
                }
                Part::Before(choice) => return Some(choice),
            }
        }
        scene.ready.first().copied()
    }
}
