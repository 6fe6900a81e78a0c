//! Looks at every run of one client: what is wrong with it, and whether there is reason to go on.

use super::coverage::Stopped;
use super::cut_reads::CutReads;
use super::leads::Lead;
use super::memory_use::MemoryUse;
use super::sampled::Sampled;
use super::unwritten::Reads;
use super::{Plan, SearchError};
use crate::class::{ClassVerdict, Judge};
use crate::races::{depends_on_additions, races};
use crate::strategies::Leaf;
use crate::stuck::Stuck;
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::defect::{Defect, Race};
use linspect_core::execution::{Activation, End, FaultKind, MemoryModel, SiteId, Step};
use linspect_core::machine::Subject;
use linspect_core::property::Property;
use linspect_core::schedule::Schedule;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Looks at every run.
pub(super) struct Watcher<'a, S, P> {
    pub(super) judge: Judge<P>,
    pub(super) stuck: Stuck<'a, S>,
    pub(super) plan: &'a Plan,
    pub(super) budget: &'a dyn Budget,
    pub(super) progress: &'a dyn Fn(u64, f64),
    pub(super) leads: Vec<Lead>,
    pub(super) races: Vec<Race>,
    pub(super) executions: u64,
    /// Runs that count for nothing, because a thread tried in vain in them.
    pub(super) cut: u64,
    pub(super) cut_reads: CutReads,
    pub(super) reads: Reads,
    pub(super) sampled: Sampled,
    pub(super) done: f64,
    pub(super) stopped: Option<Stopped>,
    /// Some class was too large.
    pub(super) unjudged: bool,
    /// Where atomic accesses stand that are weaker than `seq_cst` or may fail without reason.
    pub(super) weaker: BTreeSet<SiteId>,
    /// Whether somebody slept until he was woken.
    pub(super) sleeps: bool,
    /// Whether some run counts: no assumption stopped it.
    pub(super) counts: bool,
    /// Which operations of the client returned in some run.
    pub(super) returned: BTreeSet<Activation>,
    /// What became of memory in all runs.
    pub(super) memory: MemoryUse,
    /// Whether others have seen freed memory used again.
    pub(super) reused: bool,
    pub(super) error: Option<SearchError>,
}

impl<'a, S: Subject, P: Property> Watcher<'a, S, P> {
    /// Who has seen nothing of `client` so far.
    pub(super) fn new(
        subject: &'a S,
        client: &'a Client,
        property: P,
        plan: &'a Plan,
        budget: &'a dyn Budget,
        progress: &'a dyn Fn(u64, f64),
    ) -> Self {
        Self {
            judge: Judge::new(property, plan.class_limit),
            stuck: Stuck::new(subject, client),
            plan,
            budget,
            progress,
            leads: Vec::new(),
            races: Vec::new(),
            executions: 0,
            cut: 0,
            cut_reads: CutReads::default(),
            reads: Reads::default(),
            sampled: Sampled::default(),
            done: 0.0,
            stopped: None,
            unjudged: false,
            weaker: BTreeSet::new(),
            sleeps: false,
            counts: false,
            returned: BTreeSet::new(),
            memory: MemoryUse::default(),
            reused: false,
            error: None,
        }
    }

    /// Whether reads may read older values.
    pub(super) fn is_weak(&self) -> bool {
        self.stuck.memory_model() == MemoryModel::C20
    }

    /// Looks at one run, which counts if it is `new`, and decides whether to go on.
    pub(super) fn look(&mut self, leaf: &Leaf<'_>, new: bool) -> ControlFlow<()> {
        self.weaker
            .extend(leaf.trace.steps().flat_map(Step::weaker));
        self.sleeps = self.sleeps || sleeps(leaf);
        self.counts |= *leaf.end != End::Cut;
        let returned = leaf.trace.steps().filter_map(|step| step.returned.as_ref());
        self.returned.extend(returned.map(|(id, _)| *id));
        self.memory.note(leaf);
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
                ClassVerdict::Good => {}
                ClassVerdict::Unknown => self.unjudged = true,
                ClassVerdict::Bad(schedule) => self.lead(Defect::Violation, schedule, leaf.end),
            }
        }
        self.executions += u64::from(new);
        if new && (self.executions.is_power_of_two() || self.executions.is_multiple_of(1024)) {
            (self.progress)(self.executions, leaf.progress);
        }
        self.go_on(leaf.progress)
    }

    /// Passes by a run in which a thread tried in vain: only races can be seen in it.
    pub(super) fn pass(&mut self, leaf: &Leaf<'_>) -> ControlFlow<()> {
        self.weaker
            .extend(leaf.trace.steps().flat_map(Step::weaker));
        self.sleeps = self.sleeps || sleeps(leaf);
        self.note_races(leaf);
        self.cut += 1;
        self.go_on(leaf.progress)
    }

    /// Decides whether to go on after a run.
    pub(super) fn go_on(&mut self, progress: f64) -> ControlFlow<()> {
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
        let model = self.stuck.memory_model();
        let property = self.judge.property();
        let races = races(leaf.trace.steps(), model, property);
        if depends_on_additions(leaf.trace.steps(), &races, property) {
            self.cut_reads.note_order_of_additions();
        }
        for race in races {
            if !self.races.iter().any(|r| r.places() == race.places()) {
                self.races.push(race.clone());
                // What follows the second access adds nothing.
                let mut schedule = schedule_of(leaf);
                schedule.0.truncate(race.first.0.max(race.second.0) + 1);
                self.leads.push(Lead {
                    kind: Defect::DataRace(race),
                    schedule,
                    stuck: false,
                    messages: Vec::new(),
                    has_all_steps: false,
                });
            }
        }
    }

    /// The first of each kind is enough.
    pub(super) fn lead(&mut self, kind: Defect, schedule: Schedule, end: &End) {
        if !self.leads.iter().any(|lead| lead.kind.is_like(&kind)) {
            self.leads.push(Lead {
                kind,
                schedule,
                stuck: end.is_stuck(),
                messages: Vec::new(),
                has_all_steps: false,
            });
        }
    }
}

/// Whether somebody sleeps in a run until he is woken, or asks for the time.
fn sleeps(leaf: &Leaf<'_>) -> bool {
    leaf.trace.steps().any(Step::may_wake_or_be_late)
}

pub(super) fn schedule_of(leaf: &Leaf<'_>) -> Schedule {
    Schedule(leaf.trace.steps().map(|step| step.choice).collect())
}
