//! Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: "A Randomized Scheduler with
//! Probabilistic Guarantees of Finding Bugs", ASPLOS 2010).
//!
//! Threads run by random priority; at d − 1 random steps among the k expected ones the running thread becomes the least
//! important. A fault of depth d is found in one run with probability at least [`guarantee`].

use super::priorities::Priorities;
use super::{Scene, Strategy};
use linspect_core::schedule::Choice;

/// One run of PCT.
#[derive(Clone, Debug)]
pub struct Pct {
    priorities: Priorities,
    /// The steps at which priorities change, latest first.
    changes: Vec<u64>,
}

impl Pct {
    /// The run that `seed` determines, for faults of depth `depth` in runs of about `steps` steps.
    pub fn new(seed: u64, depth: u32, steps: u64) -> Self {
        let count = depth.saturating_sub(1);
        let mut priorities = Priorities::new(seed, count);
        let mut changes: Vec<u64> = (0..count)
            .map(|_| priorities.random().below(steps.max(1) as usize) as u64)
            .collect();
        changes.sort_unstable_by(|a, b| b.cmp(a));
        Self {
            priorities,
            changes,
        }
    }
}

impl Strategy for Pct {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        let now = scene.taken as u64;
        while self.changes.last().is_some_and(|&at| at <= now) {
            self.changes.pop();
            let running = self.priorities.first(scene);
            self.priorities.lower(running);
        }
        Some(self.priorities.choose(scene))
    }
}

/// The least probability with which one run finds a fault of depth `depth`: 1 / (n·k^(d−1)).
pub fn guarantee(threads: usize, steps: u64, depth: u32) -> f64 {
    let exponent = i32::try_from(depth.saturating_sub(1)).unwrap_or(i32::MAX);
    1.0 / (threads.max(1) as f64 * (steps.max(1) as f64).powi(exponent))
}
