//! From a finding to a smaller one: the run that it shows is the beginning.

use super::investigate::{Investigation, Lead, Oracle, TRIAL_EXECUTIONS};
use super::investigated::Investigated;
use super::request::Task;
use crate::clock_budget::ClockBudget;
use crate::error::Error;
use crate::events::PipelineEvent;
use crate::finding::annotate::Annotator;
use linspect_core::client::Client;
use linspect_core::property::Property;
use linspect_core::spec::Unfit;
use linspect_explore::search::SearchError;
use linspect_explore::token::Token;
use linspect_report::finding::Checked;
use std::time::Instant;

impl Investigation<'_> {
    /// Executions of one smaller client: where minimising is all there is to do, only the budget counts.
    pub(super) fn trial_executions(&self) -> Option<u64> {
        match self.task {
            Task::Minimise(_) => None,
            _ => Some(TRIAL_EXECUTIONS),
        }
    }

    /// Makes the test of `token` smaller, and says everything about it anew.
    pub(super) fn reminimise<P: Property>(
        &self,
        token: &Token,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        oracle: &Oracle<'_>,
        checked: Checked,
        start: Instant,
    ) -> Result<Investigated, Error> {
        let found = self.counterexample(&token.client, &token.schedule, property)?;
        let Some(found) = found else {
            return self.reminimise_race(token, property, oracle, checked, start);
        };
        let limits = self.begin_alone();
        let lead = Lead {
            found: &found,
            executions: 1,
            limits,
            oracle,
        };
        let mut notes = Vec::new();
        let diagnosed = self.diagnose(&lead, property, checked, &mut notes)?;
        Ok(Investigated {
            test: self.emitted(diagnosed.test),
            tree: diagnosed.tree,
            ..Investigated::of_one_run(diagnosed.finding, notes, start)
        })
    }

    /// Makes the test of a run smaller in which nothing is wrong but a data race.
    fn reminimise_race<P: Property>(
        &self,
        token: &Token,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        oracle: &Oracle<'_>,
        checked: Checked,
        start: Instant,
    ) -> Result<Investigated, Error> {
        let annotator = Annotator::new(self.code);
        let (client, schedule) = (&token.client, &token.schedule);
        let annotated = annotator.annotate(client, schedule);
        let annotated = annotated.map_err(SearchError::from)?;
        let raced = self.raced_in(&annotator, client, schedule, &annotated, property);
        let first = raced.first().filter(|_| self.races.fail);
        let first = first.ok_or(Error::GoodRun)?;
        let limits = self.begin_alone();
        let mut notes = Vec::new();
        let (mut finding, test) =
            self.racy(first, property, oracle, checked, &limits, &mut notes)?;
        let coverage = self.coverage(&test, property, &limits);
        finding.coverage = coverage.unwrap_or_else(|| self.one_schedule());
        self.complete(&mut finding, raced);
        Ok(Investigated {
            test: self.emitted(test),
            ..Investigated::of_one_run(finding, notes, start)
        })
    }

    /// From now on there is one client to look at, within what was allowed.
    fn begin_alone(&self) -> ClockBudget {
        let (alone, limits) = (true, self.effort.limits());
        self.keep_to(limits);
        self.events.hear(PipelineEvent::Started { alone, limits });
        limits
    }
}
