//! From something bad that was found to all that is known about it: minimise, localise, repair.
//!
//! A later step that fails or runs out of budget leaves its part of the finding empty; it never takes back an earlier one.

use super::investigate::{Investigation, Lead, TRIAL_EXECUTIONS};
use super::narrate::{Narrator, Told};
use super::tree;
use crate::error::Error;
use crate::internal::{InternalError, caught};
use crate::interrupt;
use linspect_core::check::Budget;
use linspect_core::client::{Client, Declared};
use linspect_core::defect::Defect;
use linspect_core::execution::Execution;
use linspect_core::history::{History, OpId};
use linspect_core::machine::Subject;
use linspect_core::property::{Property, Sound};
use linspect_core::run::{Bounds, Follow, Nobody, run};
use linspect_core::schedule::Schedule;
use linspect_core::spec::Unfit;
use linspect_diagnose::localise::{Granularity, Localisation, localise};
use linspect_diagnose::minimise::{Explorer, MinimalTest, minimise};
use linspect_diagnose::repair::{self, Diagnosis, repair};
use linspect_explore::defects;
use linspect_explore::run::schedule;
use linspect_explore::search::{Found, Method, Plan, explore};
use linspect_explore::stuck::Stuck;
use linspect_report::finding::{self, Checked, Finding};

/// States that localisation looks at.
const LOCALISED_STATES: usize = 50_000;

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
    pub(super) fn diagnose<P: Property>(
        &self,
        lead: &Lead<'_>,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        checked: Checked,
        notes: &mut Vec<String>,
    ) -> Result<Diagnosed, Error> {
        let Lead {
            client,
            found,
            executions,
            limits,
            oracle,
        } = *lead;
        self.enter("looking for the smallest test");
        let test = caught("looking for the smallest test", || {
            self.minimise(
                client,
                found,
                property,
                oracle.witness,
                oracle.declared,
                &limits,
            )
        });
        let test = kept(test, notes).unwrap_or_else(|| as_found(client, found));
        self.enter("looking for the decisive races");
        let localisation = caught("looking for the decisive races", || {
            self.localise(&test, &found.kind, property, &limits)
        });
        let localisation = kept(localisation, notes).flatten();
        // Whatever is shown was run as a client of its own, and went wrong in the same way.
        let fails = |client: &Client, schedule: &Schedule| {
            let error = self.error(client, schedule, property);
            error.is_some_and(|error| error.is_like(&found.kind))
        };
        let localisation = localisation.filter(|l| fails(&test.client, &l.schedule));
        let (test, localisation, schedule) = match localisation {
            Some(l) => {
                let schedule = l.schedule.clone();
                (test, Some(l), schedule)
            }
            None => {
                let fewest = caught("looking for few preemptions", || {
                    self.fewest_preemptions(&test, &found.kind, property, &limits)
                });
                let own = schedule(&test.execution);
                let tried = [kept(fewest, notes).flatten(), Some(own)];
                let shown = tried.into_iter().flatten().find(|s| fails(&test.client, s));
                match shown {
                    Some(schedule) => (test, None, schedule),
                    None => (as_found(client, found), None, found.schedule.clone()),
                }
            }
        };
        let narrator = Narrator::new(self.code);
        let form = self.effort.tree;
        let tree = form.and_then(|form| Some(tree::write(form, localisation.as_ref()?, &narrator)));
        let (mut finding, told, projection) =
            self.describe(&narrator, &test.client, &schedule, oracle.verdict, checked)?;
        let error = self.error_of(&test.client, &told.execution, property);
        let error = error.as_ref().unwrap_or(&found.kind);
        if let Some(fault) = narrator.defect(error, &told) {
            finding.verdict = finding::Verdict::Faulty { fault };
        }
        let coverage = caught("counting the schedules of the smallest test", || {
            self.coverage(&test, property, &limits)
        });
        finding.coverage = kept(coverage, notes)
            .flatten()
            .unwrap_or_else(|| self.until_found(executions));
        if !self.is_program() {
            let threads = test.client.threads.len();
            let minimal = finding::MinimalTest::of(&projection, threads, test.is_certified());
            finding.minimal_test = Some(minimal);
            let source = self.regression(&test.client, &finding);
            if let Some(minimal) = &mut finding.minimal_test {
                minimal.source = source;
            }
        }
        let threads = self.threads(&told.execution);
        let contrast = localisation
            .as_ref()
            .and_then(|l| narrator.contrast(l, &told));
        finding.interleaving = Some(finding::Interleaving {
            steps: narrator.steps(&told, &projection, localisation.as_ref()),
            contrast,
            threads,
            fewest_switches: localisation
                .as_ref()
                .is_some_and(|l| l.dag.complete && l.granularity == Granularity::All),
        });
        finding.races = localisation.as_ref().map(|l| narrator.races(l, &told));
        if *error == Defect::Violation && !interrupt::asked() {
            self.enter("looking for what must be atomic");
            let repairs = caught("looking for what must be atomic", || {
                self.repairs(
                    &test,
                    property,
                    &narrator,
                    &told,
                    &(oracle.unseen)(&test.client),
                    &limits,
                )
            });
            finding.repairs = kept(repairs, notes).flatten();
        }
        finding.replay = Some(self.replay.of(self.code, &test.client, &schedule));
        finding.sources = Some(narrator.sources(&finding));
        Ok(Diagnosed {
            finding,
            test: test.client,
            tree,
        })
    }

    pub(super) fn minimise<P: Property>(
        &self,
        client: &Client,
        found: &Found,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        witness: &dyn Fn(&History) -> Option<Vec<OpId>>,
        declared: &[Declared],
        budget: &dyn Budget,
    ) -> MinimalTest {
        let mut explorer = Explorer {
            subject: self.code,
            property,
            witness,
            wanted: &found.kind,
            plan: Plan {
                executions: self.trial_executions(),
                ..Plan::exhaustive()
            },
            budget,
        };
        minimise(client, &found.execution, declared, &mut explorer)
    }

    /// What is wrong with the run of `client` that `schedule` tells, from the start of the program: the worst of it.
    fn error<P: Property>(
        &self,
        client: &Client,
        schedule: &Schedule,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
    ) -> Option<Defect> {
        let mut machine = self.code.start(client).ok()?;
        let follow = &mut Follow::new(schedule);
        let execution = run(&mut machine, follow, Bounds::NONE, &mut Nobody);
        self.error_of(client, &execution, property)
    }

    /// What is wrong with a run of `client`: the worst of it.
    pub(super) fn error_of<P: Property>(
        &self,
        client: &Client,
        execution: &Execution,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
    ) -> Option<Defect> {
        let stuck = &mut Stuck::new(self.code, client);
        defects::error(execution, &mut property(client).ok()?, stuck)
    }

    /// A run of `test` with few preemptions, where there are too many to look at all.
    pub(super) fn fewest_preemptions<P: Property>(
        &self,
        test: &MinimalTest,
        kind: &Defect,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> Option<Schedule> {
        let plan = Plan {
            executions: Some(TRIAL_EXECUTIONS),
            ..Plan::exhaustive().with(Method::Bounded {
                preemptions: PREEMPTIONS,
            })
        };
        let property = property(&test.client).ok()?;
        let client = test.client.clone();
        let explored = explore(self.code, client, property, &plan, budget, &|_, _| {}).ok()?;
        let mut found = explored.found.into_iter();
        found
            .find(|found| found.kind.is_like(kind))
            .map(|found| found.schedule)
    }

    pub(super) fn localise<P: Property>(
        &self,
        test: &MinimalTest,
        kind: &Defect,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> Option<Localisation> {
        if interrupt::asked() {
            return None;
        }
        let (client, granularity) = (&test.client, self.effort.granularity);
        let found = match kind {
            Defect::Violation => localise(
                self.code,
                client,
                &mut property(client).ok()?,
                granularity,
                LOCALISED_STATES,
                budget,
            ),
            _ => localise(
                self.code,
                client,
                &mut Sound,
                granularity,
                LOCALISED_STATES,
                budget,
            ),
        };
        found.ok()?
    }

    pub(super) fn repairs<P: Property>(
        &self,
        test: &MinimalTest,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        narrator: &Narrator<'_>,
        told: &Told,
        unseen: &[Client],
        budget: &dyn Budget,
    ) -> Option<finding::Repairs> {
        let make = |c: &Client| property(c).expect("clients are made of what the property knows");
        let clients = std::slice::from_ref(&test.client);
        let effort = repair::Effort {
            budget,
            ..repair::Effort::default()
        };
        let diagnosis = repair(self.code, clients, unseen, &make, &effort).ok()?;
        Some(match diagnosis {
            Diagnosis::Clean => return None,
            Diagnosis::Serial(serial) => finding::Repairs {
                found: Vec::new(),
                note: Some(format!(
                    "it is wrong even when every operation runs alone, so no atomic section helps: {}",
                    narrator.serial(&serial, &test.client)
                )),
            },
            Diagnosis::Sections(found) if found.is_empty() => finding::Repairs {
                found: Vec::new(),
                note: Some(match budget.exhausted(0) {
                    Some(limit) => format!("{limit} before a repair was found and re-checked"),
                    None => {
                        "no set of atomic sections that was tried makes this client clean".into()
                    }
                }),
            },
            Diagnosis::Sections(found) => finding::Repairs {
                found: found.iter().map(|r| narrator.repair(r, told)).collect(),
                note: None,
            },
        })
    }
}

/// The result of a step, or nothing and a note that it went wrong.
fn kept<T>(step: Result<T, InternalError>, notes: &mut Vec<String>) -> Option<T> {
    step.map_err(|error| notes.push(error.note())).ok()
}

/// The test as it was found, with nothing taken away.
fn as_found(client: &Client, found: &Found) -> MinimalTest {
    MinimalTest {
        client: client.clone(),
        execution: found.execution.clone(),
        needed: Vec::new(),
        complete: false,
    }
}
