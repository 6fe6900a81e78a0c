//! The classes of one client's schedules: which are bad, and what would rule each of them out.

use super::RepairOptions;
use super::combine::combine;
use super::eliminators::eliminators;
use super::enforce::{Atomic, Atomicity};
use super::orders::{BadOrder, Class, minimal_bad_orders};
use super::section::Sections;
use super::source;
use super::widen::Lines;
use crate::trace::ConflictTrace;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::{Action, Execution, SiteId};
use linspect_core::machine::{Machine, Site, StartError, Subject};
use linspect_core::property::Property;
use linspect_core::run::{Bounds, Follow};
use linspect_core::schedule::Schedule;
use linspect_explore::class::{ClassVerdict, Judge};
use linspect_explore::run::{Run, run};
use linspect_explore::strategies::Leaf;
use linspect_explore::strategies::exhaustive::{Options, exhaustive};
use linspect_explore::stuck::Stuck;
use std::ops::ControlFlow;

/// The optimal sections of one class, from its traces.
pub(super) type Optimal = Vec<Sections>;

/// One client of an object.
pub(super) struct Tested<'a, S, P> {
    pub(super) subject: &'a S,
    pub(super) client: &'a Client,
    pub(super) property: &'a dyn Fn(&Client) -> P,
    pub(super) effort: &'a RepairOptions<'a>,
    pub(super) site: &'a dyn Fn(SiteId) -> Site,
}

/// The classes of a client.
#[derive(Default)]
pub(super) struct Classes {
    pub(super) good: Vec<Schedule>,
    /// A schedule of each bad class, a bad one.
    pub(super) bad: Vec<Schedule>,
    /// Whether threads of some run wait for ever that would not if operations ran one after the other.
    pub(super) deadlock: bool,
    /// Whether a choice lets a thread wait in the middle of a section: then these are not all classes that there would be.
    pub(super) strays: bool,
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
        let classes = self.classes(&mut self.subject.start(self.client)?, until);
        let Some(schedule) = classes.bad.first() else {
            return Ok(None);
        };
        let mut machine = self.subject.start(self.client)?;
        Ok(Some(follow(&mut machine, schedule).execution()))
    }

    /// A bad execution in which every operation runs alone.
    pub(super) fn serial_fault(&self) -> Result<Option<Execution>, StartError> {
        let atomicity = Atomicity::Operations;
        let mut machine = Atomic::new(self.subject.start(self.client)?, &atomicity, self.site);
        let until = Until {
            classes: self.effort.classes,
            bad: true,
        };
        let classes = self.classes(&mut machine, until);
        let bad = classes.bad.first().filter(|_| !machine.strays());
        let Some(schedule) = bad else {
            return Ok(None);
        };
        let mut machine = Atomic::new(self.subject.start(self.client)?, &atomicity, self.site);
        let serial = follow(&mut machine, schedule).execution();
        // Who waits for ever when it runs alone is right to; here it waits for a thread of the object's own, which does not run meanwhile.
        Ok((!serial.end.is_stuck()).then_some(serial))
    }

    /// So many classes of the client as it is.
    pub(super) fn plain(&self, classes: usize) -> Result<Classes, StartError> {
        let until = Until {
            classes,
            bad: false,
        };
        Ok(self.classes(&mut self.subject.start(self.client)?, until))
    }

    /// The classes with a repair in place.
    pub(super) fn enforced(
        &self,
        atomicity: &Atomicity,
        until: Until,
    ) -> Result<Classes, StartError> {
        let mut machine = Atomic::new(self.subject.start(self.client)?, atomicity, self.site);
        let mut found = self.classes(&mut machine, until);
        found.strays = machine.strays();
        Ok(found)
    }

    /// Explores the classes of `machine`.
    fn classes<M: Machine>(&self, machine: &mut M, until: Until) -> Classes {
        let mut judge = Judge::new((self.property)(self.client), self.effort.points);
        let mut stuck = Stuck::new(self.subject, self.client);
        let mut found = Classes::default();
        let options = Options {
            bounds: self.effort.bounds,
            ..Options::default()
        };
        let mut visit = |leaf: &Leaf<'_>| {
            let choices = || Schedule(leaf.trace.steps().map(|s| s.choice).collect());
            match self.error(leaf, &mut stuck) {
                Some(error) => {
                    found.deadlock |= waits(&error);
                    found.bad.push(choices());
                }
                None => match judge.judge(leaf) {
                    ClassVerdict::Good => found.good.push(choices()),
                    ClassVerdict::Unknown => {
                        found.unjudged = true;
                        found.good.push(choices());
                    }
                    ClassVerdict::Bad(schedule) => found.bad.push(schedule),
                },
            }
            let enough = found.good.len() + found.bad.len() >= until.classes;
            let bad = until.bad && !found.bad.is_empty();
            if enough || bad || self.effort.is_over() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let walk = exhaustive(machine, &options, &mut visit);
        found.executions = walk.executions;
        found.exhausted = !walk.stopped && walk.limited == 0 && !found.unjudged;
        found
    }

    /// What is wrong with how a run went, whatever the property says of it.
    fn error(&self, leaf: &Leaf<'_>, stuck: &mut Stuck<'_, S>) -> Option<Defect> {
        let mut waits = |waiting: &[_]| stuck.is_serial(leaf.trace.steps(), waiting);
        let defects = Defect::of_course(leaf.trace.steps(), leaf.after, leaf.end, &mut waits);
        defects.into_iter().find(Defect::is_error)
    }

    /// What rules out a bad class, seen in a run of the client as it is.
    pub(super) fn bad_class(&self, schedule: &Schedule) -> Result<Optimal, StartError> {
        let (run, stacks) = self.replay(schedule)?;
        Ok(self.optimal_for_bad(&run, &stacks))
    }

    /// What rules out a bad class that a repair left, seen in a run with that repair in place.
    pub(super) fn enforced_class(
        &self,
        schedule: &Schedule,
        atomicity: &Atomicity,
    ) -> Result<Optimal, StartError> {
        let mut machine = Atomic::new(self.subject.start(self.client)?, atomicity, self.site);
        self.bad_class(&machine.spell_out(schedule).0)
    }

    /// Adds where the accesses of a run stand, in all the calls that they are made in.
    pub(super) fn note_lines(
        &self,
        schedule: &Schedule,
        lines: &mut Lines,
    ) -> Result<(), StartError> {
        let (run, stacks) = self.replay(schedule)?;
        for (event, stack) in run.trace.events().iter().zip(stacks) {
            let waits = event.step.accesses.iter().any(|a| a.action == Action::Wait);
            for frame in stack {
                lines.add(&(self.site)(frame.site), waits);
            }
        }
        Ok(())
    }

    /// What would rule out a good class.
    pub(super) fn good_class(&self, schedule: &Schedule) -> Result<Optimal, StartError> {
        let (run, stacks) = self.replay(schedule)?;
        let trace = ConflictTrace::of_steps(run.trace.events().iter().map(|e| &e.step));
        let found = eliminators(&trace, &[], self.effort.repairs);
        Ok(source::sections(&trace, &stacks, &found.found, self.site))
    }

    fn optimal_for_bad(&self, run: &Run, stacks: &source::Stacks) -> Optimal {
        let class = Class {
            trace: &run.trace,
            before: &run.before,
            after: &run.after,
            end: &run.end,
        };
        let known: Vec<usize> = (0..run.trace.events().len()).collect();
        let mut stuck = Stuck::new(self.subject, self.client);
        let orders = if self.error(&run.leaf(), &mut stuck).is_some() {
            // Equivalent runs go wrong in the same way, in whatever real time.
            vec![BadOrder::none(known)]
        } else {
            minimal_bad_orders(&class, &mut (self.property)(self.client), &known)
        };
        let per_order: Vec<Optimal> = orders
            .iter()
            .map(|order| {
                let events = run.trace.events();
                let trace =
                    ConflictTrace::of_steps(order.arrangement.iter().map(|&e| &events[e].step));
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

    /// Runs a schedule of the client as it is again and notes where each step stood.
    fn replay(&self, schedule: &Schedule) -> Result<(Run, source::Stacks), StartError> {
        let mut machine = self.subject.start(self.client)?;
        let start = machine.snapshot();
        let (_, stacks) = source::stacks(&mut machine, schedule);
        machine.restore(&start);
        Ok((follow(&mut machine, schedule), stacks))
    }
}

/// The run that `schedule` tells.
fn follow<M: Machine>(machine: &mut M, schedule: &Schedule) -> Run {
    run(machine, &mut Follow::new(schedule), Bounds::NONE)
}

/// Whether threads wait for ever.
fn waits(defect: &Defect) -> bool {
    matches!(defect, Defect::Deadlock(_) | Defect::Livelock(_))
}
