//! The time and memory that one check or one test may take.
//!
//! A check of a history has a wall clock, for several run at once. A test has the processor time of the whole process, so that a busy machine explores as
//! much as an idle one; where the process hardly gets a processor, a wall clock ends it.

use crate::interrupt;
use cpu_time::{ProcessTime, ThreadTime};
use linspect_core::check::Budget;
use linspect_core::verdict::Limit;
use linspect_explore::search::Purse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How much longer than its processor time a test may take by the clock on the wall.
const PATIENCE: u32 = 3;

/// What part of its budget a test may take again to take apart what it found at the very end, and what it may take in any case.
const LAST_PART: u32 = 10;
const LAST_TIME: Duration = Duration::from_secs(1);

/// A budget with clocks.
#[derive(Clone, Copy, Debug)]
pub struct ClockBudget {
    wall: Instant,
    processor: ProcessTime,
    /// By the clock on the wall, from its start.
    timeout: Option<Duration>,
    /// Of the processors, from its start.
    budget: Option<Duration>,
    memory: usize,
    /// Bytes that are held whatever the check does, such as the history itself.
    held: usize,
    /// Whether the memory is that of the whole process; else only what a check says it holds.
    whole: bool,
}

impl ClockBudget {
    /// From now on, `timeout` by the clock on the wall and `memory` bytes.
    pub fn start(timeout: Option<Duration>, memory: usize) -> Self {
        Self {
            wall: Instant::now(),
            processor: ProcessTime::now(),
            timeout,
            budget: None,
            memory,
            held: 0,
            whole: false,
        }
    }

    /// The same limits for somebody who holds `bytes` anyway.
    pub fn holding(self, bytes: usize) -> Self {
        Self {
            held: bytes,
            ..self
        }
    }

    /// From now on, `budget` of processor time, while the process has no more than `memory` bytes.
    pub fn processor(budget: Option<Duration>, memory: usize) -> Self {
        Self {
            budget,
            whole: true,
            ..Self::start(budget.map(|b| b.saturating_mul(PATIENCE)), memory)
        }
    }

    /// From now on, what is left of these limits, or a little where nothing is: for whoever takes apart what was found.
    pub fn rest(&self) -> Self {
        let rest = self.budget.map(|budget| {
            let left = budget.saturating_sub(self.processor.elapsed());
            left.max(budget / LAST_PART + LAST_TIME)
        });
        Self::processor(rest, self.memory)
    }

    /// The processor time that is left.
    pub fn left(&self) -> Option<Duration> {
        let left = |budget: Duration| budget.saturating_sub(self.processor.elapsed());
        self.budget.map(left)
    }
}

/// How often the memory of the process is looked at: once in so many questions.
const SELDOM: usize = 16;

/// How many bytes the process has in memory.
pub fn process_memory() -> usize {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem)
}

/// About how many bytes the process has in memory: snapshots, traces, tables and all else.
fn resident() -> usize {
    static QUESTIONS: AtomicUsize = AtomicUsize::new(0);
    static BYTES: AtomicUsize = AtomicUsize::new(0);
    if QUESTIONS
        .fetch_add(1, Ordering::Relaxed)
        .is_multiple_of(SELDOM)
    {
        BYTES.store(process_memory(), Ordering::Relaxed);
    }
    BYTES.load(Ordering::Relaxed)
}

impl Budget for ClockBudget {
    fn exhausted(&self, memory: usize) -> Option<Limit> {
        if interrupt::asked() {
            return Some(Limit::Interrupted);
        }
        let held = memory.saturating_add(self.held);
        if held > self.memory || (self.whole && resident() > self.memory) {
            return Some(Limit::Memory);
        }
        let late = self.timeout.is_some_and(|t| self.wall.elapsed() >= t);
        let spent = || self.left() == Some(Duration::ZERO);
        (late || spent()).then_some(Limit::Time)
    }

    fn share(&self, of: u32) -> Option<Box<dyn Budget + '_>> {
        Some(Box::new(Share {
            whole: self,
            start: ThreadTime::now(),
            time: self.left()? / of.max(1),
        }))
    }
}

impl Purse for ClockBudget {
    fn until(&self, part: f64) -> Box<dyn Budget + Sync + '_> {
        Box::new(Self {
            timeout: self.timeout.map(|t| t.mul_f64(part)),
            budget: self.budget.map(|b| b.mul_f64(part)),
            ..*self
        })
    }
}

/// A part of some limits for the thread that made it.
struct Share<'a> {
    whole: &'a ClockBudget,
    start: ThreadTime,
    time: Duration,
}

impl Budget for Share<'_> {
    fn exhausted(&self, memory: usize) -> Option<Limit> {
        let spent = || (self.start.elapsed() >= self.time).then_some(Limit::Time);
        self.whole.exhausted(memory).or_else(spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_named() {
        let none = ClockBudget::start(None, 100);
        assert_eq!(none.exhausted(100), None);
        assert_eq!(none.exhausted(101), Some(Limit::Memory));
        assert_eq!(none.holding(60).exhausted(40), None);
        assert_eq!(none.holding(60).exhausted(41), Some(Limit::Memory));
        let late = ClockBudget::start(Some(Duration::ZERO), 100);
        assert_eq!(late.exhausted(0), Some(Limit::Time));
        let spent = ClockBudget::processor(Some(Duration::ZERO), usize::MAX);
        assert_eq!(spent.exhausted(0), Some(Limit::Time));
        // Whatever it says that it holds, the process has more than a hundred bytes.
        let full = ClockBudget::processor(None, 100);
        assert!((0..100).any(|_| full.exhausted(0) == Some(Limit::Memory)));
    }

    #[test]
    fn a_budget_has_parts() {
        let hour = ClockBudget::processor(Some(Duration::from_secs(3600)), usize::MAX);
        assert_eq!(hour.until(0.5).exhausted(0), None);
        assert_eq!(hour.until(0.0).exhausted(0), Some(Limit::Time));
        let share = hour.share(8).expect("there is something to divide");
        assert_eq!(share.exhausted(0), None);
        assert!(hour.rest().left() > Some(Duration::from_secs(3000)));
        // Nothing is left, but what was found at the end is still taken apart.
        let spent = ClockBudget::processor(Some(Duration::ZERO), usize::MAX);
        assert_eq!(
            spent.share(1).expect("nothing").exhausted(0),
            Some(Limit::Time)
        );
        assert_eq!(spent.rest().exhausted(0), None);
        assert!(ClockBudget::processor(None, 100).share(8).is_none());
    }
}
