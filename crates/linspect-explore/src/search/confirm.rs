//! Every schedule that shows something is run again, twice, before it is reported.

use super::SearchError;
use crate::defects::defects;
use crate::stuck::Stuck;
use linspect_core::defect::Defect;
use linspect_core::execution::{End, Execution};
use linspect_core::machine::{Machine, Subject};
use linspect_core::property::Property;
use linspect_core::run::{Bounds, Follow, Nobody, Scene, Strategy, run};
use linspect_core::schedule::{Choice, Schedule};

/// What a replay came to.
#[derive(Clone, Debug)]
pub(super) struct Confirmed {
    /// The run.
    pub(super) execution: Execution,
    /// What is wrong with it, the worst first.
    pub(super) defects: Vec<Defect>,
}

/// Runs `schedule` twice from `start` and says what is wrong with it.
///
/// A schedule is its own bound: one that was cut where a thread had taken so many steps is cut there again.
pub(super) fn confirm<M: Machine, S: Subject, P: Property>(
    machine: &mut M,
    start: &M::Snapshot,
    schedule: &Schedule,
    property: &mut P,
    stuck: &mut Stuck<'_, S>,
) -> Result<Confirmed, SearchError> {
    let execution = replay(machine, start, schedule)?;
    let second = replay(machine, start, schedule)?;
    if execution != second {
        let mut steps = execution.steps.iter().zip(&second.steps);
        let differs = steps.position(|(a, b)| a != b);
        let step = differs.unwrap_or(execution.steps.len().min(second.steps.len()));
        return Err(SearchError::Nondeterministic { step });
    }
    let defects = defects(&execution, property, stuck);
    Ok(Confirmed { execution, defects })
}

/// Runs `schedule` from `start`. Only where it leaves off without an end is it asked whether the run can go round for ever, for which its states must be kept.
fn replay<M: Machine>(
    machine: &mut M,
    start: &M::Snapshot,
    schedule: &Schedule,
) -> Result<Execution, SearchError> {
    let mut follow = Follow::new(schedule);
    machine.restore(start);
    let mut execution = run(machine, &mut Once(&mut follow), Bounds::NONE, &mut Nobody);
    if !follow.is_done() {
        let step = follow.followed();
        return Err(SearchError::Nondeterministic { step });
    }
    if execution.end == End::Cut {
        machine.restore(start);
        let follow = &mut Follow::new(schedule);
        execution = run(machine, follow, Bounds::NONE, &mut Nobody);
    }
    Ok(execution)
}

/// Follows a schedule without asking where it leaves off.
struct Once<'a, 'b>(&'b mut Follow<'a>);

impl Strategy for Once<'_, '_> {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        self.0.choose(scene)
    }
}
