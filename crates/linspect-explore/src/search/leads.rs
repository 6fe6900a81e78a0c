//! What is worth reporting is run again and judged again before it is said.

use super::confirm::confirm;
use super::reorder::with_messages;
use super::watcher::Watcher;
use super::{DefectiveRun, SearchError};
use crate::external::Message;
use linspect_core::defect::Defect;
use linspect_core::execution::End;
use linspect_core::machine::{Machine, Subject};
use linspect_core::property::Property;
use linspect_core::run::{Bounds, Follow, Nobody, Uninterrupted, run};
use linspect_core::schedule::Schedule;

/// What is worth reporting, not yet confirmed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lead {
    pub(super) kind: Defect,
    pub(super) schedule: Schedule,
    /// Whether nobody could go on at the end of the run.
    pub(super) stuck: bool,
    /// What clients tell each other in it, so that it is wrong. Only under C20: there a run has no real time of its own.
    pub(super) messages: Vec<Message>,
    /// Whether every read is a step in it, though reads that cannot matter are none in the exploration that found it.
    pub(super) has_all_steps: bool,
}

impl<S: Subject, P: Property> Watcher<'_, S, P> {
    pub(super) fn confirm_all<M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
    ) -> Result<Vec<DefectiveRun>, SearchError> {
        let mut found = Vec::new();
        let mut leads = std::mem::take(&mut self.leads);
        leads.sort_by_key(|lead| !lead.kind.is_error());
        if self.budget.exhausted(0).is_some() {
            // That the time was not enough is said anyway.
            leads.retain(|lead| !lead.kind.is_limit());
        }
        for lead in leads {
            if !lead.messages.is_empty()
                && with_messages(machine, start, &lead.schedule, &lead.messages).is_none()
            {
                // Nothing is claimed that cannot be shown.
                (self.unjudged, self.stopped) = (true, None);
                continue;
            }
            // Cannot be missing with a deterministic machine; if it is, nothing is claimed.
            match self.confirm_lead(machine, start, &lead)? {
                Some(run) => found.push(run),
                None => {
                    let step = lead.schedule.0.len();
                    return Err(SearchError::Nondeterministic { step });
                }
            }
        }
        Ok(found)
    }

    /// Runs what was found again. Nothing if that does not show the same.
    pub(super) fn confirm_lead<M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
        lead: &Lead,
    ) -> Result<Option<DefectiveRun>, SearchError> {
        let schedule = if !lead.messages.is_empty() {
            with_messages(machine, start, &lead.schedule, &lead.messages)
        } else if lead.stuck {
            Some(stuck_to_the_end(
                machine,
                start,
                &lead.schedule,
                self.plan.bounds,
            ))
        } else {
            Some(lead.schedule.clone())
        };
        let Some(schedule) = schedule else {
            return Ok(None);
        };
        let property = self.judge.property();
        let confirmed = confirm(machine, start, &schedule, property, &mut self.stuck)?;
        let same = |defect: &Defect| defect.is_like(&lead.kind);
        Ok(confirmed
            .defects
            .into_iter()
            .find(same)
            .map(|kind| DefectiveRun {
                kind,
                schedule,
                execution: confirmed.execution,
            }))
    }
}

/// A schedule that goes on up to where nobody can: where retries are cut, a thread that goes round is told to do so sooner than where they are not.
fn stuck_to_the_end<M: Machine>(
    machine: &mut M,
    start: &M::Snapshot,
    schedule: &Schedule,
    bounds: Bounds,
) -> Schedule {
    machine.restore(start);
    let told = run(
        machine,
        &mut Follow::new(schedule),
        Bounds::NONE,
        &mut Nobody,
    );
    let rest = match told.end {
        End::Cut => run(machine, &mut Uninterrupted, bounds, &mut Nobody).steps,
        _ => Vec::new(),
    };
    let steps = told.steps.iter().chain(&rest);
    Schedule(steps.map(|step| step.choice).collect())
}
