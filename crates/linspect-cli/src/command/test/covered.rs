//! What an investigation covered, in the words of the report.

use super::beyond::{self, Beyond};
use super::investigate::{Effort, Investigation, TRIAL_EXECUTIONS};
use super::long::Long;
use super::narrate::Narrator;
use crate::exit::Exit;
use crate::limits::Limits;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::FaultKind;
use linspect_core::history::History;
use linspect_core::property::Property;
use linspect_core::spec::Unfit;
use linspect_core::verdict::{Limit, Verdict};
use linspect_diagnose::minimise::MinimalTest;
use linspect_explore::search::{
    Bound, Coverage, Explored, Method, Outcome, Plan, Stopped, explore,
};
use linspect_report::finding::{self, Checked, Finding};

const MEMORY_MODEL: &str = "SC";

impl Investigation<'_> {
    /// What to say when every run was good.
    pub(super) fn nothing_found(
        &self,
        outcome: &Outcome,
        sizes: &[usize],
        beyond: Option<Beyond>,
        checked: Checked,
    ) -> (Finding, Exit) {
        let explored = &outcome.explored;
        let executions: u64 = explored.iter().map(|e| e.coverage.executions()).sum();
        // A client that the budget interrupted says nothing; all before it were covered as the method covers them.
        let covered = beyond::covered(outcome);
        let beyond = beyond.map_or_else(String::new, |beyond| format!("; {beyond}"));
        let all_whole = explored
            .iter()
            .take(covered)
            .all(|e| matches!(e.coverage, Coverage::Exhausted { .. }));
        let reason = explored.get(covered).and_then(|e| match &e.coverage {
            Coverage::Unknown { reason, .. } => Some(*reason),
            _ => None,
        });
        let reason = outcome.stopped.or(reason);
        let interrupted = reason == Some(Stopped::Limit(Limit::Interrupted));
        let reason = reason.map(|reason| match reason {
            Stopped::Machine => self.bound(&explored[covered]),
            other => other.to_string(),
        });
        let level = match sizes.get(covered) {
            None => sizes.last().copied(),
            // All clients smaller than the first that is missing.
            Some(missing) => missing
                .checked_sub(1)
                .filter(|level| sizes.first().is_some_and(|s| s <= level)),
        };
        let memory_model = self.memory_model();
        let mut finding = Finding::of_history(&History::new(), &Verdict::Holds(None), checked);
        if let (Some(long), false, true) = (self.effort.long, interrupted, covered > 0) {
            let then = reason.map_or_else(String::new, |reason| format!("; then {reason}"));
            let Long {
                threads,
                operations,
            } = long;
            finding.coverage = finding::Coverage::Sampled {
                executions,
                memory_model,
                seed: self.effort.method.seed(),
                guarantee: format!(
                    "{covered} random clients of {threads} threads with {operations} operations each{then}"
                ),
            };
            return (finding, Exit::Holds);
        }
        let Some(level) = level else {
            let reason = reason.unwrap_or_else(|| "nothing was explored".into());
            finding.verdict = finding::Verdict::Unknown { reason };
            finding.coverage = finding::Coverage::Bounded {
                executions,
                memory_model,
                bound: format!("{covered} of {} clients{beyond}", sizes.len()),
            };
            return (finding, Exit::Inconclusive);
        };
        let count = sizes.iter().filter(|s| **s <= level).count();
        let Effort {
            threads, method, ..
        } = self.effort;
        let clients = match sizes.len() {
            1 => "this client".to_string(),
            _ => format!("all {count} clients of at most {level} operations in {threads} threads"),
        };
        let then = reason.map_or_else(String::new, |reason| format!("; then {reason}"));
        finding.coverage = match method {
            Method::Exhaustive if all_whole && sizes.len() == 1 => finding::Coverage::Exhausted {
                executions,
                retries_cut: explored.iter().map(|e| e.coverage.cut()).sum(),
                memory_model,
            },
            Method::Exhaustive | Method::Bounded { .. } => finding::Coverage::Bounded {
                executions,
                memory_model,
                bound: match method {
                    Method::Bounded { preemptions } => {
                        format!("{clients}, at most {preemptions} preemptions{then}")
                    }
                    _ if all_whole => format!("{clients}, each exhausted{then}{beyond}"),
                    _ => format!("{clients}, some cut at a bound{then}{beyond}"),
                },
            },
            Method::Random { seed, .. } | Method::Pct { seed, .. } | Method::Dpct { seed, .. } => {
                finding::Coverage::Sampled {
                    executions,
                    memory_model,
                    seed,
                    guarantee: clients + &then,
                }
            }
        };
        if let (Method::Exhaustive | Method::Bounded { .. }, Some(bound)) =
            (method, steps_bound(&explored[..covered]))
        {
            let reason = format!("some runs were cut: {bound}");
            finding.verdict = finding::Verdict::Unknown { reason };
            return (finding, Exit::Inconclusive);
        }
        if interrupted {
            let reason = Limit::Interrupted.to_string();
            finding.verdict = finding::Verdict::Unknown { reason };
            return (finding, Exit::Inconclusive);
        }
        (finding, Exit::Holds)
    }

    /// What one run covers.
    pub(super) fn one_schedule(&self) -> finding::Coverage {
        finding::Coverage::Bounded {
            executions: 1,
            memory_model: self.memory_model(),
            bound: "one schedule".into(),
        }
    }

    /// Which bound of the machine a run reached, and where.
    fn bound(&self, explored: &Explored) -> String {
        let faults = explored.found.iter().filter_map(|found| match &found.kind {
            Defect::Fault(fault) if fault.kind == FaultKind::Limit => Some(fault),
            _ => None,
        });
        let narrator = Narrator::new(self.code);
        let places = faults.map(|fault| match (fault.site, &fault.message) {
            (0, message) => message.clone(),
            (site, message) => format!("{}: {message}", narrator.place(site)),
        });
        places
            .last()
            .unwrap_or_else(|| Stopped::Machine.to_string())
    }

    pub(super) fn memory_model(&self) -> String {
        let allocator = match self.code.settings().reuse {
            linspect_vm::Reuse::Lifo => "reuse",
            linspect_vm::Reuse::Fresh => "fresh",
        };
        let threads = match self.code.starts_threads() {
            true => "",
            false => ", no thread is started",
        };
        let numbers = match self.code.narrows() {
            true => ", unknown numbers 0 to 3, -1 and the extremes",
            false => "",
        };
        format!("{MEMORY_MODEL}, allocator {allocator}{threads}{numbers}")
    }

    /// What the report says was covered: the smallest test with all its schedules. Nothing if it cannot be explored.
    pub(super) fn coverage<P: Property>(
        &self,
        test: &MinimalTest,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
    ) -> Option<finding::Coverage> {
        let memory_model = self.memory_model();
        let plan = Plan {
            executions: Some(TRIAL_EXECUTIONS),
            keep_going: true,
            ..Plan::exhaustive()
        };
        // No clock: what is said must not depend on it. Only somebody who waits may end it.
        let unlimited = &Limits::start(None, usize::MAX);
        let explored = property(&test.client).ok().and_then(|p| {
            explore(
                self.code,
                test.client.clone(),
                p,
                &plan,
                unlimited,
                &|_, _| {},
            )
            .ok()
        });
        Some(match explored?.coverage {
            Coverage::Exhausted { executions, cut } => finding::Coverage::Exhausted {
                executions,
                retries_cut: cut,
                memory_model,
            },
            coverage => finding::Coverage::Bounded {
                executions: coverage.executions(),
                memory_model,
                bound: "this client, which has more".into(),
            },
        })
    }

    /// What the search covered until it found something.
    pub(super) fn until_found(&self, outcome: &Outcome) -> finding::Coverage {
        let explored = outcome.explored.iter();
        finding::Coverage::Bounded {
            executions: explored.map(|e| e.coverage.executions()).sum(),
            memory_model: self.memory_model(),
            bound: "until the first error".into(),
        }
    }
}

/// The bound on steps at which runs of these clients were cut, if any were: the largest.
fn steps_bound(explored: &[Explored]) -> Option<Bound> {
    let bounds = explored.iter().flat_map(|e| match &e.coverage {
        Coverage::Bounded { bounds, .. } => bounds.as_slice(),
        _ => &[],
    });
    let steps = bounds.filter_map(|bound| match bound {
        Bound::StepsPerThread(most) => Some(*most),
        _ => None,
    });
    steps.max().map(Bound::StepsPerThread)
}
