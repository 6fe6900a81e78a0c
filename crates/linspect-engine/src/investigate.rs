//! From an object to a finding: explore its clients, and diagnose what is found.

use super::chosen::Chosen;
use super::client_text;
use super::counterexample::Counterexample;
use super::diagnose::Diagnosed;
use super::investigated::{Investigated, SeenInRuns};
use super::origin::Loaded;
use super::program;
use super::progress;
use super::races::Races;
use super::request::{Effort, Request, Task};
use crate::clock_budget::ClockBudget;
use crate::error::Error;
use crate::events::{Events, PipelineEvent};
use crate::finding::explanation::Claims;
use crate::finding::fault_free;
use crate::finding::replay_command::ReplayCommand;
use crate::shard::Archive;
use linspect_core::check::{Alone, Budget, Question};
use linspect_core::client::{Client, Declared};
use linspect_core::defect::Defect;
use linspect_core::execution::{MemoryModel, SiteId};
use linspect_core::history::{History, OpId};
use linspect_core::machine::Subject;
use linspect_core::project::Projection;
use linspect_core::property::{FaultFree, Linearizable, Property};
use linspect_core::spec::{Builtin, Erased, Spec, Unfit, Visitor};
use linspect_core::statement::Recording;
use linspect_core::verdict::{Criterion, Verdict};
use linspect_diagnose::explain::{Level, claim};
use linspect_diagnose::minimise::witness;
use linspect_diagnose::repair::{self};
use linspect_explore::clients::{ClientFamily, Sizes, with_promises};
use linspect_explore::progress::ProgressGuarantee;
use linspect_explore::promise::Promise;
use linspect_explore::search::{Keeping, Kept, SearchError, keep};
use linspect_report::finding::{Checked, Finding};
use linspect_vm::LoadedProgram;
use linspect_vm::program::Origin;
use std::path::PathBuf;
use std::time::Instant;

impl Effort {
    pub(super) fn sizes(&self) -> Sizes {
        let usual = Sizes::default();
        Sizes {
            threads: self.threads.unwrap_or(usual.threads),
            operations: self.operations.unwrap_or(usual.operations),
        }
    }

    /// From now on, what this allows.
    pub(super) fn limits(&self) -> ClockBudget {
        ClockBudget::processor(self.budget, self.memory)
    }
}

/// How far a search may go.
#[derive(Clone, Copy)]
pub(super) enum Scope<'a> {
    /// Beyond what is promised, for as long as the budget lasts.
    Whole,
    /// So, unless the runs have something that is explored in another way, too, and this forbids it, which is asked then.
    Unless(&'a dyn Fn(SeenInRuns) -> bool),
}

/// What is to be found out about which object.
pub(super) struct Investigation<'a> {
    pub(super) code: &'a LoadedProgram,
    /// What the object is called in reports.
    pub(super) name: String,
    /// How a run is seen again.
    pub(super) replay: ReplayCommand,
    /// The source files, the harness first; none if there are only binaries.
    pub(super) files: &'a [PathBuf],
    /// The only clients to run, if they are known.
    pub(super) clients: Option<Chosen<'static>>,
    /// What is decided of each run.
    pub(super) criterion: Criterion,
    /// What to do.
    pub(super) task: &'a Task,
    /// Who hears how far it is.
    pub(super) events: &'a dyn Events,
    pub(super) effort: &'a Effort,
    /// How much the explanation takes into account; `None`: as much as it needs.
    pub(super) level: Option<Level>,
    /// How far it may go.
    pub(super) scope: Scope<'a>,
    /// Which data races count.
    pub(super) races: Races,
    /// The specification, where it is a built-in one and not relaxed: its deciders say more.
    pub(super) builtin: Option<Builtin>,
    /// What is promised about operations that others hinder.
    pub(super) progress: Option<ProgressGuarantee>,
    /// What was explored before.
    pub(super) archive: Option<&'a Archive>,
}

/// Who knows what the object should do.
pub(super) struct Oracle<'a> {
    pub(super) verdict: &'a Judgement<'a>,
    /// An order of effects that explains a history, if there is one.
    pub(super) witness: &'a dyn Fn(&History) -> Option<Vec<OpId>>,
    /// Clients that a repair was not made from, given the one that it was.
    pub(super) unseen: &'a dyn Fn(&Client) -> Vec<Client>,
    /// What a history violates, as a claim about the results in a recording.
    pub(super) claims: &'a Claims<'a>,
    /// The operations, with what their callers keep to.
    pub(super) declared: &'a [Declared],
}

/// Something bad that was found, before anything is known about it.
#[derive(Clone, Copy)]
pub(super) struct Lead<'a> {
    pub(super) found: &'a Counterexample,
    /// How many executions it took to find it.
    pub(super) executions: u64,
    /// What is left to take it apart.
    pub(super) limits: ClockBudget,
    pub(super) oracle: &'a Oracle<'a>,
}

/// What was found, before what is common to all findings is added.
struct Told {
    finding: Finding,
    /// The smallest test, if something is wrong.
    test: Option<Client>,
    /// The graph of all its interleavings, if that was asked for.
    tree: Option<String>,
    /// Whether orderings that are too weak may be the reason.
    ordered: bool,
}

impl Told {
    fn of(diagnosed: Diagnosed) -> Self {
        Self {
            finding: diagnosed.finding,
            test: Some(diagnosed.test),
            tree: diagnosed.tree,
            ordered: false,
        }
    }
}

/// What a history is by itself; an error where the specification does not understand it.
pub(super) type Judgement<'a> = dyn Fn(&History) -> Result<Verdict, Error> + 'a;

/// Executions of one client while minimising.
pub(super) const TRIAL_EXECUTIONS: u64 = 20_000;

/// What part of what is left of the budget is spent on orderings: one of so many.
const ORDERINGS_SHARE: u32 = 2;

/// Random clients that the best repair is tried on.
const UNSEEN: usize = 12;

impl Visitor for Investigation<'_> {
    type Output = Result<Investigated, Error>;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Self::Output
    where
        S::State: Send,
        S::Call: Send,
    {
        self.against(&Erased::new(spec))
    }
}

impl<'a> Investigation<'a> {
    /// What `request` asks about a program, which runs as `code` says.
    pub(super) fn new(
        loaded: &'a Loaded,
        code: &'a LoadedProgram,
        request: &'a Request,
        scope: Scope<'a>,
        events: &'a dyn Events,
    ) -> Result<Self, Error> {
        let Request { effort, client, .. } = request;
        let declared = code.operations();
        let clients = match (client.as_deref().or(code.client()), effort.long) {
            (Some(text), _) => Some(vec![client_text::parse(text, declared)?]),
            (None, Some(long)) => Some(long.clients(declared, effort.method.seed())),
            (None, None) => None,
        };
        Ok(Self {
            code,
            name: loaded.origin.name(),
            replay: loaded.origin.replay_command(&loaded.settings),
            files: loaded.origin.sources(),
            clients: clients.map(|clients| Chosen::named(clients, effort.method)),
            criterion: Criterion::Linearizable,
            task: &request.task,
            events,
            level: request.level,
            scope,
            races: Races::of(&loaded.settings, code),
            effort,
            builtin: None,
            progress: Self::promised_progress(loaded.settings.progress, code.progress())?,
            archive: request.archive.as_deref(),
        })
    }
}

impl Investigation<'_> {
    /// Investigates an object that should behave like `spec`.
    pub(super) fn against(self, spec: &Erased<'_>) -> Result<Investigated, Error> {
        let declared = match self.is_program() {
            // What its operations are called with is known only when it runs.
            true => self.code.operations().to_vec(),
            false => with_promises(spec, self.code.operations()).map_err(SearchError::from)?,
        };
        let declared = declared.as_slice();
        let checked =
            Checked::new(&self.name, spec.name(), self.criterion).of_type(self.code.object_type());
        let property = |client: &Client| Linearizable::new(spec, client, declared);
        let verdict = |history: &History| self.judge(spec, history);
        if self.is_program() {
            // What the operations are called with is known only now.
            verdict(&program::first_history(self.code)?)?;
        }
        let unseen = |like: &Client| {
            if self.is_program() {
                return Vec::new();
            }
            let mut clients = repair::of_size(spec, declared, like).unwrap_or_default();
            clients.extend(repair::unseen(spec, declared, UNSEEN, 0).unwrap_or_default());
            clients
        };
        let claims = |p: &Projection, recording: &Recording| claim(spec, p, recording);
        let oracle = Oracle {
            verdict: &verdict,
            witness: &|history| witness(history, spec),
            unseen: &unseen,
            claims: &claims,
            declared,
        };
        match self.named() {
            Some(named) => {
                let looked = self.look_at_progress(named.clients.iter().cloned(), declared)?;
                let mut found = self.run(named, &property, &oracle, checked.clone())?;
                self.tell_progress(&mut found, looked, &oracle, checked)?;
                Ok(found)
            }
            None => {
                let family = self.family(spec, declared)?;
                if family.clients().next().is_none() {
                    return Err(Error::NobodyBeside(self.name.clone()));
                }
                let chosen = self.chosen(&family, spec, declared);
                let sizes = Sizes {
                    threads: progress::THREADS,
                    operations: progress::OPERATIONS,
                };
                let small = ClientFamily::new(spec, declared, sizes).map_err(SearchError::from)?;
                let small = small.clients();
                let small = small.take_while(|client| {
                    client.before.len() + client.threads.iter().map(Vec::len).sum::<usize>()
                        <= progress::OPERATIONS
                });
                let looked = self.look_at_progress(small, declared)?;
                let mut found = self.run(chosen, &property, &oracle, checked.clone())?;
                self.tell_progress(&mut found, looked, &oracle, checked)?;
                Ok(found)
            }
        }
    }

    /// What `history` is by itself. A relaxed specification says by itself how relaxed it is.
    pub(super) fn judge(&self, spec: &Erased<'_>, history: &History) -> Result<Verdict, Error> {
        let criterion = Criterion::Linearizable;
        let question = match &self.builtin {
            Some(builtin) => Question::of_builtin(history, spec, builtin, criterion),
            None => Question::new(history, spec, criterion),
        };
        let question = question.map_err(|error| Error::Misfit {
            name: self.name.clone(),
            error,
        })?;
        let answer = question.check(&Alone, &linspect_core::check::Unlimited);
        Ok(answer.verdict)
    }

    /// Investigates a program with a `main` of its own.
    pub(super) fn plain(self) -> Result<Investigated, Error> {
        let checked = fault_free(&self.name);
        let clients = Chosen::named(vec![Client::default()], self.effort.method);
        let verdict = |_: &History| Ok(Verdict::Holds(None));
        let property = |_: &Client| Ok(FaultFree);
        let oracle = Oracle {
            verdict: &verdict,
            witness: &|_| None,
            unseen: &|_| Vec::new(),
            claims: &|_, _| None,
            declared: &[],
        };
        self.run(clients, &property, &oracle, checked)
    }

    /// The clients to run, if there are no others: those that were asked for, or a program's own.
    fn named(&self) -> Option<Chosen<'static>> {
        let program = || Chosen::named(vec![Client::default()], self.effort.method);
        match self.is_program() {
            true => Some(program()),
            false => self.clients.clone(),
        }
    }

    fn run<P: Property>(
        &self,
        chosen: Chosen<'_, impl IntoIterator<Item = Client>>,
        property: &(impl Fn(&Client) -> Result<P, Unfit> + Sync),
        oracle: &Oracle<'_>,
        checked: Checked,
    ) -> Result<Investigated, Error> {
        let start = Instant::now();
        match self.task {
            Task::Search | Task::Orderings | Task::Left => {}
            Task::List => return Ok(self.list(chosen, checked, start)),
            Task::Explore(part) => {
                return self.explore_part(chosen, part, property, checked, start);
            }
            Task::Walk(parts) => return self.walk_parts(parts, property, checked, start),
            Task::Replay(token) => return self.replay(token, property, oracle, checked, start),
            Task::Minimise(token) => {
                return self.reminimise(token, property, oracle, checked, start);
            }
        }
        let limits = self.effort.limits();
        self.keep_to(limits);
        let (kept, promise) = self.explored_clients(chosen, property, limits)?;
        let searched = start.elapsed();
        // Whatever clients behind the first with an error did is not spoken of.
        self.code.take_hidden();
        let raced = self.raced(&kept);
        if matches!(self.task, Task::Left) {
            return Ok(self.only_searched(&kept, !raced.is_empty(), &promise, checked, start));
        }
        let mut notes = self.notes(&kept, &raced);
        let wrong = match &kept.error {
            Some((client, found)) => {
                let lead = Lead {
                    found: &Counterexample::found(client, found),
                    executions: kept.ledger.executions(),
                    limits: limits.rest(),
                    oracle,
                };
                self.keep_to(lead.limits);
                let diagnose =
                    |here: &Investigation<'_>| here.diagnose(&lead, property, checked, &mut notes);
                let diagnosed = self.where_found(kept.fresh, diagnose)?;
                Told {
                    ordered: self.is_weak(),
                    ..Told::of(diagnosed)
                }
            }
            None => {
                let finding = self.nothing_found(&kept, &promise, checked.clone());
                match raced.first().filter(|_| self.races.fail) {
                    Some(first) => {
                        let rest = limits.rest();
                        self.keep_to(rest);
                        let tell = |here: &Investigation<'_>| {
                            here.racy(first, property, oracle, checked, &rest, &mut notes)
                        };
                        let (mut told, test) = self.where_found(first.fresh, tell)?;
                        told.coverage = finding.coverage;
                        Told {
                            finding: told,
                            test: Some(test),
                            tree: None,
                            ordered: true,
                        }
                    }
                    None => Told {
                        finding,
                        test: None,
                        tree: None,
                        ordered: false,
                    },
                }
            }
        };
        let Told {
            mut finding,
            test,
            tree,
            ordered,
        } = wrong;
        self.complete(&mut finding, raced);
        if let Some(client) = test.as_ref().filter(|_| ordered) {
            self.enter("looking for orderings that are too weak");
            let rest = limits.rest();
            let share = rest.share(ORDERINGS_SHARE);
            let budget = share.as_deref().unwrap_or(&rest);
            let stronger = self.stronger_orderings(client, property, oracle, budget);
            finding.advice.splice(0..0, stronger);
        }
        let holds = matches!(finding.verdict, crate::Verdict::Holds { .. });
        let orderings = (holds && matches!(self.task, Task::Orderings)).then(|| {
            self.enter("looking for orderings that could be weaker");
            self.weaker_orderings(&kept, property, &limits)
        });
        Ok(Investigated {
            wrong: kept.error.is_some(),
            test: test.and_then(|test| self.emitted(test)),
            tree,
            orderings,
            searched,
            seen: self.seen(&kept),
            ..Investigated::of_one_run(finding, notes, start)
        })
    }

    /// Explores clients for as long as `limits` allow, and says what came of it, and what was promised of them.
    fn explored_clients<P: Property>(
        &self,
        chosen: Chosen<'_, impl IntoIterator<Item = Client>>,
        property: &(impl Fn(&Client) -> Result<P, Unfit> + Sync),
        limits: ClockBudget,
    ) -> Result<(Kept, Promise), Error> {
        let plan = self.plan();
        let Chosen {
            promise,
            clients,
            next,
            warm,
        } = chosen;
        let clients = clients.into_iter();
        let alone = clients.size_hint() == (1, Some(1));
        self.events.hear(PipelineEvent::Started { alone, limits });
        let hear = |progress| self.events.hear(PipelineEvent::Explored(progress));
        let setup = self.archive.map(|archive| archive.of(self.code));
        let keeping = Keeping {
            plan: &plan,
            promise: &promise,
            purse: &limits,
            progress: &hear,
            beyond: &|kept| match self.scope {
                // What is wrong by itself needs no larger clients.
                _ if self.races.fail && !self.raced(kept).is_empty() => false,
                Scope::Unless(goes_on) if kept.error.is_none() && self.seen(kept).is_more() => {
                    let goes_on = goes_on(self.seen(kept));
                    self.keep_to(limits);
                    goes_on
                }
                Scope::Whole | Scope::Unless(_) => true,
            },
            memory: setup.as_ref().map(|setup| setup as _),
            warm: warm.as_deref(),
        };
        let mut kept = keep(self.code, clients, property, keeping).map_err(Error::from)?;
        kept.ledger.next = kept.ledger.next.or(next);
        if let (Task::Left, Some(setup)) = (self.task, &setup) {
            setup.settle(kept.needed(), &plan);
        }
        Ok((kept, promise))
    }

    /// Does something with this investigation, or with that of the program whose freed memory is never used again, if something is `fresh`: found only there.
    fn where_found<T>(&self, fresh: bool, what: impl FnOnce(&Investigation<'_>) -> T) -> T {
        match self.code_of(fresh) {
            Some(code) => what(&self.in_fresh_memory(&code)),
            None => what(self),
        }
    }

    /// From now on, long runs end with `limits`.
    pub(super) fn keep_to(&self, limits: ClockBudget) {
        self.code
            .set_deadline(move || limits.exhausted(0).is_some());
    }

    /// What runs had that is explored in another way, too. Weaker atomics of Rust's standard library count: a program can see what they do (`OnceLock::get`, `Arc::strong_count`).
    pub(super) fn seen(&self, kept: &Kept) -> SeenInRuns {
        let is_seen = |site: &SiteId| self.code.origin(*site) != Origin::Trusted;
        SeenInRuns {
            weaker: kept.weaker.iter().any(is_seen),
            raced: has_raced(kept),
            sleeps: kept.sleeps,
        }
    }

    /// Says what is done now about what was found.
    pub(super) fn enter(&self, stage: &'static str) {
        self.events.hear(PipelineEvent::Entered(stage));
    }

    /// The program where freed memory is never used again, if something is `fresh`: found only there.
    pub(super) fn code_of(&self, fresh: bool) -> Option<LoadedProgram> {
        fresh.then(|| self.code.fresh()).flatten()
    }

    /// The same investigation of `code`, where freed memory is never used again.
    pub(super) fn in_fresh_memory<'b>(&'b self, code: &'b LoadedProgram) -> Investigation<'b> {
        Investigation {
            builtin: self.builtin.clone(),
            progress: self.progress,
            archive: self.archive,
            code,
            name: self.name.clone(),
            replay: self.replay.clone().fresh(),
            files: self.files,
            clients: self.clients.clone(),
            criterion: self.criterion,
            task: self.task,
            events: self.events,
            effort: self.effort,
            level: self.level,
            scope: self.scope,
            races: self.races.clone(),
        }
    }

    /// Whether atomics weaker than `seq_cst` may do more than those.
    pub(super) fn is_weak(&self) -> bool {
        self.code.memory_model() == MemoryModel::C20
    }

    /// Whether it has a `main` of its own instead of a harness.
    pub(super) fn is_program(&self) -> bool {
        self.code.is_program()
    }
}

/// Whether accesses raced in some run, allowed or not.
pub(super) fn has_raced(kept: &Kept) -> bool {
    let mut notes = kept.notes.iter();
    notes.any(|note| matches!(&note.found.kind, Defect::DataRace(race) if !race.is_hand_over()))
}
