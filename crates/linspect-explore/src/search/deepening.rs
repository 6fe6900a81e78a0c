//! How many steps a thread may take: iterative deepening (Korf: "Depth-first iterative-deepening", 1985), both ways.
//!
//! Operations that can hinder each other for ever have infinitely many classes of schedules, and a depth-first walk would
//! spend its life among the longest. The first round allows some times what a thread needs alone, which is enough for most
//! clients. If runs are cut, the next round allows twice as much; if too many are, the round is given up and half
//! as much is tried. What the last whole round covered is what is claimed.

use super::tally::Tally;
use linspect_core::run::Bounds;

/// How often a thread may start again in the first round.
const ROUNDS: u32 = 4;

/// How often a thread may start again in the last.
const MOST_ROUNDS: u32 = 64;

/// The least number of steps per thread worth trying.
const LEAST: u32 = 8;

/// Runs that are cut before a round may be given up.
const MANY: u64 = 1_000;

/// Which round is next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deepening {
    /// What a thread needs alone.
    alone: u32,
    steps: u32,
    most: Bounds,
    shrunk: bool,
    /// Executions that this round may take, if one before was whole.
    allowed: u64,
}

impl Deepening {
    /// For a client whose longest thread takes `alone` steps when nobody interrupts it; never beyond `most`.
    pub(super) fn new(alone: u32, most: Bounds) -> Self {
        Self {
            alone: alone.max(1),
            steps: alone.saturating_mul(ROUNDS).max(LEAST),
            most,
            shrunk: false,
            allowed: u64::MAX,
        }
    }

    /// The bounds of this round.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds {
            steps_per_thread: self.steps.min(self.most.steps_per_thread),
        }
    }

    /// Whether a round is given up after so many executions, of which so many were cut.
    pub(super) fn is_endless(&self, executions: u64, cut: u64) -> bool {
        let many = cut >= MANY && cut >= executions / Tally::SHARE && self.steps > self.alone;
        many || executions > self.allowed
    }

    /// Whether a round might be given up within a `part`, after what was `before`; if not, it is not.
    pub(super) fn may_end_in(&self, before: &Tally, part: &Tally) -> bool {
        let many = before.limited + part.limited >= MANY;
        // With whole numbers, cut >= executions / SHARE says that this is more than -SHARE.
        let often = before
            .peak_after(part)
            .is_some_and(|peak| peak > -(Tally::SHARE as i64));
        many && often || before.executions + part.executions > self.allowed
    }

    /// Goes to a round with half as many steps; false if that is too few.
    pub(super) fn shallower(&mut self) -> bool {
        self.shrunk = true;
        let enough = self.steps > self.alone;
        self.steps = (self.steps / 2).max(self.alone);
        enough
    }

    /// Goes from a whole round of so many executions to one with twice as many steps; false if there is none.
    pub(super) fn deeper(&mut self, executions: u64) -> bool {
        let most = self.alone.saturating_mul(MOST_ROUNDS);
        let possible = !self.shrunk && self.steps < most.min(self.most.steps_per_thread);
        self.steps = self.steps.saturating_mul(2);
        // Where loops end, twice the steps are not this much more work.
        self.allowed = executions.saturating_mul(8).saturating_add(MANY);
        possible
    }
}
