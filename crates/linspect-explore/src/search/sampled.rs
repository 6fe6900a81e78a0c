//! Runs schedules of one client at random.

use super::watcher::Watcher;
use crate::prefix_cache::PrefixCache;
use crate::strategies::expected::Expected;
use crate::strategies::pct::Pct;
use crate::strategies::random::Uniform;
use crate::strategies::{Leaf, Strategy};
use linspect_core::execution::End;
use linspect_core::machine::{Machine, Subject};
use linspect_core::property::Property;
use rustc_hash::FxHashSet;

/// How many steps a client must take for a glance to be worth it, and how many runs that is.
const MANY_STEPS: u64 = 40;
const GLANCES: u64 = 48;

/// What was run at random.
#[derive(Default)]
pub(super) struct Sampled {
    pub(super) runs: u64,
    /// The classes that were seen.
    pub(super) classes: FxHashSet<u128>,
    /// Whether a thread was stopped at its bound.
    pub(super) cut: bool,
}

impl<S: Subject, P: Property> Watcher<'_, S, P> {
    pub(super) fn sample<'s, M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
        runs: u64,
        strategy: &mut dyn FnMut(u64) -> Box<dyn Strategy + 's>,
    ) {
        machine.restore(start);
        let mut cache = PrefixCache::new(machine, self.plan.bounds);
        for i in 0..runs {
            // Where a class was too large to judge, each of its schedules is judged by itself.
            let run = cache.run(machine, &mut *strategy(i), self.unjudged);
            let progress = (i + 1) as f64 / runs as f64;
            self.sampled.runs += 1;
            let flow = match run {
                Some(run) => {
                    self.sampled.cut |= run.end == End::StepLimit;
                    let new = self.sampled.classes.insert(run.trace.signature());
                    let leaf = Leaf {
                        progress,
                        ..run.leaf()
                    };
                    self.look(&leaf, new)
                }
                // It is equivalent to one that was seen.
                None => self.go_on(progress),
            };
            if flow.is_break() {
                return;
            }
        }
    }

    /// Some runs at random before the classes of a client with many steps are walked through, depth first: a fault that is everywhere but where
    /// the walk begins is found at once. They count for nothing else.
    pub(super) fn glance<M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
        expected: &Expected,
    ) {
        // Random runs could break the axiom of seq_cst.
        if expected.steps < MANY_STEPS || self.plan.keep_going || self.is_weak() {
            return;
        }
        self.sample(machine, start, GLANCES, &mut |i| match i % 2 {
            0 => Box::new(Uniform::new(mixed(0, i))),
            _ => Box::new(Pct::of(mixed(0, i), 3, expected)),
        });
        if self.stopped.is_none() {
            self.executions = 0;
            self.sampled = Sampled::default();
        }
    }
}

/// A seed per run, so that runs do not depend on each other.
pub(super) fn mixed(seed: u64, run: u64) -> u64 {
    linspect_core::random::Random::new(seed.wrapping_add(run.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .bits()
}
