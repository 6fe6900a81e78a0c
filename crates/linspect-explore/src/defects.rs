//! Everything that is wrong with a run of a client: what [`Defect::all_in`] says, with what it must be told.

use crate::races::races;
use crate::stuck::Stuck;
use linspect_core::defect::Defect;
use linspect_core::execution::Execution;
use linspect_core::machine::Subject;
use linspect_core::property::Property;

/// What is wrong with `execution`, a run of the client that `stuck` knows, the worst first; data races come last.
pub fn defects<S: Subject, P: Property>(
    execution: &Execution,
    property: &mut P,
    stuck: &mut Stuck<'_, S>,
) -> Vec<Defect> {
    let mut waits = |waiting: &[_]| stuck.is_serial(execution.steps.iter(), waiting);
    let mut defects = Defect::all_in(execution, property, &mut waits);
    let model = stuck.memory_model();
    let races = races(execution.steps.iter(), model, property);
    defects.extend(races.into_iter().map(Defect::DataRace));
    defects
}

/// The worst error of a run, if there is one.
pub fn error<S: Subject, P: Property>(
    execution: &Execution,
    property: &mut P,
    stuck: &mut Stuck<'_, S>,
) -> Option<Defect> {
    let mut waits = |waiting: &[_]| stuck.is_serial(execution.steps.iter(), waiting);
    let defects = Defect::all_in(execution, property, &mut waits);
    defects.into_iter().find(Defect::is_error)
}
