//! The classes of one client's schedules: which are bad, and what would rule each of them out.

use super::Effort;
use super::combine::combine;
use super::eliminators::eliminators;
use super::enforce::{Atomic, Atomicity};
use super::orders::{Class, minimal_bad_orders};
use super::section::Sections;
use super::source;
use super::widen::Lines;
use crate::trace::Trace;
use linspect_core::client::Client;
use linspect_core::execution::{Action, End, Ending, Execution, SiteId};
use linspect_core::machine::{Machine, Site, StartError, Subject};
use linspect_core::property::Property;
use linspect_core::schedule::{Choice, Schedule};
use linspect_explore::class::{Judge, Judgement};
use linspect_explore::run::run;
use linspect_explore::strategies::exhaustive::{Options, exhaustive};
use linspect_explore::strategies::replay::Replay;
use linspect_explore::strategies::{Leaf, Scene, Strategy};
use std::ops::ControlFlow;

/// The optimal sections of one class, from its traces.
pub(super) type Optimal = Vec<Sections>;

/// One client of an object.
pub(super) struct Tested<'a, S, P> {
    pub(super) subject: &'a S,
    pub(super) client: &'a Client,
    pub(super) property: &'a dyn Fn(&Client) -> P,
    pub(super) effort: &'a Effort,
    pub(super) site: &'a dyn Fn(SiteId) -> Site,
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
pub(super) struct Classes {
    pub(super) good: Vec<Schedule>,
    /// A schedule of each bad class, a bad one.
    pub(super) bad: Vec<Schedule>,
    /// Whether some run ends in a deadlock.
    pub(super) deadlock: bool,
    /// Whether some class was too large to be judged in every real time.
    unjudged: bool,
    pub(super) executions: u64,
    pub(super) exhausted: bool,
}

/// When to stop looking at classes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Until {
    /// At so many.
    pub(super) classes: usize,
    /// At the first that is bad.
    pub(super) bad: bool,
}

impl<S: Subject, P: Property> Tested<'_, S, P> {
    /// The first bad execution of the client as it is.
    pub(super) fn first_bad(&self) -> Result<Option<Execution>, StartError> {
        let until = Until {
            classes: self.effort.classes,
            bad: true,
        };
        let classes = self.classes(self.subject.start(self.client)?, until);
        let Some(schedule) = classes.bad.first() else {
            return Ok(None);
        };
        let mut machine = self.subject.start(self.client)?;
        let run = run(&mut machine, &mut Replay::new(schedule), self.effort.bounds);
        Ok(Some(run.execution()))
    }

    /// A bad execution in which every operation runs alone.
    pub(super) fn serial_fault(&self) -> Result<Option<Execution>, StartError> {
        let atomicity = Atomicity::Operations;
        let machine = Atomic::new(self.subject.start(self.client)?, &atomicity, self.site);
        let until = Until {
            classes: self.effort.classes,
            bad: true,
        };
        let classes = self.classes(machine, until);
        let Some(schedule) = classes.bad.first() else {
            return Ok(None);
        };
        let mut machine = Atomic::new(self.subject.start(self.client)?, &atomicity, self.site);
        let run = run(&mut machine, &mut Replay::new(schedule), self.effort.bounds);
        Ok(Some(run.execution()))
    }

    /// So many classes of the client as it is.
    pub(super) fn plain(&self, classes: usize) -> Result<Classes, StartError> {
        let until = Until {
            classes,
            bad: false,
        };
        Ok(self.classes(self.subject.start(self.client)?, until))
    }

    /// The classes with a repair in place.
    pub(super) fn enforced(
        &self,
        atomicity: &Atomicity,
        until: Until,
    ) -> Result<Classes, StartError> {
        let machine = Atomic::new(self.subject.start(self.client)?, atomicity, self.site);
        Ok(self.classes(machine, until))
    }

    /// Explores the classes of `machine`.
    fn classes<M: Machine>(&self, mut machine: M, until: Until) -> Classes {
        let mut judge = Judge::new((self.property)(self.client), self.effort.points);
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
            let enough = found.good.len() + found.bad.len() >= until.classes;
            if enough || (until.bad && !found.bad.is_empty()) {
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

    /// What rules out a bad class, seen in a run of the client as it is.
    pub(super) fn bad_class(&self, schedule: &Schedule) -> Result<Optimal, StartError> {
        let (kept, stacks) = self.replay(self.subject.start(self.client)?, schedule);
        Ok(self.optimal_for_bad(&kept, &stacks))
    }

    /// What rules out a bad class that a repair left, seen in a run with that repair in place.
    pub(super) fn enforced_class(
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

    /// Adds where the accesses of a run stand, in all the calls that they are made in.
    pub(super) fn note_lines(
        &self,
        schedule: &Schedule,
        lines: &mut Lines,
    ) -> Result<(), StartError> {
        let (kept, stacks) = self.replay(self.subject.start(self.client)?, schedule);
        for (event, stack) in kept.trace.events().iter().zip(stacks) {
            let waits = event.step.accesses.iter().any(|a| a.action == Action::Wait);
            for frame in stack {
                lines.add(&(self.site)(frame.site), waits);
            }
        }
        Ok(())
    }

    /// What would rule out a good class.
    pub(super) fn good_class(&self, schedule: &Schedule) -> Result<Optimal, StartError> {
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
        let orders = minimal_bad_orders(&class, &mut (self.property)(self.client), &known);
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
