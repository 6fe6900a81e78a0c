//! From something bad that was found to all that is known about it: minimise, localise, repair, explain. One [`Counterexample`] goes through all of them.
//!
//! A later step that fails or runs out of budget leaves its part of the finding empty; it never takes back an earlier one.

use super::counterexample::Counterexample;
use super::investigate::{Investigation, Lead, TRIAL_EXECUTIONS};
use super::investigated::UNEXPLAINED;
use super::tree;
use crate::clock_budget::ClockBudget;
use crate::error::Error;
use crate::finding::annotate::Annotator;
use crate::finding::explanation::{Question, Unexplained};
use crate::internal::{InternalError, caught};
use crate::interrupt;
use linspect_core::check::Budget;
use linspect_core::client::{Client, Declared};
use linspect_core::defect::Defect;
use linspect_core::execution::{Action, Execution, FaultKind};
use linspect_core::history::{History, OpId};
use linspect_core::property::Property;
use linspect_core::schedule::Schedule;
use linspect_core::spec::Unfit;
use linspect_diagnose::localise::{Localisation, OldRead, Wrong, localise, old_read};
use linspect_diagnose::minimise::{Explorer, MinimalTest, minimise};
use linspect_diagnose::repair::{self, Diagnosis, repair};
use linspect_explore::search::{Method, Plan, explore};
use linspect_report::finding::{Checked, Finding};

/// States that localisation looks at.
const LOCALISED_STATES: usize = 50_000;

/// What part of the time that is left the read that decides may take: one of so many.
const DECISIVE_SHARE: u32 = 8;

/// Preemptions that are tried in runs too long to look at all.
const PREEMPTIONS: u32 = 3;

/// What is known of something bad.
pub(super) struct Diagnosed {
    pub(super) finding: Finding,
    /// The smallest test.
    pub(super) test: Client,
    /// The graph of all its interleavings, if that was asked for.
    pub(super) tree: Option<String>,
}

impl Investigation<'_> {
    /// Takes apart what was found: makes it small, then clear, then says what would repair it and why it fails.
    pub(super) fn diagnose<P: Property>(
        &self,
        lead: &Lead<'_>,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        checked: Checked,
        notes: &mut Vec<String>,
    ) -> Result<Diagnosed, Error> {
        let Lead {
            found,
            executions,
            limits,
            oracle,
        } = *lead;
        self.enter("looking for the smallest test");
        let test = caught("looking for the smallest test", || {
            self.minimise(found, property, oracle.witness, oracle.declared, &limits)
        });
        let test = kept(test, notes);
        let smallest = test.map_or_else(|| found.clone(), |test| found.smaller(test));
        let (shown, localisation) = self.clearest(found, &smallest, property, &limits, notes);

        let annotator = Annotator::new(self.code);
        let form = self.effort.tree;
        let tree =
            form.and_then(|form| Some(tree::write(form, localisation.as_ref()?, &annotator)));
        let (mut finding, annotated, projection) = self.describe(
            &annotator,
            &shown.client,
            &shown.schedule,
            oracle.verdict,
            checked,
        )?;
        annotator.blame(&mut finding, &shown.defect, &annotated);
        let coverage = caught("counting the schedules of the smallest test", || {
            self.coverage(&shown.client, property, &limits)
        });
        finding.coverage = kept(coverage, notes)
            .flatten()
            .unwrap_or_else(|| self.until_found(executions));
        self.show_test(&mut finding, &projection, &shown.client, shown.certified);
        let localised = localisation.as_ref();
        finding.interleaving = Some(annotator.interleaving(&annotated, &projection, localised));
        if self.is_weak() {
            self.enter("looking for the read that decides");
            let read = caught("looking for the read that decides", || {
                self.decisive_read(&shown, property, &limits)
            });
            if let Some(read) = kept(read, notes).flatten() {
                annotator.show_decisive_read(&mut finding, &read, &annotated);
            }
        }
        // Nothing was found out if not all was looked at.
        let localised = localised.filter(|l| l.dag.complete || !l.races.is_empty());
        finding.races = localised.map(|l| annotator.races(l, &annotated));
        // Atomic sections order nothing that waits, and free nothing.
        let atomic = match &shown.defect {
            Defect::Violation => true,
            // What a program does as a whole is no operation that could run alone.
            Defect::Panic(_) => !self.is_program(),
            Defect::Fault(fault) => !self.is_program() && fault.kind != FaultKind::Leak,
            Defect::Deadlock(_) | Defect::Livelock(_) | Defect::DataRace(_) => false,
        };
        // Nor do they keep anybody asleep who wakes by himself.
        let atomic = atomic && !wakes_alone(&shown.execution);
        if atomic && !interrupt::asked() && !self.is_weak() {
            self.enter("looking for what must be atomic");
            let repairs = caught("looking for what must be atomic", || {
                let unseen = (oracle.unseen)(&shown.client);
                let diagnosis = self.repair(&shown.client, property, &unseen, &limits)?;
                annotator.repairs(&diagnosis, &shown.client, &annotated, limits.exhausted(0))
            });
            finding.repairs = kept(repairs, notes).flatten();
        }
        if !self.is_weak() {
            self.enter("explaining the run");
            let question = Question {
                annotator: &annotator,
                example: &shown,
                annotated: &annotated,
                localisation: localisation.as_ref(),
                claims: oracle.claims,
                level: self.level,
            };
            match kept(caught("explaining the run", || question.answer()), notes) {
                Some(Ok(explanation)) => finding.explanation = Some(explanation),
                // What failed is no value that could be followed back: nothing was left out.
                Some(Err(Unexplained::NoClaim)) => {}
                Some(Err(reason)) => notes.push(format!("{UNEXPLAINED}{reason}")),
                None => {}
            }
        }
        finding.replay = Some(self.replay.of(self.code, &shown.client, &shown.schedule));
        finding.sources = Some(annotator.sources(&finding));
        Ok(Diagnosed {
            finding,
            test: shown.client,
            tree,
        })
    }

    /// The read of something old that decides, of what is shown.
    fn decisive_read<P: Property>(
        &self,
        shown: &Counterexample,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        limits: &ClockBudget,
    ) -> Option<OldRead> {
        let mut property = property(&shown.client).ok()?;
        let (client, execution) = (&shown.client, &shown.execution);
        let share = limits.share(DECISIVE_SHARE);
        let budget = share.as_deref().unwrap_or(limits);
        let most = TRIAL_EXECUTIONS;
        old_read(self.code, client, &mut property, execution, most, budget).ok()?
    }

    /// The run of the smallest test that shows the fault best, and where it is decided, if that is known: with the fewest switches, else with few
    /// preemptions, else as it was found. Whatever is shown was run as a client of its own, and went wrong in the same way.
    fn clearest<P: Property>(
        &self,
        found: &Counterexample,
        smallest: &Counterexample,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        limits: &ClockBudget,
        notes: &mut Vec<String>,
    ) -> (Counterexample, Option<Localisation>) {
        self.enter("looking for the decisive races");
        let localisation = caught("looking for the decisive races", || {
            self.localise(smallest, property, limits)
        });
        if let Some(localisation) = kept(localisation, notes).flatten()
            && let Some(shown) = self.confirmed(smallest, &localisation.schedule, property)
        {
            return (shown, Some(localisation));
        }
        let fewest = caught("looking for few preemptions", || {
            self.fewest_preemptions(smallest, property, limits)
        });
        let fewest = kept(fewest, notes).flatten();
        let mut tried = fewest.iter().chain([&smallest.schedule]);
        let shown = tried.find_map(|schedule| self.confirmed(smallest, schedule, property));
        (shown.unwrap_or_else(|| found.clone()), None)
    }

    pub(super) fn minimise<P: Property>(
        &self,
        found: &Counterexample,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        witness: &dyn Fn(&History) -> Option<Vec<OpId>>,
        declared: &[Declared],
        budget: &dyn Budget,
    ) -> MinimalTest {
        let mut explorer = Explorer {
            subject: self.code,
            property,
            witness,
            wanted: &found.defect,
            plan: Plan {
                executions: self.trial_executions(),
                ..Plan::exhaustive()
            },
            budget,
        };
        minimise(&found.client, &found.execution, declared, &mut explorer)
    }

    /// A run of `example`'s client with few preemptions, where there are too many to look at all.
    fn fewest_preemptions<P: Property>(
        &self,
        example: &Counterexample,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> Option<Schedule> {
        let plan = Plan {
            executions: Some(TRIAL_EXECUTIONS),
            ..Plan::exhaustive().with(Method::Bounded {
                preemptions: PREEMPTIONS,
            })
        };
        let property = property(&example.client).ok()?;
        let client = example.client.clone();
        let explored = explore(self.code, client, property, &plan, budget, &|_, _| {}).ok()?;
        let mut found = explored.found.into_iter();
        found
            .find(|found| found.kind.is_like(&example.defect))
            .map(|found| found.schedule)
    }

    fn localise<P: Property>(
        &self,
        example: &Counterexample,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> Option<Localisation> {
        // It orders steps as they are run, which decides nothing where older values are read.
        if interrupt::asked() || self.is_weak() {
            return None;
        }
        let (client, granularity) = (&example.client, self.effort.granularity);
        let is_violation = example.defect == Defect::Violation;
        let shows = |wrong: Wrong| match is_violation {
            true => wrong.violates,
            false => wrong.fails,
        };
        let found = localise(
            self.code,
            client,
            &mut property(client).ok()?,
            &shows,
            granularity,
            LOCALISED_STATES,
            budget,
        );
        found.ok()?
    }

    fn repair<P: Property>(
        &self,
        client: &Client,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        unseen: &[Client],
        budget: &dyn Budget,
    ) -> Option<Diagnosis> {
        let make = |c: &Client| property(c).expect("clients are made of what the property knows");
        let clients = std::slice::from_ref(client);
        let effort = repair::RepairOptions {
            budget,
            ..repair::RepairOptions::default()
        };
        repair(self.code, clients, unseen, &make, &effort).ok()
    }
}

/// Whether somebody wakes though nobody wakes him, or is late.
fn wakes_alone(execution: &Execution) -> bool {
    let mut accesses = execution.steps.iter().flat_map(|step| &step.accesses);
    accesses.any(|access| matches!(access.action, Action::SpuriousWake | Action::Delay))
}

/// The result of a step, or nothing and a note that it went wrong.
pub(super) fn kept<T>(step: Result<T, InternalError>, notes: &mut Vec<String>) -> Option<T> {
    step.map_err(|error| notes.push(error.note())).ok()
}
