//! From something bad that was found to all that is known about it: minimise, localise, repair.
//!
//! A later step that fails or runs out of budget leaves its part of the finding empty; it never takes back an earlier one.

use super::investigate::{Investigation, Lead, TRIAL_EXECUTIONS, panicked};
use super::narrate::{Narrator, Told};
use super::tree;
use crate::failure::Failure;
use crate::interrupt;
use crate::limits::Limits;
use linspect_core::check::Budget;
use linspect_core::client::{Client, Declared};
use linspect_core::execution::{Execution, Fault};
use linspect_core::history::{History, OpId};
use linspect_core::machine::Subject;
use linspect_core::property::{Property, Sound};
use linspect_core::schedule::Schedule;
use linspect_core::spec::Unfit;
use linspect_diagnose::localise::{Granularity, Localisation, localise};
use linspect_diagnose::minimise::{Explorer, MinimalTest, minimise};
use linspect_diagnose::repair::{self, Diagnosis, repair};
use linspect_explore::run::schedule;
use linspect_explore::search::{Found, Kind, Method, Plan, explore};
use linspect_explore::token::Token;
use linspect_report::finding::{self, Checked, Finding};

/// States that localisation looks at.
const LOCALISED_STATES: usize = 50_000;

/// Preemptions that are tried in runs too long to look at all.
const PREEMPTIONS: u32 = 3;

impl Investigation<'_> {
    pub(super) fn diagnose<P: Property>(
        &self,
        lead: &Lead<'_>,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        checked: Checked,
    ) -> Result<(Finding, Client), Failure> {
        let Lead {
            client,
            found,
            outcome,
            exploration,
            oracle,
        } = *lead;
        let limits = Limits::start(self.effort.budget, self.effort.memory);
        exploration.enter("looking for the smallest test");
        let test = self.minimise(
            client,
            found,
            property,
            oracle.witness,
            oracle.declared,
            &limits,
        );
        exploration.enter("looking for the decisive races");
        let localisation = self.localise(&test, &found.kind, property);
        let schedule = match &localisation {
            Some(l) => l.schedule.clone(),
            None => self.fewest_preemptions(&test, &found.kind, property, &limits),
        };
        let narrator = Narrator::new(self.code);
        if let (Some(path), Some(found)) = (&self.effort.tree, &localisation) {
            tree::write(path, found, &narrator)?;
        }
        let (mut finding, told, projection) =
            self.describe(&narrator, &test.client, &schedule, oracle.verdict, checked)?;
        let fault = match &found.kind {
            Kind::Deadlock(_) | Kind::Livelock(_) => Some(narrator.deadlock(&told)),
            kind => fault_of(kind, &told.execution).map(|fault| narrator.fault(&fault)),
        };
        if let Some(fault) = fault {
            finding.verdict = finding::Verdict::Faulty { fault };
        }
        finding.coverage = self.coverage(&test, property, outcome);
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
        if matches!(found.kind, Kind::Violation) && !interrupt::asked() {
            exploration.enter("looking for what must be atomic");
            finding.repairs = self.repairs(&test, property, &narrator, &told, &(oracle.unseen)());
        }
        let token = Token {
            fingerprint: self.code.fingerprint(),
            client: test.client.clone(),
            schedule,
        }
        .to_string();
        finding.replay = Some(finding::Replay {
            command: format!("{} {token} {}", self.replay.command, self.replay.what),
            token,
            arguments: self.arguments.clone(),
        });
        finding.sources = Some(narrator.sources(&finding));
        Ok((finding, test.client))
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
        let wanted: fn(&Kind) -> bool = match found.kind {
            Kind::Fault(_) => |k| matches!(k, Kind::Fault(_)) && k.is_error(),
            Kind::Panic(_) => |k| matches!(k, Kind::Panic(_)),
            Kind::Deadlock(_) | Kind::Livelock(_) => {
                |k| matches!(k, Kind::Deadlock(_) | Kind::Livelock(_))
            }
            _ => |k| matches!(k, Kind::Violation),
        };
        let mut explorer = Explorer {
            subject: self.code,
            property,
            witness,
            wanted,
            plan: Plan {
                executions: self.trial_executions(),
                ..Plan::exhaustive()
            },
            budget,
        };
        minimise(client, &found.execution, declared, &mut explorer)
    }

    /// A run of `test` with few preemptions, where there are too many to look at all; the one it has if none is found.
    pub(super) fn fewest_preemptions<P: Property>(
        &self,
        test: &MinimalTest,
        kind: &Kind,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> Schedule {
        let plan = Plan {
            executions: Some(TRIAL_EXECUTIONS),
            ..Plan::exhaustive().with(Method::Bounded {
                preemptions: PREEMPTIONS,
            })
        };
        let same = |f: &Found| std::mem::discriminant(&f.kind) == std::mem::discriminant(kind);
        property(&test.client)
            .ok()
            .and_then(|p| {
                explore(self.code, test.client.clone(), p, &plan, budget, &|_, _| {}).ok()
            })
            .and_then(|explored| explored.found.into_iter().find(same))
            .map_or_else(|| schedule(&test.execution), |found| found.schedule)
    }

    pub(super) fn localise<P: Property>(
        &self,
        test: &MinimalTest,
        kind: &Kind,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
    ) -> Option<Localisation> {
        if interrupt::asked() {
            return None;
        }
        let (client, granularity) = (&test.client, self.effort.granularity);
        let found = match kind {
            Kind::Violation => localise(
                self.code,
                client,
                &mut property(client).ok()?,
                granularity,
                LOCALISED_STATES,
            ),
            _ => localise(self.code, client, &mut Sound, granularity, LOCALISED_STATES),
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
    ) -> Option<finding::Repairs> {
        let make = |c: &Client| property(c).expect("clients are made of what the property knows");
        let clients = std::slice::from_ref(&test.client);
        let effort = repair::Effort::default();
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
                note: Some(
                    "no set of atomic sections that was tried makes this client clean".into(),
                ),
            },
            Diagnosis::Sections(found) => finding::Repairs {
                found: found.iter().map(|r| narrator.repair(r, told)).collect(),
                note: None,
            },
        })
    }
}

/// What went wrong by itself in a run.
fn fault_of(kind: &Kind, execution: &Execution) -> Option<Fault> {
    let last = execution.steps.last().and_then(|s| s.fault.clone());
    match kind {
        Kind::Fault(fault) => Some(last.unwrap_or_else(|| fault.clone())),
        Kind::Panic(message) => Some(panicked(message)),
        _ => None,
    }
}
