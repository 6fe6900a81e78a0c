//! What became of every client that was tried, and which levels of a promise that keeps.

use super::{Bound, Coverage, Explored};
use crate::promise::{Depth, Promise, PromisedLevel};
use linspect_core::client::Client;

/// How a client was covered at best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covered {
    /// It was not, or only begun.
    No,
    /// Random schedules, as many as were asked for.
    Sampled,
    /// All schedules with at most so many preemptions.
    Preemptions(u32),
    /// So many states, which are all, with every history.
    States(u64),
    /// All schedules.
    Exhausted,
}

impl Covered {
    /// What a coverage amounts to; how many steps a thread may take is told apart.
    fn of(coverage: &Coverage) -> Self {
        match coverage {
            Coverage::Exhausted { .. } => Self::Exhausted,
            Coverage::Sampled { .. } => Self::Sampled,
            Coverage::Unknown { .. } => Self::No,
            Coverage::Bounded { bounds, .. } => {
                let worth = |bound: &Bound| match *bound {
                    Bound::Preemptions(most) => Self::Preemptions(most),
                    Bound::StepsPerThread(_) => Self::Exhausted,
                    Bound::States(all) => Self::States(all),
                    // A class that was not judged as a whole may be bad.
                    Bound::ClassSize(_) | Bound::CutReads | Bound::LateEnds => Self::No,
                };
                let all = bounds.iter().map(worth);
                all.min_by_key(|covered| covered.rank()).unwrap_or(Self::No)
            }
        }
    }

    /// More for what says more.
    fn rank(self) -> u8 {
        match self {
            Self::No => 0,
            Self::Sampled => 1,
            Self::Preemptions(_) => 2,
            Self::States(_) => 3,
            Self::Exhausted => 4,
        }
    }

    /// Whether it is as thorough as this.
    pub fn is(self, depth: Depth) -> bool {
        match (depth, self) {
            (_, Self::No) => false,
            (Depth::Sampled, _) | (_, Self::Exhausted) => true,
            (Depth::States, Self::States(_)) => true,
            (Depth::Preemptions(asked), Self::Preemptions(most)) => most >= asked,
            (Depth::Exhausted | Depth::States | Depth::Preemptions(_), _) => false,
        }
    }
}

/// One client that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// Which.
    pub client: Client,
    /// How it was covered.
    pub covered: Covered,
    /// The number of steps at which threads were stopped in what was covered, if some were.
    pub cut: Option<u32>,
    /// The runs beside those that cover it in which a thread tried in vain.
    pub retries_cut: u64,
    /// In how many executions, all attempts together.
    pub executions: u64,
    /// Whether there were executions, and assumptions stopped all of them.
    pub excluded: bool,
    /// How the same client was covered whose threads warm up first.
    pub warm: Covered,
}

impl LedgerEntry {
    /// A client that was not tried so far.
    pub(super) fn new(client: Client) -> Self {
        Self {
            client,
            covered: Covered::No,
            cut: None,
            retries_cut: 0,
            executions: 0,
            excluded: false,
            warm: Covered::No,
        }
    }

    /// Notes what an exploration with threads that warm up came to. What was cut there is not covered.
    pub(super) fn note_warm(&mut self, explored: &Explored) {
        let coverage = &explored.coverage;
        self.note_executions(explored);
        let covered = Covered::of(coverage);
        if covered.rank() > self.warm.rank() && coverage.steps_bound().is_none() {
            self.warm = covered;
        }
    }

    fn note_executions(&mut self, explored: &Explored) {
        let executions = explored.coverage.executions();
        let had_none_that_counts = self.executions == 0 || self.excluded;
        self.executions += executions;
        self.excluded = self.executions > 0 && had_none_that_counts && !explored.counts;
    }

    /// Whether it was covered as a level asks for.
    fn is(&self, level: PromisedLevel) -> bool {
        self.covered.is(level.depth) || level.warm && self.warm.is(level.depth)
    }

    /// Whether it was covered as a level asks for, but only where threads warm up first.
    pub fn is_warm_only(&self, level: PromisedLevel) -> bool {
        !self.covered.is(level.depth) && self.is(level)
    }

    /// Notes what another exploration came to.
    pub(super) fn note(&mut self, explored: &Explored) {
        let coverage = &explored.coverage;
        self.note_executions(explored);
        let (covered, cut) = (Covered::of(coverage), coverage.steps_bound());
        // All states say more than all executions up to so many steps.
        let says_more = match (covered, self.covered) {
            (Covered::States(_), Covered::Exhausted) => self.cut.is_some(),
            (Covered::Exhausted, Covered::States(_)) => cut.is_none(),
            _ => covered.rank() > self.covered.rank(),
        };
        if says_more {
            self.covered = covered;
            self.cut = cut;
            self.retries_cut = coverage.retries_cut();
        }
    }
}

/// All clients that were tried, smallest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The clients.
    pub entries: Vec<LedgerEntry>,
    /// The size of the first client that was not tried; none if all that there are were.
    pub next: Option<usize>,
}

impl Ledger {
    /// The clients of a level that were tried.
    pub fn of(&self, level: PromisedLevel) -> impl Iterator<Item = &LedgerEntry> {
        self.entries.iter().filter(move |e| level.asks(&e.client))
    }

    /// How many clients of a level are covered as thoroughly as it says.
    pub fn covered(&self, level: PromisedLevel) -> usize {
        self.of(level).filter(|e| e.is(level)).count()
    }

    /// Whether every client of a level is covered as thoroughly as it says.
    pub fn keeps(&self, level: PromisedLevel) -> bool {
        self.has_all(level) && self.of(level).all(|e| e.is(level))
    }

    /// Whether every client of a level was tried.
    pub fn has_all(&self, level: PromisedLevel) -> bool {
        self.next.is_none_or(|next| next > level.operations)
    }

    /// The first level that is not kept.
    pub fn broken(&self, promise: &Promise) -> Option<PromisedLevel> {
        let mut levels = promise.levels.iter().copied();
        levels.find(|level| !self.keeps(*level))
    }

    /// The largest level of this depth, with any number of threads, that is kept.
    pub fn largest(&self, depth: Depth) -> Option<PromisedLevel> {
        let sizes = self.entries.iter().map(|e| e.client.size());
        let mut sizes: Vec<usize> = sizes.collect();
        sizes.sort_unstable();
        sizes.dedup();
        let threads = self.entries.iter().map(|e| e.client.threads.len()).max();
        let level = |operations| PromisedLevel {
            operations,
            threads: threads.unwrap_or(0),
            depth,
            warm: false,
        };
        let kept = sizes.into_iter().map(level);
        kept.take_while(|level| self.keeps(*level)).last()
    }

    /// The fewest steps at which a thread of a level was stopped, if one was.
    pub fn fewest_steps(&self, level: PromisedLevel) -> Option<u32> {
        let cold = self.of(level).filter(|e| !e.is_warm_only(level));
        cold.filter_map(|e| e.cut).min()
    }

    /// How many clients had executions, all of which assumptions stopped.
    pub fn excluded(&self) -> usize {
        self.entries.iter().filter(|e| e.excluded).count()
    }

    /// All executions.
    pub fn executions(&self) -> u64 {
        self.entries.iter().map(|e| e.executions).sum()
    }
}
