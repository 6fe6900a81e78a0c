//! Threads by priority, with changes at chosen steps: what PCT and D-PCT share.

use super::Scene;
use linspect_core::random::Random;
use linspect_core::schedule::{Choice, ThreadId};

/// Thread priorities. Threads start with random ones above all those that change points give.
#[derive(Clone, Debug)]
pub(super) struct Priorities {
    random: Random,
    /// Per thread seen so far; larger goes first.
    of: Vec<u64>,
    /// The next change point's priority, counting down.
    next_low: u64,
}

impl Priorities {
    /// Room for `changes` change points.
    pub(super) fn new(seed: u64, changes: u32) -> Self {
        Self {
            random: Random::new(seed),
            of: Vec::new(),
            next_low: u64::from(changes),
        }
    }

    pub(super) fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// The most important ready thread, going any way on.
    pub(super) fn choose(&mut self, scene: &Scene<'_>) -> Choice {
        let thread = self.first(scene);
        self.way_of(thread, scene)
    }

    /// Any way on of `thread`.
    pub(super) fn way_of(&mut self, thread: ThreadId, scene: &Scene<'_>) -> Choice {
        let ways: Vec<Choice> = scene
            .ready
            .iter()
            .copied()
            .filter(|choice| choice.thread == thread)
            .collect();
        *self.random.pick(&ways)
    }

    /// The most important ready thread.
    pub(super) fn first(&mut self, scene: &Scene<'_>) -> ThreadId {
        let mut best = scene.ready[0].thread;
        for choice in scene.ready {
            if self.priority(choice.thread) > self.priority(best) {
                best = choice.thread;
            }
        }
        best
    }

    /// A change point: `thread` becomes less important than all others and all earlier changes.
    pub(super) fn lower(&mut self, thread: ThreadId) {
        self.set(thread, self.next_low);
        self.next_low = self.next_low.saturating_sub(1);
    }

    /// Gives `thread` a priority.
    pub(super) fn set(&mut self, thread: ThreadId, priority: u64) {
        self.priority(thread);
        self.of[usize::from(thread)] = priority;
    }

    /// How many threads have been seen.
    pub(super) fn threads(&self) -> usize {
        self.of.len()
    }

    fn priority(&mut self, thread: ThreadId) -> u64 {
        while self.of.len() <= usize::from(thread) {
            // Ties have probability 2^-60 and go to the lower thread.
            self.of.push(self.random.bits() | (1 << 63));
        }
        self.of[usize::from(thread)]
    }
}
