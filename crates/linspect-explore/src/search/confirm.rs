//! Every schedule that shows something is run again, twice, before it is reported.

use super::SearchError;
use crate::class::Judge;
use crate::course::Bounds;
use crate::run::{Run, run};
use crate::strategies::replay::Replay;
use linspect_core::machine::{Blocked, Machine, Status};
use linspect_core::property::Property;
use linspect_core::schedule::{Schedule, ThreadId};

/// What a replay came to.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// The run.
    pub run: Run,
    /// Whether the property holds for it.
    pub good: bool,
    /// The threads that wait at its end, each in a loop that nobody will end.
    pub spinning: Vec<ThreadId>,
}

/// Runs `schedule` twice from `start` and judges it.
pub fn confirm<M: Machine, P: Property>(
    machine: &mut M,
    start: &M::Snapshot,
    schedule: &Schedule,
    bounds: Bounds,
    judge: &mut Judge<P>,
) -> Result<Confirmed, SearchError> {
    let first = replay(machine, start, schedule, bounds)?;
    let second = replay(machine, start, schedule, bounds)?;
    let differs = {
        let mut steps = first.trace.steps().zip(second.trace.steps());
        steps.position(|(a, b)| a != b)
    };
    let lengths = (first.trace.events().len(), second.trace.events().len());
    if differs.is_some() || lengths.0 != lengths.1 || first.after != second.after {
        let step = differs.unwrap_or(lengths.0.min(lengths.1));
        return Err(SearchError::Nondeterministic { step });
    }
    let spinning = (0..machine.threads() as ThreadId)
        .filter(|&t| matches!(machine.status(t), Status::Blocked(Blocked::Spin(_))))
        .collect();
    Ok(Confirmed {
        good: judge.is_good(&first.leaf()),
        run: first,
        spinning,
    })
}

fn replay<M: Machine>(
    machine: &mut M,
    start: &M::Snapshot,
    schedule: &Schedule,
    bounds: Bounds,
) -> Result<Run, SearchError> {
    machine.restore(start);
    let mut replay = Replay::new(schedule);
    let run = run(machine, &mut replay, bounds);
    let length = run.trace.events().len();
    if !replay.is_faithful() || length != schedule.0.len() {
        let step = replay.followed().min(length);
        return Err(SearchError::Nondeterministic { step });
    }
    Ok(run)
}
