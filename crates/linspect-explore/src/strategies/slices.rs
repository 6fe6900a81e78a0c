//! Threads that run freely, as an operating system lets them: each goes on for a while of random length before another one may.

use super::{Scene, Strategy};
use linspect_core::random::Random;
use linspect_core::schedule::Choice;

/// Any thread for some steps, then any other.
#[derive(Clone, Debug)]
pub struct Slices {
    random: Random,
    /// Steps in a slice, on average.
    length: usize,
}

impl Slices {
    /// The run that `seed` determines, with slices of `length` steps on average.
    pub fn new(seed: u64, length: usize) -> Self {
        Self {
            random: Random::new(seed),
            length,
        }
    }
}

impl Strategy for Slices {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        let running = scene.last.map(|step| step.choice.thread);
        let ends = self.random.below(self.length.max(1)) == 0;
        let (same, others): (Vec<Choice>, Vec<Choice>) = scene
            .ready
            .iter()
            .partition(|choice| Some(choice.thread) == running);
        let next = match (ends, same.is_empty(), others.is_empty()) {
            (false, false, _) | (_, _, true) => &same,
            _ => &others,
        };
        Some(*self.random.pick(next))
    }
}
