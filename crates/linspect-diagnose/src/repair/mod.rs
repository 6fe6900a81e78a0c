//! Step 9: which code must be atomic. After Çirisci, Enea, Farzan and Mutluergil, *Root Causing Linearizability Violations*, CAV 2020.
//!
//! A repair is a set of source sections such that, were they atomic, no bad execution of the client could happen. It is found from all failing classes together,
//! ranked by how many good classes it disables, and then enforced in the machine: only what the re-check finds clean is called a repair.

pub mod combine;
pub mod eliminators;
pub mod enforce;
mod orders;
pub mod section;
mod source;

use crate::trace::Trace;
use combine::{combine, eliminates};
use eliminators::eliminators;
use enforce::{Atomic, Atomicity};
use linspect_core::client::Client;
use linspect_core::execution::{End, Ending, Execution, SiteId};
use linspect_core::machine::{Machine, Site, StartError, Subject};
use linspect_core::property::Property;
use linspect_core::schedule::{Choice, Schedule};
use linspect_explore::Bounds;
use linspect_explore::class::{Judge, Judgement};
use linspect_explore::run::run;
use linspect_explore::strategies::exhaustive::{Options, exhaustive};
use linspect_explore::strategies::replay::Replay;
use linspect_explore::strategies::{Leaf, Scene, Strategy};
use orders::{Class, minimal_bad_orders};
use section::Sections;
use std::ops::ControlFlow;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Classes of one client.
    pub classes: usize,
    /// Eliminators of one trace, and repairs kept while combining.
    pub repairs: usize,
    /// Points of one class that are looked at to decide its real time.
    pub points: usize,
    /// Rounds of repair and re-check.
    pub rounds: usize,
    /// Bounds on each run.
    pub bounds: Bounds,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            classes: 20_000,
            repairs: 64,
            points: 100_000,
            rounds: 8,
            bounds: Bounds::default(),
        }
    }
}

/// What must change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diagnosis {
    /// The client has no bad execution.
    Clean,
    /// It goes wrong even when every operation runs alone: no atomic section helps. A bad serial execution.
    Serial(Box<Execution>),
    /// Sections that must be atomic, best first.
    Sections(Vec<Repair>),
}

/// A re-checked repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// What must be atomic.
    pub sections: Sections,
    /// How many classes of good executions it disables.
    pub disabled: usize,
    /// Out of how many.
    pub good: usize,
    /// How many classes of bad executions it rules out.
    pub bad: usize,
    /// What the re-check of the client found.
    pub recheck: Recheck,
}

/// What was found with a repair enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recheck {
    /// Classes explored.
    pub executions: u64,
    /// Whether all were.
    pub exhausted: bool,
}

/// Finds out what must be atomic for `client` never to violate the property that `property` makes.
pub fn repair<S: Subject, P: Property>(
    subject: &S,
    client: &Client,
    property: &dyn Fn() -> P,
    effort: &Effort,
) -> Result<Diagnosis, StartError> {
    let site = |id: SiteId| subject.site(id);
    let mut repairer = Repairer {
        subject,
        client,
        property,
        effort,
        site: &site,
        bad: Vec::new(),
        good: Vec::new(),
        deadlocks: false,
    };
    repairer.run()
}

/// The optimal sections of one class, from its traces.
type Optimal = Vec<Sections>;

struct Repairer<'a, S, P> {
    subject: &'a S,
    client: &'a Client,
    property: &'a dyn Fn() -> P,
    effort: &'a Effort,
    site: &'a dyn Fn(SiteId) -> Site,
    bad: Vec<Optimal>,
    good: Vec<Optimal>,
    /// Whether the client deadlocks as it is.
    deadlocks: bool,
}

/// A finished run as a value.
struct Kept {
    trace: linspect_explore::trace::Trace,
    before: Vec<Ending>,
    after: Vec<Ending>,
    end: End,
}

/// The classes of a client.
#[derive(Default)]
struct Classes {
    good: Vec<Schedule>,
    /// A schedule of each bad class, a bad one.
    bad: Vec<Schedule>,
    /// Whether some run ends in a deadlock.
    deadlock: bool,
    /// Whether some class was too large to be judged in every real time.
    unjudged: bool,
    executions: u64,
    exhausted: bool,
}

impl<S: Subject, P: Property> Repairer<'_, S, P> {
    fn run(&mut self) -> Result<Diagnosis, StartError> {
        let all = self.classes(self.subject.start(self.client)?, true);
        self.deadlocks = all.deadlock;
        if all.bad.is_empty() {
            return Ok(Diagnosis::Clean);
        }
        if let Some(serial) = self.serial_fault()? {
            return Ok(Diagnosis::Serial(Box::new(serial)));
        }
        for schedule in &all.bad {
            let optimal = self.bad_class(schedule)?;
            self.bad.push(optimal);
        }
        for schedule in &all.good {
            let optimal = self.good_class(schedule)?;
            self.good.push(optimal);
        }
        self.refine().map(Diagnosis::Sections)
    }

    /// A bad execution in which every operation runs alone.
    fn serial_fault(&self) -> Result<Option<Execution>, StartError> {
        let atomicity = Atomicity::Operations;
        let machine = Atomic::new(self.subject.start(self.client)?, &atomicity, self.site);
        let classes = self.classes(machine, false);
        let Some(schedule) = classes.bad.first() else {
            return Ok(None);
        };
        let mut machine = Atomic::new(self.subject.start(self.client)?, &atomicity, self.site);
        let run = run(&mut machine, &mut Replay::new(schedule), self.effort.bounds);
        Ok(Some(run.execution()))
    }

    /// Combines what is known of the bad classes, enforces the best, and learns from what still goes wrong.
    fn refine(&mut self) -> Result<Vec<Repair>, StartError> {
        for _ in 0..self.effort.rounds {
            let (candidates, _) = combine(&self.bad, self.effort.repairs);
            let mut ranked: Vec<(usize, Sections)> = candidates
                .into_iter()
                .filter(|c| !c.is_empty())
                .map(|c| (self.disabled(&c), c))
                .collect();
            ranked.sort();
            let mut clean = Vec::new();
            let mut learned = false;
            for (disabled, sections) in ranked {
                let atomicity = Atomicity::Sections(sections.clone());
                let machine = Atomic::new(self.subject.start(self.client)?, &atomicity, self.site);
                let checked = self.classes(machine, false);
                if let Some(schedule) = checked.bad.first() {
                    // Nothing is learned twice: a class that a repair should rule out, and does not, ends that repair.
                    let optimal = self.enforced_class(schedule, &atomicity)?;
                    if !optimal.is_empty() && !eliminates(&sections, &optimal) {
                        self.bad.push(optimal);
                        learned = true;
                    }
                    continue;
                }
                // A section around a wait would make others wait for ever: that is no repair.
                if checked.executions == 0 || (checked.deadlock && !self.deadlocks) {
                    continue;
                }
                clean.push(Repair {
                    sections,
                    disabled,
                    good: self.good.len(),
                    bad: self.bad.len(),
                    recheck: Recheck {
                        executions: checked.executions,
                        exhausted: checked.exhausted,
                    },
                });
            }
            if !clean.is_empty() || !learned {
                return Ok(clean);
            }
        }
        Ok(Vec::new())
    }

    fn disabled(&self, sections: &Sections) -> usize {
        self.good
            .iter()
            .filter(|class| eliminates(sections, class))
            .count()
    }

    /// Explores every class of `machine`; stops at the first bad one unless `all` are wanted.
    fn classes<M: Machine>(&self, mut machine: M, all: bool) -> Classes {
        let mut judge = Judge::new((self.property)(), self.effort.points);
        let mut found = Classes::default();
        let options = Options {
            bounds: self.effort.bounds,
            ..Options::default()
        };
        let mut visit = |leaf: &Leaf<'_>| {
            let choices = || Schedule(leaf.trace.steps().map(|s| s.choice).collect());
            found.deadlock |= matches!(leaf.end, End::Deadlock(_));
            match judge.judge(leaf) {
                Judgement::Good => found.good.push(choices()),
                Judgement::Unknown => {
                    found.unjudged = true;
                    found.good.push(choices());
                }
                Judgement::Bad(schedule) => found.bad.push(schedule),
            }
            let enough = found.good.len() + found.bad.len() >= self.effort.classes;
            if enough || (!all && !found.bad.is_empty()) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let walk = exhaustive(&mut machine, &options, &mut visit);
        found.executions = walk.executions;
        found.exhausted = !walk.stopped && walk.limited == 0 && !found.unjudged;
        found
    }

    fn bad_class(&self, schedule: &Schedule) -> Result<Optimal, StartError> {
        let (kept, stacks) = self.replay(self.subject.start(self.client)?, schedule);
        Ok(self.optimal_for_bad(&kept, &stacks))
    }

    fn enforced_class(
        &self,
        schedule: &Schedule,
        atomicity: &Atomicity,
    ) -> Result<Optimal, StartError> {
        let mut machine = Atomic::new(self.subject.start(self.client)?, atomicity, self.site);
        let mut plain = Vec::new();
        for &choice in &schedule.0 {
            let (_, steps) = machine.step_counted(choice);
            plain.extend(std::iter::repeat_n(choice, steps));
        }
        self.bad_class(&Schedule(plain))
    }

    fn good_class(&self, schedule: &Schedule) -> Result<Optimal, StartError> {
        let (kept, stacks) = self.replay(self.subject.start(self.client)?, schedule);
        let trace = Trace::of_steps(kept.trace.events().iter().map(|e| &e.step));
        let found = eliminators(&trace, &[], self.effort.repairs);
        Ok(source::sections(&trace, &stacks, &found.found, self.site))
    }

    fn optimal_for_bad(&self, kept: &Kept, stacks: &source::Stacks) -> Optimal {
        let class = Class {
            trace: &kept.trace,
            before: &kept.before,
            after: &kept.after,
            end: &kept.end,
        };
        let known: Vec<usize> = (0..kept.trace.events().len()).collect();
        let orders = minimal_bad_orders(&class, &mut (self.property)(), &known);
        let per_order: Vec<Optimal> = orders
            .iter()
            .map(|order| {
                let events = kept.trace.events();
                let trace = Trace::of_steps(order.arrangement.iter().map(|&e| &events[e].step));
                let stacks: source::Stacks = order
                    .arrangement
                    .iter()
                    .map(|&e| stacks[e].clone())
                    .collect();
                let mut place = vec![0; events.len()];
                for (new, &old) in order.arrangement.iter().enumerate() {
                    place[old] = new;
                }
                let edges: Vec<(usize, usize)> = order
                    .edges
                    .iter()
                    .map(|&(a, b)| (place[a], place[b]))
                    .collect();
                let found = eliminators(&trace, &edges, self.effort.repairs);
                source::sections(&trace, &stacks, &found.found, self.site)
            })
            .collect();
        combine(&per_order, self.effort.repairs).0
    }

    /// Runs a schedule again and notes where each step stood.
    fn replay<M: Machine>(&self, mut machine: M, schedule: &Schedule) -> (Kept, source::Stacks) {
        let mut stacks = Vec::with_capacity(schedule.0.len());
        let start = machine.snapshot();
        for &choice in &schedule.0 {
            stacks.push(machine.stack(choice.thread));
            if machine.step(choice).fault.is_some() {
                break;
            }
        }
        machine.restore(&start);
        let run = run(
            &mut machine,
            &mut Exactly(Replay::new(schedule), schedule.0.len()),
            self.effort.bounds,
        );
        let kept = Kept {
            trace: run.trace,
            before: run.before,
            after: run.after,
            end: run.end,
        };
        (kept, stacks)
    }
}

/// Follows a schedule to its last step and no further.
struct Exactly<'a>(Replay<'a>, usize);

impl Strategy for Exactly<'_> {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        self.1 = self.1.checked_sub(1)?;
        self.0.choose(scene)
    }
}
