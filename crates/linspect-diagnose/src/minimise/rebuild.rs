//! Short parts instead of long ones.
//!
//! What belongs together in a long part, such as an insertion and the removal that undoes it, may stand far apart, so that no deletion leaves it useful.
//! Then a few operations that never were in it are often as good.

use super::StepOrder;
use super::shrink::{Attempt, Progress, Shrinker};
use linspect_core::client::{Client, Invocation};

/// Parts that are tried.
const MOST: usize = 150;

/// A concurrent part with more operations is large; of the eight faults of the paper's Table I two need more.
const FEW: usize = 3;

impl Shrinker<'_> {
    /// Tries all prefixes that are shorter than the one it has, the shortest first, made of calls that the test makes anyway.
    pub(super) fn rebuild_prefix(&mut self, attempt: Attempt) -> Progress<()> {
        let calls = self.calls_worth_trying();
        let like = StepOrder::of(&self.execution);
        let mut tried = 0;
        let mut shortest: Vec<Vec<Invocation>> = vec![Vec::new()];
        while tried + shortest.len() <= MOST
            && shortest[0].len() < self.client.before.len()
            && !calls.is_empty()
        {
            tried += shortest.len();
            for before in &shortest {
                let client = Client {
                    before: before.clone(),
                    warm: Vec::new(),
                    ..self.client.clone()
                };
                if self.glimpse((client, like.clone()), attempt)? {
                    return Ok(());
                }
            }
            let longer = shortest.iter();
            shortest = longer
                .flat_map(|s| {
                    calls
                        .iter()
                        .map(move |c| [s, std::slice::from_ref(c)].concat())
                })
                .collect();
        }
        Ok(())
    }

    /// Tries small concurrent parts instead of a large one. One thread has a single operation: the paper's heuristic.
    pub(super) fn rebuild_threads(&mut self, attempt: Attempt) -> Progress<()> {
        let concurrent: usize = self.client.threads.iter().map(Vec::len).sum();
        if concurrent <= FEW {
            return Ok(());
        }
        let calls = self.calls_worth_trying();
        let one = || calls.iter().map(|c| vec![c.clone()]);
        let two = || one().flat_map(|a| one().map(move |b| [a.clone(), b].concat()));
        let pairs = one().flat_map(|a| one().map(move |b| vec![a.clone(), b]));
        let triples = one().flat_map(|a| two().map(move |b| vec![a.clone(), b]));
        for threads in pairs.chain(triples).take(MOST) {
            let mut client = Client {
                threads,
                ..self.client.clone()
            };
            let gone = client.threads.len()..self.client.threads.len();
            gone.rev().for_each(|thread| client.forget_thread(thread));
            if self.glimpse((client, StepOrder::default()), attempt)? {
                break;
            }
        }
        Ok(())
    }
}
