//! D-PCT of CGVT (coarse-grained violation traces): PCT that does not need to know the number of steps.
//!
//! The paper expects each operation to take as many visible steps as its control flow graph says with one round per loop. Here it
//! is expected to take as many as it takes in this very client when nobody interrupts it: what the graph estimates, measured. When an
//! operation goes on beyond that (another round) or ends before (another branch), the number of remaining steps is
//! computed again and the remaining change points are drawn again among them.

use super::priorities::Priorities;
use super::{Scene, Strategy};
use linspect_core::schedule::Choice;

/// Per thread, the number of visible steps expected of each of its operations, in order.
pub type Lengths = Vec<Vec<u32>>;

/// One run of D-PCT.
#[derive(Clone, Debug)]
pub struct Dpct {
    priorities: Priorities,
    threads: Vec<Progress>,
    /// How many change points are left.
    left: u32,
    /// The steps at which priorities change, latest first.
    changes: Vec<u64>,
}

/// How far a thread is with what is expected of it.
#[derive(Clone, Debug)]
struct Progress {
    expected: Vec<u32>,
    operation: usize,
    taken: u32,
}

impl Progress {
    /// Steps still to come.
    fn remaining(&self) -> u64 {
        let coming = self.expected.iter().skip(self.operation);
        let total: u64 = coming.map(|&n| u64::from(n)).sum();
        total.saturating_sub(u64::from(self.taken))
    }

    /// Notes a step; true if it was not as expected.
    fn step(&mut self, returned: bool) -> bool {
        self.taken += 1;
        let Some(expected) = self.expected.get_mut(self.operation) else {
            return false;
        };
        let surprise = if returned {
            self.taken != *expected
        } else {
            self.taken >= *expected
        };
        if returned {
            self.operation += 1;
            self.taken = 0;
        } else if surprise {
            // Another round of what it did so far.
            *expected += self.taken.max(1);
        }
        surprise
    }
}

impl Dpct {
    /// The run that `seed` determines, for faults of depth `depth`.
    pub fn new(seed: u64, depth: u32, expected: Lengths) -> Self {
        let left = depth.saturating_sub(1);
        let threads = expected
            .into_iter()
            .map(|expected| Progress {
                expected,
                operation: 0,
                taken: 0,
            })
            .collect();
        let mut dpct = Self {
            priorities: Priorities::new(seed, left),
            threads,
            left,
            changes: Vec::new(),
        };
        dpct.draw(0);
        dpct
    }

    /// Draws the remaining change points among the remaining steps.
    fn draw(&mut self, now: u64) {
        let remaining: u64 = self.threads.iter().map(Progress::remaining).sum();
        let random = self.priorities.random();
        self.changes = (0..self.left)
            .map(|_| now + random.below(remaining.max(1) as usize) as u64)
            .collect();
        self.changes.sort_unstable_by(|a, b| b.cmp(a));
    }
}

impl Strategy for Dpct {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        let now = scene.trace.events().len() as u64;
        if let Some(last) = scene.trace.events().last()
            && let Some(progress) = self.threads.get_mut(usize::from(last.thread()))
            && progress.step(last.step.returned.is_some())
        {
            self.draw(now);
        }
        while self.changes.last().is_some_and(|&at| at <= now) {
            self.changes.pop();
            self.left -= 1;
            let running = self.priorities.first(scene);
            self.priorities.lower(running);
        }
        Some(self.priorities.choose(scene))
    }
}
