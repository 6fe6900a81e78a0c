//! Data races: which of them count, and what there is to say about them.

use super::counterexample::Counterexample;
use super::diagnose::kept;
use super::investigate::{Investigation, Oracle};
use super::settings::{RaceIs, RunSettings};
use crate::error::Error;
use crate::finding::annotate::Annotator;
use crate::finding::annotated_run::AnnotatedRun;
use crate::finding::data_race::Raced;
use crate::internal::caught;
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::defect::{Defect, Race};
use linspect_core::execution::Execution;
use linspect_core::machine::Subject;
use linspect_core::property::{FaultFree, Property};
use linspect_core::schedule::Schedule;
use linspect_core::spec::Unfit;
use linspect_explore::races::races;
use linspect_explore::search::{Kept, Method, Note, Plan, SearchError, explore};
use linspect_report::finding::{Checked, Finding};
use linspect_vm::LoadedProgram;

/// How many data races are told of.
const MOST: usize = 20;

/// Preemptions and executions for a shorter run that shows a race.
const PREEMPTIONS: u32 = 2;
const EXECUTIONS: u64 = 2_000;

/// Which data races count.
#[derive(Clone, Debug)]
pub(super) struct Races {
    /// Whether one is a fault, not a note.
    pub(super) fail: bool,
    /// Names of variables and fields that may be raced for; [`HAND_OVER`] for values that are handed over.
    pub(super) allowed: Vec<String>,
}

/// What allows values to be handed over without order.
const HAND_OVER: &str = "hand_over";

impl Races {
    /// Whether values may be handed over without order.
    pub(super) fn allow_hand_over(&self) -> bool {
        self.allowed.iter().any(|name| name == HAND_OVER)
    }

    /// Those that count by the settings and the harness of `code`.
    pub(super) fn of(settings: &RunSettings, code: &LoadedProgram) -> Self {
        let allowed = settings.allowed_races.iter().chain(code.allowed_races());
        Self {
            fail: settings.races != Some(RaceIs::Noted),
            allowed: allowed.cloned().collect(),
        }
    }
}

impl Investigation<'_> {
    /// The data races that a search found and nobody allows, smallest client first.
    pub(super) fn raced(&self, kept: &Kept) -> Vec<Raced> {
        let mut raced = Vec::new();
        for Note {
            client,
            found,
            fresh,
        } in &kept.notes
        {
            let Defect::DataRace(race) = &found.kind else {
                continue;
            };
            let code = self.code_of(*fresh);
            let here = code.as_ref().map(|code| self.in_fresh_memory(code));
            let here = here.as_ref().unwrap_or(self);
            let annotator = Annotator::new(here.code);
            let Ok(annotated) = annotator.annotate(client, &found.schedule) else {
                continue;
            };
            let seen = here.tell_race(&annotator, client, &found.schedule, &annotated, race);
            raced.extend(seen.map(|seen| Raced {
                fresh: *fresh,
                ..seen
            }));
            if raced.len() == MOST {
                break;
            }
        }
        raced
    }

    /// The data races of one run that nobody allows.
    pub(super) fn raced_in<P: Property>(
        &self,
        annotator: &Annotator<'_>,
        client: &Client,
        schedule: &Schedule,
        annotated: &AnnotatedRun,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
    ) -> Vec<Raced> {
        let races = self.races_of(&annotated.execution, client, property);
        let raced = races
            .iter()
            .filter_map(|race| self.tell_race(annotator, client, schedule, annotated, race));
        raced.take(MOST).collect()
    }

    /// The data races of a run of `client`, allowed or not.
    fn races_of<P: Property>(
        &self,
        execution: &Execution,
        client: &Client,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
    ) -> Vec<Race> {
        let (steps, model) = (execution.steps.iter(), self.code.memory_model());
        match property(client) {
            Ok(mut property) => races(steps, model, &mut property),
            Err(_) => races(steps, model, &mut FaultFree),
        }
    }

    /// The finding of a race, where nothing worse was found, and its smallest test. The race is the first of the finding's, as the run that is shown has it.
    pub(super) fn racy<P: Property>(
        &self,
        raced: &Raced,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        oracle: &Oracle<'_>,
        checked: Checked,
        budget: &dyn Budget,
        notes: &mut Vec<String>,
    ) -> Result<(Finding, Client), Error> {
        let annotator = Annotator::new(self.code);
        let smallest = self.smallest(raced, property, oracle, budget, notes)?;
        let (schedule, race) = self.clearest_race(&smallest, &raced.race, property, budget);
        // What comes after the threads does not race.
        let client = Client {
            after: Vec::new(),
            ..smallest.client
        };
        let (mut finding, annotated, projection) =
            self.describe(&annotator, &client, &schedule, oracle.verdict, checked)?;
        let again = self.tell_race(&annotator, &client, &schedule, &annotated, &race);
        let shown = again.as_ref().unwrap_or(raced);
        finding.verdict = shown.verdict();
        finding.data_races.push(shown.told.clone());
        self.show_test(&mut finding, &projection, &client, smallest.certified);
        let racing = [race.first.0, race.second.0];
        finding.interleaving = Some(annotator.interleaving_of(&annotated, &projection, &racing));
        finding.replay = Some(self.replay.of(self.code, &client, &schedule));
        finding.sources = Some(annotator.sources(&finding));
        Ok((finding, client))
    }

    /// The smallest client that shows the same race, and a run of it.
    fn smallest<P: Property>(
        &self,
        raced: &Raced,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        oracle: &Oracle<'_>,
        budget: &dyn Budget,
        notes: &mut Vec<String>,
    ) -> Result<Counterexample, Error> {
        self.enter("looking for the smallest test");
        let annotated = Annotator::new(self.code).annotate(&raced.client, &raced.schedule);
        let found = Counterexample {
            client: raced.client.clone(),
            schedule: raced.schedule.clone(),
            execution: annotated.map_err(SearchError::from)?.execution,
            defect: Defect::DataRace(raced.race.clone()),
            certified: false,
        };
        let test = caught("looking for the smallest test", || {
            self.minimise(&found, property, oracle.witness, oracle.declared, budget)
        });
        Ok(match kept(test, notes) {
            Some(test) => found.smaller(test),
            None => found,
        })
    }

    /// A run of `example`'s client with few preemptions that shows `race`; its own run, up to the race, if there is none.
    fn clearest_race<P: Property>(
        &self,
        example: &Counterexample,
        race: &Race,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> (Schedule, Race) {
        let plan = Plan {
            executions: Some(EXECUTIONS),
            keep_going: true,
            ..Plan::exhaustive().with(Method::Bounded {
                preemptions: PREEMPTIONS,
            })
        };
        let explored = property(&example.client).ok().and_then(|p| {
            let client = example.client.clone();
            explore(self.code, client, p, &plan, budget, &|_, _| {}).ok()
        });
        let found = explored.into_iter().flat_map(|e| e.found);
        let mut same = found.filter_map(|f| match f.kind {
            Defect::DataRace(seen) if seen.places() == race.places() => Some((f.schedule, seen)),
            _ => None,
        });
        same.next().unwrap_or_else(|| {
            let seen = self.races_of(&example.execution, &example.client, property);
            let mut seen = seen.into_iter().filter(|s| s.places() == race.places());
            let seen = seen.next().unwrap_or_else(|| race.clone());
            let mut schedule = example.schedule.clone();
            schedule.0.truncate(seen.second.0 + 1);
            (schedule, seen)
        })
    }
}
