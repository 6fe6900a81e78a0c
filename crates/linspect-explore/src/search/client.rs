//! The schedules of one client.

use super::confirm::confirm;
use super::coverage::{Bound, Coverage, Guarantee, Stopped};
use super::cut_reads::CutReads;
use super::deepening::Deepening;
use super::livelock;
use super::reorder::with_messages;
use super::{Found, Method, Plan, SearchError};
use crate::class::{Judge, Judgement};
use crate::external::{self, Message};
use crate::races;
use crate::states::States;
use crate::strategies::dpct::Dpct;
use crate::strategies::exhaustive::{self, exhaustive};
use crate::strategies::expected::Expected;
use crate::strategies::pct::{self, Pct};
use crate::strategies::random::Uniform;
use crate::strategies::{Leaf, Strategy, Walk, bounded, graph};
use crate::stuck::Stuck;
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::defect::{Defect, Race};
use linspect_core::execution::{End, FaultKind, MemoryModel, Ordering, SiteId, Step};
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_core::orderings::Place;
use linspect_core::property::Property;
use linspect_core::run::{Bounds, Follow, Nobody, Uninterrupted, run};
use linspect_core::schedule::Schedule;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// What the exploration of one client came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored {
    /// The client.
    pub client: Client,
    /// What was found: an error first, if there is one.
    pub found: Vec<Found>,
    /// What was covered.
    pub coverage: Coverage,
    /// Where atomic accesses stand that are weaker than `seq_cst`, of all runs.
    pub weaker: BTreeSet<SiteId>,
    /// Whether freed memory was used again.
    pub reused: bool,
    /// Whether what was found was found where freed memory is never used again, and only there.
    pub fresh: bool,
}

impl Explored {
    /// The first error.
    pub fn error(&self) -> Option<&Found> {
        self.found.iter().find(|f| f.kind.is_error())
    }

    /// The same client, explored in two ways, the second one where freed memory is never used again. What memory does after it was used again
    /// is a consequence, so a use after free that shows there comes first.
    pub(super) fn and_fresh(mut self, second: Self) -> Self {
        self.fresh = match (self.error(), second.error()) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(_), Some(error)) => error.kind.is_use_of_freed_memory(),
        };
        if self.fresh {
            self.found = second.found;
        }
        self.weaker.extend(second.weaker);
        self.coverage = self.coverage.and(second.coverage);
        self
    }

    /// Whether the search has what it looked for, or may not go on.
    pub(super) fn ends_search(&self) -> bool {
        self.error().is_some() || self.is_out_of_budget()
    }

    /// Whether the budget, or its share of that, ended before it was done.
    pub(super) fn is_cut_short(&self) -> bool {
        let shared = matches!(
            self.coverage,
            Coverage::Unknown {
                reason: Stopped::Share,
                ..
            }
        );
        shared || self.is_out_of_budget()
    }

    /// Whether the budget ended before it was done.
    pub(super) fn is_out_of_budget(&self) -> bool {
        matches!(
            self.coverage,
            Coverage::Unknown {
                reason: Stopped::Limit(_),
                ..
            }
        )
    }
}

/// Explores the schedules of `client` by `plan`; `progress` hears the number of executions and the part done now and then.
pub fn explore<S: Subject, P: Property>(
    subject: &S,
    client: Client,
    property: P,
    plan: &Plan,
    budget: &dyn Budget,
    progress: &dyn Fn(u64, f64),
) -> Result<Explored, SearchError> {
    let mut machine = subject.start(&client)?;
    let start = machine.snapshot();
    let mut watcher = Watcher {
        judge: Judge::new(property, plan.class_limit),
        stuck: Stuck::new(subject, &client),
        plan,
        budget,
        progress,
        leads: Vec::new(),
        races: Vec::new(),
        executions: 0,
        cut: 0,
        cut_reads: CutReads::default(),
        sampled: Sampled::default(),
        done: 0.0,
        stopped: None,
        unjudged: false,
        weaker: BTreeSet::new(),
        error: None,
    };
    machine.set_hurry(true);
    let extent = watcher.walk(&mut machine, &start);
    machine.set_hurry(false);
    if let Some(error) = watcher.error.take() {
        return Err(error);
    }
    let found = watcher.confirm_all(&mut machine, &start)?;
    let coverage = watcher.coverage(extent);
    let weaker = std::mem::take(&mut watcher.weaker);
    Ok(Explored {
        coverage,
        client,
        found,
        weaker,
        reused: machine.has_reused(),
        fresh: false,
    })
}

/// How many steps a client must take for a glance to be worth it, and how many runs that is.
const MANY_STEPS: u64 = 40;
const GLANCES: u64 = 48;

/// What is worth reporting, not yet confirmed.
struct Lead {
    kind: Defect,
    schedule: Schedule,
    /// Whether nobody could go on at the end of the run.
    stuck: bool,
    /// What clients tell each other in it, so that it is wrong. Only under C20: there a run has no real time of its own.
    messages: Vec<Message>,
}

/// Looks at every run.
struct Watcher<'a, S, P> {
    judge: Judge<P>,
    stuck: Stuck<'a, S>,
    plan: &'a Plan,
    budget: &'a dyn Budget,
    progress: &'a dyn Fn(u64, f64),
    leads: Vec<Lead>,
    races: Vec<Race>,
    executions: u64,
    /// Runs that count for nothing, because a thread tried in vain in them.
    cut: u64,
    cut_reads: CutReads,
    sampled: Sampled,
    done: f64,
    stopped: Option<Stopped>,
    /// Some class was too large.
    unjudged: bool,
    /// Where atomic accesses stand that are weaker than `seq_cst`.
    weaker: BTreeSet<SiteId>,
    error: Option<SearchError>,
}

/// What was run at random.
#[derive(Default)]
struct Sampled {
    runs: u64,
    /// The classes that were seen.
    classes: FxHashSet<u128>,
    /// Whether a thread was stopped at its bound.
    cut: bool,
}

/// What a walk was, if it was not stopped.
enum Extent {
    /// All within the bounds; so many executions stand for them.
    All(u64, Vec<Bound>),
    Sample(u64, Guarantee),
}

impl<S: Subject, P: Property> Watcher<'_, S, P> {
    fn walk<M: Machine>(&mut self, machine: &mut M, start: &M::Snapshot) -> Extent {
        let plan = self.plan;
        if self.is_weak() {
            let mut extent = self.deepen(machine, start, Retries::Park);
            if let Extent::All(_, bounds) = &mut extent
                && self.cut_reads.may_hide_race(&self.races)
            {
                bounds.push(Bound::CutReads);
            }
            return extent;
        }
        match plan.method {
            Method::Exhaustive => {
                let extent = self.deepen(machine, start, plan.retries);
                let ended = self.stopped.is_some() || self.error.is_some();
                if ended || !self.cut_reads.may_hide_race(&self.races) {
                    return extent;
                }
                (self.executions, self.cut) = (0, 0);
                self.cut_reads = CutReads::default();
                self.deepen(machine, start, Retries::Wake)
            }
            Method::Bounded { preemptions } => {
                let mut bounds = Vec::new();
                for allowed in 0..=preemptions {
                    machine.restore(start);
                    let budget = self.budget;
                    let walk =
                        bounded::bounded(machine, plan.bounds, allowed, budget, &mut |leaf| {
                            self.look(leaf, true)
                        });
                    bounds = limits(walk, plan.bounds);
                    if walk.stopped {
                        self.note_budget();
                        break;
                    }
                }
                bounds.insert(0, Bound::Preemptions(preemptions));
                Extent::All(self.executions, bounds)
            }
            Method::Random { runs, seed } => {
                self.sample(machine, start, runs, &mut |i| {
                    Box::new(Uniform::new(mixed(seed, i)))
                });
                Extent::Sample(seed, Guarantee::None)
            }
            Method::Pct { depth, runs, seed } => {
                let Expected { steps, lengths, .. } = alone(machine, start, plan);
                self.sample(machine, start, runs, &mut |i| {
                    Box::new(Pct::new(mixed(seed, i), depth, steps))
                });
                let threads = lengths.len();
                let probability = pct::guarantee(threads, steps, depth);
                let guarantee = Guarantee::Depth {
                    depth,
                    threads,
                    steps,
                    probability,
                };
                Extent::Sample(seed, guarantee)
            }
            Method::Dpct { depth, runs, seed } => {
                let expected = alone(machine, start, plan).lengths;
                self.sample(machine, start, runs, &mut |i| {
                    Box::new(Dpct::new(mixed(seed, i), depth, expected.clone()))
                });
                Extent::Sample(seed, Guarantee::None)
            }
        }
    }

    fn sample<'s, M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
        runs: u64,
        strategy: &mut dyn FnMut(u64) -> Box<dyn Strategy + 's>,
    ) {
        machine.restore(start);
        let mut states = States::new(machine, self.plan.bounds);
        for i in 0..runs {
            // Where a class was too large to judge, each of its schedules is judged by itself.
            let run = states.run(machine, &mut *strategy(i), self.unjudged);
            let progress = (i + 1) as f64 / runs as f64;
            self.sampled.runs += 1;
            let flow = match run {
                Some(run) => {
                    self.sampled.cut |= run.end == End::StepLimit;
                    let new = self.sampled.classes.insert(run.trace.signature());
                    let leaf = Leaf {
                        progress,
                        ..run.leaf()
                    };
                    self.look(&leaf, new)
                }
                // It is equivalent to one that was seen.
                None => self.go_on(progress),
            };
            if flow.is_break() {
                return;
            }
        }
    }

    /// Some runs at random before the classes of a client with many steps are walked through, depth first: a fault that is everywhere but where
    /// the walk begins is found at once. They count for nothing else.
    fn glance<M: Machine>(&mut self, machine: &mut M, start: &M::Snapshot, steps: u64) {
        // Random runs could break the axiom of seq_cst.
        if steps < MANY_STEPS || self.plan.keep_going || self.is_weak() {
            return;
        }
        self.sample(machine, start, GLANCES, &mut |i| match i % 2 {
            0 => Box::new(Uniform::new(mixed(0, i))),
            _ => Box::new(Pct::new(mixed(0, i), 3, steps)),
        });
        if self.stopped.is_none() {
            self.executions = 0;
            self.sampled = Sampled::default();
        }
    }

    /// Every class, with as many steps per thread as it takes or as can be; what the last whole round covered.
    fn deepen<M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
        retries: Retries,
    ) -> Extent {
        let expected = alone(machine, start, self.plan);
        self.glance(machine, start, expected.steps);
        if self.stopped.is_some() || self.error.is_some() {
            return Extent::All(self.executions, Vec::new());
        }
        let mut deepening = Deepening::new(expected.longest, self.plan.bounds);
        let mut whole = None;
        let mut looked = false;
        loop {
            let (bounds, budget) = (deepening.bounds(), self.budget);
            let (mut executions, mut limited) = (0, 0);
            self.cut = 0;
            machine.restore(start);
            machine.set_retries(retries);
            let is_weak = self.is_weak();
            let visit = &mut |leaf: &Leaf<'_>| {
                if retries == Retries::Park {
                    self.cut_reads.note(leaf);
                }
                if *leaf.end == End::Covered {
                    return self.pass(leaf);
                }
                executions += 1;
                limited += u64::from(*leaf.end == End::StepLimit);
                self.look(leaf, true)?;
                if deepening.is_endless(executions, limited) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            let walk = if is_weak {
                let model = MemoryModel::C20;
                let options = graph::Options {
                    model,
                    bounds,
                    budget,
                };
                graph::graphs(machine, &options, visit)
            } else {
                let options = exhaustive::Options {
                    bounds,
                    budget,
                    ..exhaustive::Options::default()
                };
                exhaustive(machine, &options, visit)
            };
            machine.set_retries(Retries::Wake);
            if walk.stopped {
                self.note_budget();
            } else {
                whole = Some((executions, self.cut, limits(walk, bounds)));
            }
            if limited > 0
                && !is_weak
                && self.stopped.is_none()
                && !std::mem::replace(&mut looked, true)
            {
                self.look_for_livelock(machine, start);
            }
            let ended = self.stopped.is_some() || self.error.is_some();
            let again = match (walk.stopped, &whole) {
                _ if ended => false,
                (false, _) => walk.limited > 0 && deepening.deeper(executions),
                (true, None) => deepening.shallower(),
                (true, Some(_)) => false,
            };
            if !again {
                break;
            }
        }
        let interrupted = matches!(
            self.stopped,
            Some(Stopped::Limit(_) | Stopped::Executions(_))
        );
        if interrupted && whole.is_some() {
            self.stopped = None;
        }
        debug_assert!(
            whole.is_some() || self.stopped.is_some() || self.error.is_some(),
            "the shallowest round is not given up"
        );
        let (executions, cut, bounds) = whole.unwrap_or_default();
        self.cut = cut;
        Extent::All(executions, bounds)
    }

    /// Whether reads may read older values.
    fn is_weak(&self) -> bool {
        self.stuck.memory_model() == MemoryModel::C20
    }

    /// Judges a run under C20.
    fn judge_weak(&mut self, leaf: &Leaf<'_>) {
        let steps: Vec<Step> = leaf.trace.steps().cloned().collect();
        let told = external::Told {
            before: leaf.before,
            steps: &steps,
            after: leaf.after,
            end: leaf.end,
        };
        let limit = self.plan.class_limit;
        match external::judge(self.judge.property(), told, MemoryModel::C20, limit) {
            external::Judgement::Good => {}
            external::Judgement::Unknown => self.unjudged = true,
            external::Judgement::Bad(messages) => {
                // The messages belong to this run; a violation that was known before keeps its own.
                let known = self.leads.len();
                self.lead(Defect::Violation, schedule_of(leaf), leaf.end);
                if let Some(lead) = self.leads.get_mut(known) {
                    lead.messages = messages;
                }
            }
        }
    }

    /// After a walk that was stopped: the budget may be why.
    fn note_budget(&mut self) {
        if self.stopped.is_none() {
            self.stopped = self.budget.exhausted(0).map(Stopped::Limit);
        }
    }

    /// Looks for a livelock of a client of whose runs some do not end.
    fn look_for_livelock<M: Machine>(&mut self, machine: &mut M, start: &M::Snapshot) {
        if self.stuck.is_program() {
            return;
        }
        machine.restore(start);
        let Some(schedule) = livelock::find(machine, self.budget) else {
            return;
        };
        machine.restore(start);
        let told = run(
            machine,
            &mut Follow::new(&schedule),
            Bounds::NONE,
            &mut Nobody,
        );
        let stuck = &mut self.stuck;
        let mut waits = |waiting: &[_]| stuck.is_serial(told.steps.iter(), waiting);
        let defects = Defect::of_course(told.steps.iter(), &told.after, &told.end, &mut waits);
        for defect in defects.into_iter().filter(Defect::is_error) {
            self.lead(defect, schedule.clone(), &End::Cut);
            if !self.plan.keep_going {
                self.stopped = Some(Stopped::Error);
            }
        }
    }

    /// Looks at one run, which counts if it is `new`, and decides whether to go on.
    fn look(&mut self, leaf: &Leaf<'_>, new: bool) -> ControlFlow<()> {
        self.weaker.extend(weaker(leaf));
        let is_wrong = self.note_course(leaf);
        self.note_races(leaf);
        if self.stopped == Some(Stopped::Machine) {
            // Half a run is neither good nor bad.
            return ControlFlow::Break(());
        }
        // What is wrong by itself is worse than what the property could add.
        if !is_wrong && self.is_weak() {
            self.judge_weak(leaf);
        } else if !is_wrong {
            match self.judge.judge(leaf) {
                Judgement::Good => {}
                Judgement::Unknown => self.unjudged = true,
                Judgement::Bad(schedule) => self.lead(Defect::Violation, schedule, leaf.end),
            }
        }
        self.executions += u64::from(new);
        if new && (self.executions.is_power_of_two() || self.executions.is_multiple_of(1024)) {
            (self.progress)(self.executions, leaf.progress);
        }
        self.go_on(leaf.progress)
    }

    /// Passes by a run in which a thread tried in vain: only races can be seen in it.
    fn pass(&mut self, leaf: &Leaf<'_>) -> ControlFlow<()> {
        self.weaker.extend(weaker(leaf));
        self.note_races(leaf);
        self.cut += 1;
        self.go_on(leaf.progress)
    }

    /// Decides whether to go on after a run.
    fn go_on(&mut self, progress: f64) -> ControlFlow<()> {
        self.done = progress;
        let error = self.leads.iter().any(|lead| lead.kind.is_error());
        if error && !self.plan.keep_going {
            self.stopped = Some(Stopped::Error);
        } else if let Some(most) = self.plan.executions
            && self.executions + self.cut >= most
        {
            self.stopped = Some(Stopped::Executions(most));
        } else if let Some(limit) = self.budget.exhausted(0) {
            self.stopped = Some(Stopped::Limit(limit));
        }
        if self.stopped.is_some() || self.error.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Notes what is wrong with how the run went; says whether that is an error.
    fn note_course(&mut self, leaf: &Leaf<'_>) -> bool {
        let stuck = &mut self.stuck;
        let mut waits = |waiting: &[_]| stuck.is_serial(leaf.trace.steps(), waiting);
        let defects = Defect::of_course(leaf.trace.steps(), leaf.after, leaf.end, &mut waits);
        let is_wrong = defects.iter().any(Defect::is_error);
        for defect in defects {
            if let Defect::Fault(fault) = &defect {
                match fault.kind {
                    FaultKind::Unsupported => {
                        self.error = Some(SearchError::Unsupported(fault.clone()));
                        continue;
                    }
                    FaultKind::Hidden => {
                        self.error = Some(SearchError::Hidden(fault.clone()));
                        continue;
                    }
                    FaultKind::Limit => self.stopped = Some(Stopped::Machine),
                    _ => {}
                }
            }
            self.lead(defect, schedule_of(leaf), leaf.end);
        }
        is_wrong
    }

    /// Notes data races at places where none was seen before.
    fn note_races(&mut self, leaf: &Leaf<'_>) {
        for race in races::races(leaf.trace, self.stuck.memory_model()) {
            if !self.races.iter().any(|r| r.sites() == race.sites()) {
                self.races.push(race.clone());
                // What follows the second access adds nothing.
                let mut schedule = schedule_of(leaf);
                schedule.0.truncate(race.first.0.max(race.second.0) + 1);
                self.leads.push(Lead {
                    kind: Defect::DataRace(race),
                    schedule,
                    stuck: false,
                    messages: Vec::new(),
                });
            }
        }
    }

    /// The first of each kind is enough.
    fn lead(&mut self, kind: Defect, schedule: Schedule, end: &End) {
        if !self.leads.iter().any(|lead| lead.kind.is_like(&kind)) {
            self.leads.push(Lead {
                kind,
                schedule,
                stuck: end.is_stuck(),
                messages: Vec::new(),
            });
        }
    }

    fn confirm_all<M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
    ) -> Result<Vec<Found>, SearchError> {
        let mut found = Vec::new();
        let mut leads = std::mem::take(&mut self.leads);
        leads.sort_by_key(|lead| !lead.kind.is_error());
        if self.budget.exhausted(0).is_some() {
            // That the time was not enough is said anyway.
            leads.retain(|lead| !lead.kind.is_limit());
        }
        for lead in leads {
            let Lead { kind, schedule, .. } = if !lead.messages.is_empty() {
                match with_messages(machine, start, &lead.schedule, &lead.messages) {
                    Some(schedule) => Lead { schedule, ..lead },
                    None => {
                        // Nothing is claimed that cannot be shown.
                        (self.unjudged, self.stopped) = (true, None);
                        continue;
                    }
                }
            } else if lead.stuck {
                stuck_to_the_end(machine, start, lead, self.plan.bounds)
            } else {
                lead
            };
            let property = self.judge.property();
            let confirmed = confirm(machine, start, &schedule, property, &mut self.stuck)?;
            let same = |defect: &Defect| defect.is_like(&kind);
            // Cannot be missing with a deterministic machine; if it is, nothing is claimed.
            let Some(kind) = confirmed.defects.into_iter().find(same) else {
                let step = schedule.0.len();
                return Err(SearchError::Nondeterministic { step });
            };
            found.push(Found {
                kind,
                schedule,
                execution: confirmed.execution,
            });
        }
        Ok(found)
    }

    fn coverage(&self, extent: Extent) -> Coverage {
        let executions = self.executions;
        if let Some(reason) = self.stopped {
            return Coverage::Unknown {
                executions,
                reason,
                done: self.done,
            };
        }
        match extent {
            Extent::Sample(seed, guarantee) => Coverage::Sampled {
                executions,
                runs: self.sampled.runs,
                cut: self
                    .sampled
                    .cut
                    .then_some(self.plan.bounds.steps_per_thread),
                seed,
                guarantee,
            },
            Extent::All(executions, mut bounds) => {
                if self.unjudged {
                    bounds.push(Bound::ClassSize(self.plan.class_limit));
                }
                if bounds.is_empty() {
                    Coverage::Exhausted {
                        executions,
                        retries_cut: self.cut,
                    }
                } else {
                    Coverage::Bounded { executions, bounds }
                }
            }
        }
    }
}

/// Where the atomic accesses of a run stand that are weaker than `seq_cst`.
fn weaker(leaf: &Leaf<'_>) -> impl Iterator<Item = SiteId> {
    let accesses = leaf.trace.steps().flat_map(|step| &step.accesses);
    let weaker = accesses.filter(|access| {
        let place = Place::of(access);
        place.is_some() && access.ordering != Ordering::SeqCst
    });
    weaker.map(|access| access.site)
}

fn schedule_of(leaf: &Leaf<'_>) -> Schedule {
    Schedule(leaf.trace.steps().map(|step| step.choice).collect())
}

/// A seed per run, so that runs do not depend on each other.
fn mixed(seed: u64, run: u64) -> u64 {
    linspect_core::random::Random::new(seed.wrapping_add(run.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .bits()
}

fn limits(walk: Walk, bounds: Bounds) -> Vec<Bound> {
    if walk.limited > 0 {
        vec![Bound::StepsPerThread(bounds.steps_per_thread)]
    } else {
        Vec::new()
    }
}

fn alone<M: Machine>(machine: &mut M, start: &M::Snapshot, plan: &Plan) -> Expected {
    machine.restore(start);
    Expected::measure(machine, plan.bounds)
}

/// A lead whose run goes on up to where nobody can: where retries are cut, a thread that goes round is told to do so sooner than where they are not.
fn stuck_to_the_end<M: Machine>(
    machine: &mut M,
    start: &M::Snapshot,
    lead: Lead,
    bounds: Bounds,
) -> Lead {
    machine.restore(start);
    let told = run(
        machine,
        &mut Follow::new(&lead.schedule),
        Bounds::NONE,
        &mut Nobody,
    );
    let rest = match told.end {
        End::Cut => run(machine, &mut Uninterrupted, bounds, &mut Nobody).steps,
        _ => Vec::new(),
    };
    let steps = told.steps.iter().chain(&rest);
    Lead {
        schedule: Schedule(steps.map(|step| step.choice).collect()),
        ..lead
    }
}
