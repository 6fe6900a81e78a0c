//! Turns what the analyses say into a finding: the only place that makes report types.
//!
//! [`annotated_run`] runs a schedule and notes the names of what it accesses, [`annotate`] says where and what in the words of the source; the other files make one part of
//! a finding each.

pub(crate) mod advice;
pub(crate) mod annotate;
pub(crate) mod annotated_run;
pub(crate) mod coverage;
pub(crate) mod data_race;
pub(crate) mod explanation;
pub(crate) mod given_up;
mod interleaving;
mod library;
mod minimal_test;
pub(crate) mod progress;
pub(crate) mod regression;
mod repairs;
pub(crate) mod replay_command;

use crate::error::Error;
use crate::investigate::{Investigation, Judgement};
use annotate::Annotator;
use annotated_run::AnnotatedRun;
use data_race::Raced;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::{Ending, Execution};
use linspect_core::machine::Subject;
use linspect_core::project::{Projection, project};
use linspect_core::schedule::Schedule;
use linspect_core::verdict::{Criterion, Verdict};
use linspect_explore::search::SearchError;
use linspect_report::finding::{self, Checked, Finding};

/// What is checked of a program with a `main` of its own.
pub(crate) fn fault_free(name: &str) -> Checked {
    Checked {
        criterion: finding::Criterion::FaultFree,
        ..Checked::new(name, "program", Criterion::Linearizable)
    }
}

impl Investigation<'_> {
    /// One run with its history and what is to say about that.
    pub(crate) fn describe(
        &self,
        annotator: &Annotator<'_>,
        client: &Client,
        schedule: &Schedule,
        verdict: &Judgement<'_>,
        checked: Checked,
    ) -> Result<(Finding, AnnotatedRun, Projection), Error> {
        let annotated = annotator
            .annotate(client, schedule)
            .map_err(SearchError::from)?;
        let projection = project(&annotated.execution, client, self.code.operations());
        // What an operation threw is no result that a specification could understand; it is reported by itself.
        let said = match threw(&annotated.execution) {
            Some(_) => Verdict::Holds(None),
            None => verdict(&projection.history)?,
        };
        let finding = Finding::of_history(&projection.history, &said, checked);
        Ok((finding, annotated, projection))
    }

    /// Adds what is known only in the end: the data races that are not told of yet, which of them repairs leave, the sources, and what to do.
    pub(crate) fn complete(&self, finding: &mut Finding, raced: Vec<Raced>) {
        let others = raced.into_iter().skip(finding.data_races.len());
        finding.data_races.extend(others.map(|r| r.told));
        if self.races.fail
            && let Some(repairs) = &mut finding.repairs
        {
            for repair in &mut repairs.found {
                repair.races_left = repair.leaves(&finding.data_races);
            }
        }
        if finding.sources.is_some() {
            finding.sources = Some(Annotator::new(self.code).sources(finding));
        }
        finding.put_interrupted_first();
        finding.advice = advice::advice(finding);
    }
}

impl Annotator<'_> {
    /// Makes `defect` the verdict of `finding`, unless only the history is wrong, which says so itself.
    pub(crate) fn blame(&self, finding: &mut Finding, defect: &Defect, annotated: &AnnotatedRun) {
        if let Some(fault) = self.defect(defect, annotated) {
            finding.verdict = finding::Verdict::Faulty { fault };
        }
    }
}

/// What an operation of a run threw.
fn threw(execution: &Execution) -> Option<&str> {
    let returned = execution.steps.iter().filter_map(|s| s.returned.as_ref());
    let endings = returned.map(|(_, ending)| ending);
    let mut all = execution
        .before
        .iter()
        .chain(endings)
        .chain(&execution.after);
    all.find_map(|ending| match ending {
        Ending::Threw(message) => Some(message.as_str()),
        Ending::Returned(_) => None,
    })
}
