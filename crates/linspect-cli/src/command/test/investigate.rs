//! From an object to a finding: explore, and for what is found minimise, localise and repair.
//!
//! A later step that fails or runs out of budget leaves its part of the finding empty; it never takes back an earlier one.

use super::exploration::Exploration;
use super::narrate::{Narrator, Told};
use super::program;
use super::reasons::Claims;
use super::tree;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::limits::Limits;
use linspect_core::check::{Alone, Budget, Question};
use linspect_core::client::{Client, Declared};
use linspect_core::execution::{End, Ending, Execution, Fault, FaultKind};
use linspect_core::history::{History, OpId};
use linspect_core::machine::Subject;
use linspect_core::project::{Projection, project};
use linspect_core::property::{Linearizable, Property, Sound};
use linspect_core::schedule::Schedule;
use linspect_core::spec::{Erased, Spec, Unfit, Visitor};
use linspect_core::statement::Recording;
use linspect_core::verdict::{Criterion, Limit, Verdict};
use linspect_diagnose::explain::{Level, claim};
use linspect_diagnose::localise::{Granularity, Localisation, localise};
use linspect_diagnose::minimise::{Explorer, MinimalTest, minimise, witness};
use linspect_diagnose::repair::{self, Diagnosis, repair};
use linspect_explore::clients::{Sizes, enumerate, prefixes, suffix};
use linspect_explore::run::schedule;
use linspect_explore::search::{
    Coverage, Found, Kind, Method, Outcome, Plan, SearchError, Stopped, explore, search,
};
use linspect_explore::token::Token;
use linspect_report::finding::{self, Checked, Finding};
use linspect_vm::Code;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How far to go.
pub(super) struct Effort {
    pub(super) operations: usize,
    pub(super) threads: usize,
    pub(super) method: Method,
    pub(super) granularity: Granularity,
    pub(super) tree: Option<PathBuf>,
    pub(super) budget: Option<Duration>,
    pub(super) memory: usize,
}

/// What is to be found out about which object.
pub(super) struct Investigation<'a> {
    pub(super) code: &'a Code,
    /// What the object is called in reports.
    pub(super) name: String,
    /// How a run is seen again.
    pub(super) replay: Replay,
    /// The source files, the harness first; none if there are only binaries.
    pub(super) files: &'a [PathBuf],
    /// What to type after `linspect test` for the same program.
    pub(super) arguments: Vec<String>,
    /// The only client to run, if one was given.
    pub(super) client: Option<Client>,
    /// What to do.
    pub(super) task: Task<'a>,
    /// Whether to say nothing before the end.
    pub(super) quiet: bool,
    pub(super) effort: Effort,
    /// How much the explanation takes into account; `None`: as much as it needs.
    pub(super) level: Option<Level>,
}

/// The command that replays a token of the same program.
pub(super) struct Replay {
    pub(super) command: &'static str,
    pub(super) what: String,
}

/// Where a finding comes from.
#[derive(Clone, Copy)]
pub(super) enum Task<'a> {
    /// From clients, smallest first.
    Search,
    /// From one run, seen again.
    Replay(&'a Token),
    /// From one run, made smaller.
    Minimise(&'a Token),
}

/// Who knows what the object should do.
pub(super) struct Oracle<'a> {
    verdict: &'a Judgement<'a>,
    /// An order of effects that explains a history, if there is one.
    witness: &'a dyn Fn(&History) -> Option<Vec<OpId>>,
    /// Clients that a repair was not made from.
    unseen: &'a dyn Fn() -> Vec<Client>,
}

/// Something bad that was found, before anything is known about it.
#[derive(Clone, Copy)]
pub(super) struct Lead<'a> {
    pub(super) client: &'a Client,
    pub(super) found: &'a Found,
    pub(super) outcome: &'a Outcome,
    pub(super) exploration: &'a Exploration,
    pub(super) oracle: &'a Oracle<'a>,
}

/// What was found out.
pub(crate) struct Investigated {
    pub(crate) finding: Finding,
    pub(crate) exit: Exit,
    pub(crate) elapsed: Duration,
    /// What else there is to say: findings beside the verdict.
    pub(crate) notes: Vec<String>,
    /// The smallest test of an object, and the operations that it calls.
    pub(super) test: Option<(Client, Vec<Declared>)>,
}

/// What a history is by itself; an error where the specification does not understand it.
type Judgement<'a> = dyn Fn(&History) -> Result<Verdict, Failure> + 'a;

/// States that localisation looks at.
const LOCALISED_STATES: usize = 50_000;

/// Executions of one client while minimising.
pub(super) const TRIAL_EXECUTIONS: u64 = 20_000;

/// Clients that the best repair is tried on.
const UNSEEN: usize = 12;

/// Preemptions that are tried in runs too long to look at all.
const PREEMPTIONS: u32 = 3;

/// Calls in a sequential prefix.
const PREFIX: usize = 2;

const MEMORY_MODEL: &str = "SC";

impl Visitor for Investigation<'_> {
    type Output = Result<Investigated, Failure>;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Self::Output
    where
        S::State: Send,
        S::Call: Send,
    {
        self.against(&Erased::new(spec))
    }
}

impl Investigation<'_> {
    /// Investigates an object that should behave like `spec`.
    pub(super) fn against(self, spec: &Erased<'_>) -> Result<Investigated, Failure> {
        let declared = self.code.operations();
        let checked = Checked::new(&self.name, spec.name(), Criterion::Linearizable);
        let clients = self.clients(spec)?;
        let property = |client: &Client| Linearizable::new(spec, client, declared);
        let verdict = |history: &History| {
            let question = Question::new(history, spec, Criterion::Linearizable);
            let question = question.map_err(|error| Failure::Misfit {
                source_name: self.name.clone(),
                error,
            })?;
            let answer = question.check(&Alone, &linspect_core::check::Unlimited);
            Ok(answer.verdict)
        };
        if self.is_program() {
            // What the operations are called with is known only now.
            verdict(&program::first_history(self.code)?)?;
        }
        let unseen = || match self.is_program() {
            true => Vec::new(),
            false => repair::unseen(spec, declared, UNSEEN, 0).unwrap_or_default(),
        };
        let oracle = Oracle {
            verdict: &verdict,
            witness: &|history| witness(history, spec),
            unseen: &unseen,
        };
        let mut found = self.run(clients, &property, &oracle, checked)?;
        if !self.is_program() {
            let claims = |p: &Projection, recording: &Recording| claim(spec, p, recording);
            self.explain(&mut found, &claims);
        }
        Ok(found)
    }

    fn explain(&self, found: &mut Investigated, claims: &Claims<'_>) {
        let (finding, notes) = (&mut found.finding, &mut found.notes);
        super::reasons::add(self.code, finding, notes, claims, self.level);
    }

    /// Investigates a program with a `main` of its own.
    pub(super) fn plain(self) -> Result<Investigated, Failure> {
        let mut checked = Checked::new(&self.name, "program", Criterion::Linearizable);
        checked.criterion = finding::Criterion::FaultFree;
        let clients = vec![Client::default()].into_iter();
        let verdict = |_: &History| Ok(Verdict::Holds(None));
        let property = |_: &Client| Ok(Sound);
        let oracle = Oracle {
            verdict: &verdict,
            witness: &|_| None,
            unseen: &Vec::new,
        };
        let mut found = self.run(clients, &property, &oracle, checked)?;
        self.explain(&mut found, &|_, _| None);
        Ok(found)
    }

    /// Clients smallest first, each with the prefixes that reach new states and a suffix that reveals what happened.
    fn clients(&self, spec: &Erased<'_>) -> Result<std::vec::IntoIter<Client>, Failure> {
        if self.is_program() {
            return Ok(vec![Client::default()].into_iter());
        }
        if let Some(client) = &self.client {
            return Ok(vec![client.clone()].into_iter());
        }
        let declared = self.code.operations();
        let unfit = |error: Unfit| Failure::Search(Box::new(SearchError::Unfit(error)));
        let sizes = Sizes {
            threads: self.effort.threads,
            operations: self.effort.operations,
            rename_values: spec.name() != "priority-queue",
        };
        let prefixes = prefixes(spec, declared, PREFIX).map_err(unfit)?;
        let mut clients = Vec::new();
        for threads in enumerate(declared, sizes) {
            for before in &prefixes {
                let mut client = Client {
                    before: before.clone(),
                    ..threads.clone()
                };
                client.after = suffix(spec, declared, &client).map_err(unfit)?;
                clients.push(client);
            }
        }
        clients.sort_by_key(|c| (size(c), c.threads.len()));
        Ok(clients.into_iter())
    }

    fn run<P: Property>(
        &self,
        clients: std::vec::IntoIter<Client>,
        property: &(impl Fn(&Client) -> Result<P, Unfit> + Sync),
        oracle: &Oracle<'_>,
        checked: Checked,
    ) -> Result<Investigated, Failure> {
        let start = Instant::now();
        match self.task {
            Task::Search => {}
            Task::Replay(token) => return self.replay(token, oracle.verdict, checked, start),
            Task::Minimise(token) => return self.again(token, property, oracle, checked, start),
        }
        let sizes: Vec<usize> = clients.as_slice().iter().map(size).collect();
        let limits = Limits::start(self.effort.budget, self.effort.memory);
        let plan = Plan::exhaustive().with(self.effort.method);
        let exploration = Exploration::start(sizes.len(), self.effort.budget, self.quiet);
        let outcome = search(self.code, clients, property, &plan, &limits, &|progress| {
            exploration.hear(progress);
        })
        .map_err(|error| Failure::Search(Box::new(error)))?;
        let (finding, exit, test) = match outcome.error() {
            Some((client, found)) => {
                let lead = Lead {
                    client,
                    found,
                    outcome: &outcome,
                    exploration: &exploration,
                    oracle,
                };
                let (finding, test) = self.diagnose(&lead, property, checked)?;
                (finding, Exit::Violation, self.emitted(test))
            }
            None => {
                let (finding, exit) = self.nothing_found(&outcome, &sizes, checked);
                (finding, exit, None)
            }
        };
        Ok(Investigated {
            test,
            finding,
            exit,
            elapsed: start.elapsed(),
            notes: self.notes(&outcome),
        })
    }

    /// What to say when every run was good.
    fn nothing_found(
        &self,
        outcome: &Outcome,
        sizes: &[usize],
        checked: Checked,
    ) -> (Finding, Exit) {
        let explored = &outcome.explored;
        let executions: u64 = explored.iter().map(|e| e.coverage.executions()).sum();
        // A client that the budget interrupted says nothing; all before it were covered as the method covers them.
        let covered = explored
            .iter()
            .take_while(|e| !matches!(e.coverage, Coverage::Unknown { .. }))
            .count();
        let all_whole = explored
            .iter()
            .take(covered)
            .all(|e| matches!(e.coverage, Coverage::Exhausted { .. }));
        let reason = explored.get(covered).and_then(|e| match &e.coverage {
            Coverage::Unknown { reason, .. } => Some(*reason),
            _ => None,
        });
        let reason = outcome.stopped.or(reason);
        let level = match sizes.get(covered) {
            None => sizes.last().copied(),
            // All clients smaller than the first that is missing.
            Some(missing) => missing
                .checked_sub(1)
                .filter(|level| sizes.first().is_some_and(|s| s <= level)),
        };
        let memory_model = self.memory_model();
        let mut finding = Finding::of_history(&History::new(), &Verdict::Holds(None), checked);
        let Some(level) = level else {
            let reason =
                reason.map_or_else(|| "nothing was explored".to_string(), |r| r.to_string());
            finding.verdict = finding::Verdict::Unknown { reason };
            finding.coverage = finding::Coverage::Bounded {
                executions,
                memory_model,
                bound: format!("{covered} of {} clients", sizes.len()),
            };
            return (finding, Exit::Inconclusive);
        };
        let count = sizes.iter().filter(|s| **s <= level).count();
        let Effort {
            threads, method, ..
        } = self.effort;
        let clients = match (sizes.len(), reason) {
            (1, _) => "this client".to_string(),
            (_, None) => {
                format!("all {count} clients of at most {level} operations in {threads} threads")
            }
            (_, Some(reason)) => {
                format!(
                    "all {count} clients of at most {level} operations in {threads} threads; then {reason}"
                )
            }
        };
        finding.coverage = match method {
            Method::Exhaustive if all_whole && sizes.len() == 1 => finding::Coverage::Exhausted {
                executions,
                memory_model,
            },
            Method::Exhaustive | Method::Bounded { .. } => finding::Coverage::Bounded {
                executions,
                memory_model,
                bound: match method {
                    Method::Bounded { preemptions } => {
                        format!("{clients}, at most {preemptions} preemptions")
                    }
                    _ if all_whole => format!("{clients}, each exhausted"),
                    _ => format!("{clients}, some cut at a bound"),
                },
            },
            Method::Random { seed, .. } | Method::Pct { seed, .. } | Method::Dpct { seed, .. } => {
                finding::Coverage::Sampled {
                    executions,
                    memory_model,
                    seed,
                    guarantee: clients,
                }
            }
        };
        if reason == Some(Stopped::Limit(Limit::Interrupted)) {
            let reason = Limit::Interrupted.to_string();
            finding.verdict = finding::Verdict::Unknown { reason };
            return (finding, Exit::Inconclusive);
        }
        (finding, Exit::Holds)
    }

    /// What the threads of a run are called.
    fn threads(&self, execution: &Execution) -> Vec<String> {
        let narrator = Narrator::new(self.code);
        let last = execution.steps.iter().map(|s| s.choice.thread).max();
        let count = last.map_or(0, |last| last + 1);
        (0..count).map(|id| narrator.thread(id)).collect()
    }

    /// Whether it has a `main` of its own instead of a harness.
    fn is_program(&self) -> bool {
        self.code.is_program()
    }

    fn memory_model(&self) -> String {
        let allocator = match self.code.settings().reuse {
            linspect_vm::Reuse::Lifo => "reuse",
            linspect_vm::Reuse::Fresh => "fresh",
        };
        format!("{MEMORY_MODEL}, allocator {allocator}")
    }

    /// Findings beside the verdict.
    fn notes(&self, outcome: &Outcome) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for explored in &outcome.explored {
            for found in explored.found.iter().filter(|f| !f.kind.is_error()) {
                let Kind::DataRace(race) = &found.kind else {
                    continue;
                };
                let narrator = Narrator::new(self.code);
                let (first, second) = race.sites();
                let (first, second) = (narrator.place(first), narrator.place(second));
                let note = format!("note: data race between {first} and {second}");
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        notes
    }

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
        let test = self.minimise(client, found, property, oracle.witness, &limits);
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

    /// One run with its history and what is to say about that.
    fn describe(
        &self,
        narrator: &Narrator<'_>,
        client: &Client,
        schedule: &Schedule,
        verdict: &Judgement<'_>,
        checked: Checked,
    ) -> Result<(Finding, Told, Projection), Failure> {
        let told = narrator
            .tell(client, schedule)
            .map_err(|e| Failure::Search(Box::new(SearchError::Start(e))))?;
        let projection = project(&told.execution, client, self.code.operations());
        // What an operation threw is no result that a specification could understand; it is reported by itself.
        let said = match threw(&told.execution) {
            Some(_) => Verdict::Holds(None),
            None => verdict(&projection.history)?,
        };
        let finding = Finding::of_history(&projection.history, &said, checked);
        Ok((finding, told, projection))
    }

    /// Sees one run again.
    fn replay(
        &self,
        token: &Token,
        verdict: &Judgement<'_>,
        checked: Checked,
        start: Instant,
    ) -> Result<Investigated, Failure> {
        let narrator = Narrator::new(self.code);
        let (mut finding, told, projection) =
            self.describe(&narrator, &token.client, &token.schedule, verdict, checked)?;
        let fault = told.execution.steps.last().and_then(|s| s.fault.clone());
        let fault = fault.or_else(|| threw(&told.execution).map(panicked));
        let fault = match (&fault, &told.execution.end) {
            (Some(fault), _) => Some(narrator.fault(fault)),
            (None, End::Deadlock(_)) if self.is_program() => Some(narrator.deadlock(&told)),
            (None, _) => None,
        };
        if let Some(fault) = fault {
            finding.verdict = finding::Verdict::Faulty { fault };
        }
        let exit = match &finding.verdict {
            finding::Verdict::Holds { .. } => Exit::Holds,
            finding::Verdict::Unknown { .. } => Exit::Inconclusive,
            _ => Exit::Violation,
        };
        finding.coverage = finding::Coverage::Bounded {
            executions: 1,
            memory_model: self.memory_model(),
            bound: "one schedule".into(),
        };
        finding.interleaving = Some(finding::Interleaving {
            steps: narrator.steps(&told, &projection, None),
            contrast: None,
            threads: self.threads(&told.execution),
            fewest_switches: false,
        });
        finding.sources = Some(narrator.sources(&finding));
        let mut notes = Vec::new();
        let (followed, asked) = (told.execution.steps.len(), token.schedule.0.len());
        if followed < asked {
            notes.push(format!(
                "note: only the first {followed} of {asked} steps of the schedule are possible now"
            ));
        }
        Ok(Investigated {
            finding,
            exit,
            elapsed: start.elapsed(),
            notes,
            test: None,
        })
    }

    fn minimise<P: Property>(
        &self,
        client: &Client,
        found: &Found,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        witness: &dyn Fn(&History) -> Option<Vec<OpId>>,
        budget: &dyn Budget,
    ) -> MinimalTest {
        let wanted: fn(&Kind) -> bool = match found.kind {
            Kind::Fault(_) => |k| matches!(k, Kind::Fault(_)),
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
        minimise(
            client,
            &found.execution,
            self.code.operations(),
            &mut explorer,
        )
    }

    /// A run of `test` with few preemptions, where there are too many to look at all; the one it has if none is found.
    fn fewest_preemptions<P: Property>(
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

    fn localise<P: Property>(
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

    fn repairs<P: Property>(
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

    /// What the report says was covered: the smallest test with all its schedules.
    fn coverage<P: Property>(
        &self,
        test: &MinimalTest,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        outcome: &Outcome,
    ) -> finding::Coverage {
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
        match explored.map(|e| e.coverage) {
            Some(Coverage::Exhausted { executions }) => finding::Coverage::Exhausted {
                executions,
                memory_model,
            },
            Some(coverage) => finding::Coverage::Bounded {
                executions: coverage.executions(),
                memory_model,
                bound: format!("the first {} executions", coverage.executions()),
            },
            None => finding::Coverage::Bounded {
                executions: outcome
                    .explored
                    .iter()
                    .map(|e| e.coverage.executions())
                    .sum(),
                memory_model,
                bound: "until the first error".into(),
            },
        }
    }
}

/// The operations that make a client large: those of the prefix and of the threads.
fn size(client: &Client) -> usize {
    let concurrent: usize = client.threads.iter().map(Vec::len).sum();
    concurrent + client.before.len()
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

fn panicked(message: &str) -> Fault {
    Fault {
        kind: FaultKind::Abort,
        message: message.to_owned(),
        site: 0,
        related: None,
    }
}
