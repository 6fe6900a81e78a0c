//! The run that a schedule tells, as far as it can be told.

use super::{Scene, Strategy};
use linspect_core::schedule::{Choice, Schedule};

/// Follows a schedule. Where it cannot (the program was edited) or when it ends, it goes on with the thread that ran last,
/// else with the first that is ready.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    schedule: &'a Schedule,
    followed: usize,
    astray: bool,
}

impl<'a> Replay<'a> {
    /// Follows `schedule`.
    pub fn new(schedule: &'a Schedule) -> Self {
        Self {
            schedule,
            followed: 0,
            astray: false,
        }
    }

    /// How many choices of the schedule were followed before the first that could not be.
    pub fn followed(&self) -> usize {
        self.followed
    }

    /// Whether every choice asked for was followed.
    pub fn is_faithful(&self) -> bool {
        !self.astray
    }
}

impl Strategy for Replay<'_> {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        if !self.astray
            && let Some(choice) = self.schedule.0.get(self.followed)
        {
            if scene.ready.contains(choice) {
                self.followed += 1;
                return Some(*choice);
            }
            self.astray = true;
        }
        let last = scene.last.map(|step| step.choice.thread);
        let same = |choice: &&Choice| Some(choice.thread) == last;
        Some(*scene.ready.iter().find(same).unwrap_or(&scene.ready[0]))
    }
}
