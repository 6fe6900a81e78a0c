//! Everything that one run has to say, in a form that is saved and read again: version 2.
//!
//! These types are the JSON format, so they are separate from the core types and change only together with
//! [`VERSION`] and `docs/finding.schema.json`. There is no clock in a finding: the same input gives the same
//! bytes.

mod data_race;
mod decisive;
mod evidence;
pub mod explanation;
mod fault;
mod first;
mod history;
mod interleaving;
mod minimal_test;
mod observe;
mod repair;
#[cfg(test)]
mod schema;
mod sleeper;
mod span;
mod value;

pub use data_race::{DataRace, RacingAccess};
pub use decisive::{Race, Side};
pub use evidence::{Allowed, Because, Evidence, Order, Placed};
pub use explanation::Explanation;
pub use fault::{Fault, Replay, SourceFile, Wait};
pub(crate) use first::from_first_version;
pub use history::{Disturbance, History, Operation, Outcome, Recording};
pub use interleaving::{Access, Action, Interleaving, Older, Step};
pub use minimal_test::{Clients, MinimalTest};
pub use observe::{KEPT_STEPS, WHOLE_HISTORY, WINDOW};
pub use repair::{Recheck, Repair, Repairs, Validation};
pub use sleeper::{Cause, Sleeper};
pub use span::Span;
pub use value::Value;

use linspect_core::verdict as core;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of this format. A reader of one version does not guess at another.
pub const VERSION: u32 = 2;

/// What one run of Linspect found out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The version of this format: 2.
    pub version: u32,
    /// What made this finding.
    pub tool: Tool,
    /// What was checked, against what.
    pub checked: Checked,
    /// What the verdict covers.
    pub coverage: Coverage,
    /// What was explored beside it of what only atomics weaker than `seq_cst` allow, where nothing was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weaker_orderings: Option<ExploredBeside>,
    /// What was explored beside it of what only a thread does that wakes at a condition though nobody wakes it, where nothing was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spurious_wakeups: Option<ExploredBeside>,
    /// The clients that were run, by size, where nothing was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clients: Vec<Clients>,
    /// The answer, and how it is known. Operations are named by their `id` in `history`.
    pub verdict: Verdict,
    /// What the clients saw.
    pub history: History,
    /// The smallest test that shows the violation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimal_test: Option<MinimalTest>,
    /// The failing run, step by step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interleaving: Option<Interleaving>,
    /// The critical data race sequence: each race could still have saved the run, the last one doomed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub races: Option<Vec<Race>>,
    /// Why the run fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// Accesses that nothing orders although one writes and one is not atomic, whatever else was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data_races: Vec<DataRace>,
    /// What to make atomic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repairs: Option<Repairs>,
    /// What to do where no repair is known, as rules advise, best first. Not checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<String>,
    /// How to see it happen again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    /// The source files that other sections point into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sources: Option<Vec<SourceFile>>,
}

/// The program that made a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// `linspect`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What was checked, against what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Checked {
    /// The file, object or harness, as the user named it.
    pub source: String,
    /// The type of the object, without its path and parameters, if the harness says one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The specification, such as `queue`.
    pub spec: String,
    /// The condition that was decided.
    pub criterion: Criterion,
}

impl Checked {
    /// `source` against `spec`.
    pub fn new(
        source: impl Into<String>,
        spec: impl Into<String>,
        criterion: core::Criterion,
    ) -> Self {
        Self {
            source: source.into(),
            object: None,
            spec: spec.into(),
            criterion: criterion.into(),
        }
    }

    /// The same for an object of this type.
    pub fn of_type(self, object: Option<String>) -> Self {
        Self { object, ..self }
    }
}

/// A correctness condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "name", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Criterion {
    /// Linearizability.
    Linearizable,
    /// Causal k-quasi-linearizability: nobody overtakes, or is overtaken, more than `k` times.
    Quasi {
        /// The relaxation.
        k: u32,
    },
    /// Quasi-linearizability to the letter of Definition 4 of Round-Up.
    QuasiLiteral {
        /// The quasi factor.
        k: u32,
    },
    /// Restriction 1 of Definition 4 only.
    #[serde(rename = "quasi-restriction-1")]
    QuasiRestriction1 {
        /// The quasi factor.
        k: u32,
    },
    /// Sequential consistency.
    Sequential,
    /// Quiescent consistency.
    Quiescent,
    /// No failed assertion, no deadlock, no memory error.
    FaultFree,
}

impl Criterion {
    /// Whether an order of effects must respect real time, so that its points can be drawn on a time axis.
    pub fn respects_real_time(self) -> bool {
        !matches!(self, Self::Sequential | Self::Quiescent)
    }
}

impl fmt::Display for Criterion {
    /// The adjective: `linearizable`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linearizable => f.write_str("linearizable"),
            Self::Quasi { k } => write!(f, "{k}-quasi-linearizable"),
            Self::QuasiLiteral { k } => write!(f, "{k}-quasi-linearizable (literal)"),
            Self::QuasiRestriction1 { k } => {
                write!(f, "{k}-quasi-linearizable (restriction 1 only)")
            }
            Self::Sequential => f.write_str("sequentially consistent"),
            Self::Quiescent => f.write_str("quiescently consistent"),
            Self::FaultFree => f.write_str("free of faults"),
        }
    }
}

impl From<core::Criterion> for Criterion {
    fn from(criterion: core::Criterion) -> Self {
        match criterion {
            core::Criterion::Linearizable => Self::Linearizable,
            core::Criterion::Quasi { k } => Self::Quasi { k },
            core::Criterion::QuasiLiteral { k } => Self::QuasiLiteral { k },
            core::Criterion::QuasiRestriction1 { k } => Self::QuasiRestriction1 { k },
            core::Criterion::Sequential => Self::Sequential,
            core::Criterion::Quiescent => Self::Quiescent,
        }
    }
}

fn article(noun: &str) -> &'static str {
    match noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
        true => "an",
        false => "a",
    }
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// What a verdict covers. Never more than this is claimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Coverage {
    /// One recorded history, and nothing about other runs of the same system.
    Recorded,
    /// Every execution of one client.
    Exhausted {
        /// How many executions stand for all of them.
        executions: u64,
        /// How many more were begun in which a thread tried in vain: others stand for them.
        #[serde(default, skip_serializing_if = "is_zero")]
        retries_cut: u64,
        /// The memory model they ran under, such as `SC`.
        memory_model: String,
    },
    /// Every execution within a bound.
    Bounded {
        /// How many executions.
        executions: u64,
        /// The memory model they ran under.
        memory_model: String,
        /// What the bound is, such as `at most 2 preemptions`.
        bound: String,
    },
    /// Some executions, chosen at random.
    Sampled {
        /// How many executions.
        executions: u64,
        /// The memory model they ran under.
        memory_model: String,
        /// The seed that chose them.
        seed: u64,
        /// What the sampling promises, such as `PCT, depth 3: p ≥ 0.002 per run`.
        guarantee: String,
    },
}

/// What was explored beside what the verdict covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExploredBeside {
    /// What was explored.
    pub coverage: Coverage,
    /// Why that is not all that is promised, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "answer", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Verdict {
    /// The criterion holds for everything that the coverage names.
    Holds {
        /// An order of effects that shows it for `history`, where one was made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        witness: Option<Order>,
    },
    /// It does not hold, and this is why.
    Violated {
        /// Why.
        evidence: Evidence,
    },
    /// A run went wrong by itself, whatever its results.
    Faulty {
        /// How.
        fault: Fault,
    },
    /// Nobody knows.
    Unknown {
        /// Why the check stopped, as a clause: `the time limit was reached`.
        reason: String,
    },
}

impl Verdict {
    /// Why nobody knows where assumptions stopped every run.
    pub const NO_RUN_IS_LEFT: &str = "no run is left to judge: an assumption excludes each of them";
}

impl Finding {
    /// The evidence, if the criterion is violated.
    pub fn evidence(&self) -> Option<&Evidence> {
        match &self.verdict {
            Verdict::Violated { evidence } => Some(evidence),
            Verdict::Holds { .. } | Verdict::Faulty { .. } | Verdict::Unknown { .. } => None,
        }
    }

    /// The order of effects that the evidence or the witness gives.
    pub fn order(&self) -> Option<&Order> {
        match &self.verdict {
            Verdict::Holds { witness } => witness.as_ref(),
            Verdict::Violated { evidence } => Some(&evidence.partial),
            Verdict::Faulty { .. } | Verdict::Unknown { .. } => None,
        }
    }

    /// What to call the process of an operation: `client 3` of a recording, `T1` or `main` of a test or a program.
    pub fn client(&self, process: u32) -> String {
        let names = self.interleaving.as_ref().map(|run| &run.threads);
        if let Some(names) = names.filter(|names| !names.is_empty()) {
            let name = names.get(process as usize);
            return name.map_or_else(|| "main".into(), Clone::clone);
        }
        match &self.minimal_test {
            None => format!("client {process}"),
            Some(test) if (process as usize) < test.threads.len() => format!("T{}", process + 1),
            Some(_) => "main".into(),
        }
    }

    /// The operation in which the run went wrong, if that was called when all threads were over.
    pub(crate) fn fails_late(&self) -> Option<&Operation> {
        let test = self.minimal_test.as_ref()?;
        let mut steps = self.interleaving.iter().flat_map(|run| &run.steps);
        let is_faulty = matches!(self.verdict, Verdict::Faulty { .. });
        if !is_faulty || self.is_stuck() || self.is_data_race() || steps.any(|step| step.fault) {
            return None;
        }
        let mut late = test.after.iter().filter_map(|&id| self.history.get(id));
        late.next_back().filter(|op| op.outcome == Outcome::Pending)
    }

    /// Whether the run ended with nobody able to go on.
    pub(crate) fn is_stuck(&self) -> bool {
        matches!(&self.verdict, Verdict::Faulty { fault } if fault.kind == "deadlock" || fault.kind == "livelock")
    }

    /// The two steps of the run that race, where a data race is what is wrong.
    pub(crate) fn racing_steps(&self) -> Vec<usize> {
        let is_race = self.is_data_race();
        let Some((run, race)) = self.interleaving.as_ref().zip(self.data_races.first()) else {
            return Vec::new();
        };
        let marked = run.steps.iter().enumerate().filter(|(_, s)| s.matters);
        let marked: Vec<usize> = marked.map(|(at, _)| at).collect();
        if is_race && (1..=2).contains(&marked.len()) {
            return marked;
        }
        let mut found: Vec<usize> = Vec::new();
        for access in race.accesses.iter().rev().filter(|_| is_race) {
            let before = found.last().copied().unwrap_or(run.steps.len());
            let at = run.steps[..before].iter().rposition(|step| {
                let same = step.span.as_ref().zip(access.span.as_ref());
                self.client(step.thread) == access.thread
                    && same.is_some_and(|(a, b)| a.file == b.file && a.line == b.line)
            });
            found.extend(at);
        }
        found
    }

    /// Whether it is about a program with a `main` of its own.
    pub fn is_program(&self) -> bool {
        let threads = self.interleaving.as_ref().map(|run| &*run.threads);
        let main_runs = threads.is_some_and(|names| names.first().is_some_and(|n| n == "main"));
        main_runs || self.checked.criterion == Criterion::FaultFree
    }

    /// The text of a source file, if it was kept.
    pub fn source(&self, path: &str) -> Option<&str> {
        let file = self
            .sources
            .iter()
            .flatten()
            .find(|file| file.path == path)?;
        Some(&file.text)
    }

    /// The code that repairs would make one step, best first.
    pub fn repaired_blocks(&self) -> impl Iterator<Item = &Span> {
        let repairs = self.repairs.iter().flat_map(|repairs| &repairs.found);
        repairs.flat_map(|repair| &repair.blocks)
    }

    /// Of the blocks of each repair, puts those first in whose middle the failing run was interrupted: the others are for larger tests.
    pub fn put_interrupted_first(&mut self) {
        let Some((run, repairs)) = self.interleaving.as_ref().zip(self.repairs.as_mut()) else {
            return;
        };
        for repair in &mut repairs.found {
            repair.blocks.sort_by_key(|block| !run.interrupts(block));
        }
    }

    /// Where the run was decided: the competitors of the races that could have saved it, and where it went wrong.
    pub fn decided_at(&self) -> impl Iterator<Item = &Span> {
        let races = self.races.iter().flatten().flat_map(|race| &race.sides);
        let fault = match &self.verdict {
            Verdict::Faulty { fault } => fault.span.as_ref(),
            _ => None,
        };
        let racing = self.data_races.iter().flat_map(|race| &race.accesses);
        races
            .filter_map(|side| side.span.as_ref())
            .chain(fault)
            .chain(racing.filter_map(|access| access.span.as_ref()))
    }

    /// The lines that the failure depends on: those of the slice, and the steps that matter.
    pub fn slice(&self) -> impl Iterator<Item = &Span> {
        let lines = self.explanation.iter().flat_map(|why| &why.lines);
        let steps = self.interleaving.iter().flat_map(|run| &run.steps);
        let steps = steps.filter(|step| step.matters);
        let steps = steps.filter_map(|step| step.span.as_ref());
        lines.map(|line| &line.span).chain(steps)
    }

    /// Whether no two operations of the history overlap.
    pub fn is_sequential(&self) -> bool {
        let operations = &self.history.operations;
        operations.windows(2).all(|pair| {
            let ended = pair[0].ret.is_some_and(|ret| ret < pair[1].call);
            ended && pair[0].call <= pair[1].call
        })
    }

    /// Takes over what is `known` of the same run: the test, what decides it, why it fails, what to change. Of another
    /// run nothing.
    pub fn take_over(&mut self, known: Self) {
        let threads = |finding: &Self| -> Vec<u32> {
            let steps = finding.interleaving.iter().flat_map(|run| &run.steps);
            steps.map(|step| step.thread).collect()
        };
        let is_same = self.checked == known.checked
            && self.history == known.history
            && self.fault_name() == known.fault_name()
            && threads(self) == threads(&known);
        if is_same {
            *self = Self {
                coverage: self.coverage.clone(),
                replay: self.replay.take(),
                ..known
            };
        }
    }

    /// Whether a data race, or a hand-over without order, is what is wrong.
    pub(crate) fn is_data_race(&self) -> bool {
        let race = self.data_races.first();
        matches!((&self.verdict, race), (Verdict::Faulty { fault }, Some(race)) if fault.kind == race.fault())
    }

    /// What is wrong, in capitals: `NOT LINEARIZABLE`.
    pub(crate) fn fault_name(&self) -> String {
        match &self.verdict {
            Verdict::Faulty { fault } => fault.name(),
            _ => format!("NOT {}", self.checked.criterion.to_string().to_uppercase()),
        }
    }

    /// Where to change something: what must be atomic, or where the run went wrong.
    pub fn place(&self) -> Option<&Span> {
        crate::fix::place(self)
    }

    /// What was tested, and as what: `LockFreeSet, as a set`; `list.c, as a set` where the object has no type of its own. Of
    /// a fault, the function that it happens in.
    pub(crate) fn subject(&self) -> String {
        let source = &self.checked.source;
        let file = source.rsplit(['/', '\\']).next().unwrap_or(source);
        let place = crate::fix::place(self);
        let is_fault = matches!(self.verdict, Verdict::Faulty { .. });
        let blocks = self
            .repairs
            .iter()
            .flat_map(|r| &r.found)
            .flat_map(|r| &r.blocks);
        let steps = self.interleaving.iter().flat_map(|run| &run.steps);
        let spans = place.into_iter().chain(blocks);
        let spans = spans.chain(steps.filter_map(|step| step.span.as_ref()));
        let owner =
            (self.checked.object.as_deref()).or_else(|| spans.clone().find_map(Span::owner));
        let name = match (owner, place, self.is_program()) {
            (Some(owner), _, _) => owner,
            (None, Some(span), false) if is_fault && !span.short_function().is_empty() => {
                return span.short_function().to_owned();
            }
            (None, Some(span), false) => span.file_name(),
            _ => file,
        };
        // What `--spec` calls it, in words.
        let spec = match self.checked.spec.as_str() {
            "kv" => "map",
            "pair-snapshot" => "snapshot",
            spec => spec,
        };
        match (spec, self.checked.criterion) {
            (_, Criterion::FaultFree) | ("program", _) => name.to_owned(),
            ("sequential execution", _) => format!("{name}, as it is when run alone"),
            ("sequential model", _) => format!("{name}, as its model"),
            _ => format!("{name}, as {} {spec}", article(spec)),
        }
    }

    /// The verdict as a headline: `NOT LINEARIZABLE (queue)`.
    pub fn headline(&self) -> String {
        let criterion = self.checked.criterion.to_string().to_uppercase();
        let spec = &self.checked.spec;
        match &self.verdict {
            Verdict::Faulty { fault } => fault.name(),
            Verdict::Holds { .. } => format!("{criterion} ({spec})"),
            Verdict::Violated { .. } => format!("NOT {criterion} ({spec})"),
            Verdict::Unknown { .. } => format!("UNDECIDED WHETHER {criterion} ({spec})"),
        }
    }
}
