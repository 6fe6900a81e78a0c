//! How long a run is expected to be: what PCT is told, and where D-PCT begins.

use crate::monitor::{Until, monitor_run};
use linspect_core::machine::Machine;
use linspect_core::property::FaultFree;
use linspect_core::run::{Bounds, Uninterrupted};

/// Per thread, the number of visible steps expected of each of its operations, in order. What a thread does outside its operations, as all that a thread of a
/// plain program does, counts as one more.
pub type Lengths = Vec<Vec<u32>>;

/// How many steps a client takes when no thread is interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Of each operation.
    pub lengths: Lengths,
    /// All together.
    pub steps: u64,
    /// Of the longest thread.
    pub longest: u32,
}

impl Expected {
    /// Runs `machine` from where it stands, one thread after the other.
    pub fn measure<M: Machine>(machine: &mut M, bounds: Bounds) -> Self {
        let run = monitor_run(
            machine,
            &mut Uninterrupted,
            &mut FaultFree,
            bounds,
            Until::End,
        )
        .execution;
        let mut lengths: Lengths = vec![Vec::new(); machine.threads()];
        let mut taken = vec![0; machine.threads()];
        let mut all = vec![0; machine.threads()];
        for step in &run.steps {
            let thread = usize::from(step.choice.thread);
            taken[thread] += 1;
            all[thread] += 1;
            if step.returned.is_some() {
                lengths[thread].push(std::mem::take(&mut taken[thread]));
            }
        }
        for (lengths, taken) in lengths.iter_mut().zip(taken) {
            if taken > 0 {
                // Nothing tells where it ends, so that is always one step away.
                lengths.push(taken + 1);
            }
        }
        Self {
            lengths,
            steps: run.steps.len() as u64,
            longest: all.into_iter().max().unwrap_or(0),
        }
    }
}
