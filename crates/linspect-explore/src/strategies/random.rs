//! Any way on is as likely as any other, at every step.

use super::{Scene, Strategy};
use linspect_core::random::Random;
use linspect_core::schedule::Choice;

/// Uniform choice among the ways on.
#[derive(Clone, Debug)]
pub struct Uniform {
    random: Random,
}

impl Uniform {
    /// The run that `seed` determines.
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
        }
    }
}

impl Strategy for Uniform {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        Some(*self.random.pick(scene.ready))
    }
}
