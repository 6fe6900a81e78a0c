//! One run, seen again from its token.

use super::investigate::{Investigation, Oracle};
use super::investigated::Investigated;
use crate::error::Error;
use crate::finding::annotate::Annotator;
use linspect_core::client::Client;
use linspect_core::execution::{End, Execution};
use linspect_core::property::Property;
use linspect_core::spec::Unfit;
use linspect_explore::token::Token;
use linspect_report::finding::{Checked, Verdict};
use std::time::Instant;

impl Investigation<'_> {
    /// Runs the schedule of `token` and says what is wrong with that run, as a search would. Where the schedule does not fit the
    /// program any more, only what is wrong up to there is said.
    pub(super) fn replay<P: Property>(
        &self,
        token: &Token,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        oracle: &Oracle<'_>,
        checked: Checked,
        start: Instant,
    ) -> Result<Investigated, Error> {
        let annotator = Annotator::new(self.code);
        let (client, schedule) = (&token.client, &token.schedule);
        let (mut finding, annotated, projection) =
            self.describe(&annotator, client, schedule, oracle.verdict, checked)?;
        let raced = self.raced_in(&annotator, client, schedule, &annotated, property);
        let error = self.error_of(client, &annotated.execution, property);
        if let Some(error) = &error {
            annotator.blame(&mut finding, error, &annotated);
        } else if let (true, Verdict::Holds { .. }, Some(first)) =
            (self.races.fail, &finding.verdict, raced.first())
        {
            finding.verdict = first.verdict();
        } else if let Some(reason) = misfit(&annotated.execution, schedule.0.len()) {
            finding.verdict = Verdict::Unknown { reason };
        }
        let notes = self.race_notes(&raced);
        finding.data_races = raced.into_iter().map(|r| r.told).collect();
        finding.coverage = self.one_schedule();
        finding.replay = Some(self.replay.of(self.code, client, schedule));
        finding.interleaving = Some(annotator.interleaving(&annotated, &projection, None));
        finding.sources = Some(annotator.sources(&finding));
        Ok(Investigated::of_one_run(finding, notes, start))
    }
}

/// Why a run without error is not the run of a schedule of `asked` steps.
fn misfit(execution: &Execution, asked: usize) -> Option<String> {
    let followed = execution.steps.len();
    if followed < asked {
        return Some(format!(
            "the schedule no longer fits the program: only the first {followed} of its {asked} steps are possible now"
        ));
    }
    (execution.end == End::Cut).then(|| {
        format!("the schedule no longer fits the program: after all of its {asked} steps the program goes on")
    })
}
