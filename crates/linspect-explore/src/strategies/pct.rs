//! Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: "A Randomized Scheduler with
//! Probabilistic Guarantees of Finding Bugs", ASPLOS 2010).
//!
//! Threads run by random priority; at d − 1 random steps among the k expected ones the running thread becomes less important than all that have not been
//! interrupted. A fault of depth d is found in one run with probability at least [`guarantee`].
//!
//! As in the paper the change points are drawn in any order, and the i-th drawn gives priority i: which of two interrupted threads goes on first is left to
//! chance, and some faults need it one way, some the other. Two deviations make runs better without costing the guarantee. The points are
//! different steps, and not the first, where a change would only be another choice of priorities. And where there are only two threads a change gives the least
//! priority of all: otherwise every second one would change nothing.
//!
//! Threads that only start and join others ([`Parents`]) go on whenever they can, and neither they nor their steps count. Their steps commute with those of all others, so every
//! run has an equivalent one in which they come as soon as they can, and n and k of the guarantee are those of the threads that are left. Who helps is measured, as k is; where a parent
//! comes to memory that it did not use then, it is a thread like others.

use super::expected::{Expected, Parents};
use super::priorities::Priorities;
use super::{Scene, Strategy};
use linspect_core::schedule::Choice;

/// One run of PCT.
#[derive(Clone, Debug)]
pub struct Pct {
    priorities: Priorities,
    /// The steps at which priorities change, latest first, and the priority that each gives.
    changes: Vec<(u64, u64)>,
    parents: Parents,
    /// Steps of others than parents so far.
    taken: u64,
}

impl Pct {
    /// The run that `seed` determines, for faults of depth `depth` in runs that are about as long as `expected`.
    pub fn of(seed: u64, depth: u32, expected: &Expected) -> Self {
        Self {
            parents: expected.parents.clone(),
            ..Self::new(seed, depth, expected.steps_that_matter())
        }
    }

    /// The run that `seed` determines, for faults of depth `depth` in runs of about `steps` steps.
    pub fn new(seed: u64, depth: u32, steps: u64) -> Self {
        let places = steps.max(2) - 1;
        let count = u64::from(depth.saturating_sub(1)).min(places);
        let mut priorities = Priorities::new(seed, count as u32);
        let mut changes: Vec<(u64, u64)> = Vec::new();
        while (changes.len() as u64) < count {
            let at = 1 + priorities.random().below(places as usize) as u64;
            if changes.iter().all(|change| change.0 != at) {
                changes.push((at, changes.len() as u64 + 1));
            }
        }
        changes.sort_unstable_by(|a, b| b.cmp(a));
        Self {
            priorities,
            changes,
            parents: Parents::default(),
            taken: 0,
        }
    }
}

impl Strategy for Pct {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        if let Some(parent) = self.parents.ready(scene) {
            return Some(self.priorities.way_of(parent, scene));
        }
        let now = self.taken;
        self.taken += 1;
        while let Some(&(at, priority)) = self.changes.last()
            && at <= now
        {
            self.changes.pop();
            let running = self.priorities.first(scene);
            match self.priorities.threads().saturating_sub(self.parents.len()) {
                0..=2 => self.priorities.lower(running),
                _ => self.priorities.set(running, priority),
            }
        }
        Some(self.priorities.choose(scene))
    }
}

/// The least probability with which one run finds a fault of depth `depth`: 1 / (n·k^(d−1)).
pub fn guarantee(threads: usize, steps: u64, depth: u32) -> f64 {
    let exponent = i32::try_from(depth.saturating_sub(1)).unwrap_or(i32::MAX);
    1.0 / (threads.max(1) as f64 * (steps.max(1) as f64).powi(exponent))
}
