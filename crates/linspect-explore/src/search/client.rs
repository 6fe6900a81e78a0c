//! The schedules of one client: which of them are run, and what that covered.

use super::coverage::{Bound, Coverage, Guarantee, Stopped};
use super::crew::{Crew, WalkMemory};
use super::cut_reads::CutReads;
use super::deepening::Deepening;
use super::explored::Explored;
use super::livelock;
use super::sampled::mixed;
use super::tally::Tally;
use super::unwritten::LeavesOut;
use super::watcher::Watcher;
use super::{Method, Plan, SearchError};
use crate::strategies::dpct::Dpct;
use crate::strategies::exhaustive::{self, exhaustive};
use crate::strategies::expected::Expected;
use crate::strategies::pct::{self, Pct};
use crate::strategies::random::Uniform;
use crate::strategies::states::AllStates;
use crate::strategies::surw::{Counts, Surw};
use crate::strategies::{Leaf, bounded, graph, states};
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::{End, MemoryModel};
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_core::property::Property;
use linspect_core::run::{Bounds, Follow, Nobody, run};
use linspect_core::verdict::Limit;
use std::ops::ControlFlow;
use std::rc::Rc;

/// A client of an object that has more states than these is not explored state by state where it could not be explored to its end otherwise.
const MANY_STATES: u64 = 5_000;

/// The same for a program, which is the only client that there is.
const MANY_STATES_OF_A_PROGRAM: u64 = 200_000;

/// What lets others explore one client, too.
pub(super) struct Help<'a, P> {
    pub(super) property: &'a (dyn Fn(&Client) -> Option<P> + Sync),
    pub(super) budget: &'a (dyn Budget + Sync),
    pub(super) memory: Option<WalkMemory<'a>>,
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
    explore_with(subject, client, property, plan, budget, progress, None)
}

/// The same; idle cores help if they can.
pub(super) fn explore_with<S: Subject, P: Property>(
    subject: &S,
    client: Client,
    property: P,
    plan: &Plan,
    budget: &dyn Budget,
    progress: &dyn Fn(u64, f64),
    help: Option<Help<'_, P>>,
) -> Result<Explored, SearchError> {
    let mut machine = subject.start(&client)?;
    let start = machine.snapshot();
    let mut watcher = Watcher::new(subject, &client, property, plan, budget, progress);
    let crew = help.map(|help| Crew {
        subject,
        client: &client,
        property: help.property,
        budget: help.budget,
        memory: help.memory,
    });
    machine.set_hurry(true);
    let extent = watcher.walk(&mut machine, &start, crew);
    machine.set_hurry(false);
    if let Some(error) = watcher.error.take() {
        return Err(error);
    }
    let found = watcher.confirm_all(&mut machine, &start)?;
    let coverage = watcher.coverage(extent);
    let weaker = std::mem::take(&mut watcher.weaker);
    let returned = std::mem::take(&mut watcher.returned);
    let returned = returned.into_iter().filter_map(|id| {
        let calls = client.threads.get(usize::from(id.thread))?;
        Some(calls.get(usize::from(id.index))?.operation)
    });
    let returned = returned.collect();
    let (sleeps, counts, memory) = (watcher.sleeps, watcher.counts, watcher.memory);
    let reused = machine.has_reused() || watcher.reused;
    Ok(Explored {
        coverage,
        client,
        found,
        weaker,
        sleeps,
        counts,
        returned,
        memory,
        reused,
        fresh: false,
    })
}

/// What a walk was, if it was not stopped.
pub(super) enum Extent {
    /// All within the bounds; so many executions stand for them.
    All(u64, Vec<Bound>),
    Sample(u64, Guarantee),
}

impl<S: Subject, P: Property> Watcher<'_, S, P> {
    fn walk<M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
        crew: Option<Crew<'_, S, P>>,
    ) -> Extent {
        let plan = self.plan;
        if self.is_weak() {
            let leaves_out = LeavesOut::retries(Retries::Park);
            let mut extent = self.deepen(machine, start, &leaves_out, crew);
            if let Extent::All(_, bounds) = &mut extent
                && self.cut_reads.may_hide_race(&self.races)
            {
                bounds.push(Bound::CutReads);
            }
            return extent;
        }
        match plan.method {
            Method::Exhaustive => {
                // Each time less is left out, until no race can be hidden.
                let retries = LeavesOut::retries(plan.retries);
                let more = retries.clone().or_orders_of_additions();
                let mut extent = self.explore_steps_that_matter(machine, start, &more, crew);
                if self.is_going_on() && self.cut_reads.need_order_of_additions() {
                    self.forget_counts();
                    extent = self.explore_steps_that_matter(machine, start, &retries, crew);
                }
                if self.is_going_on() && self.cut_reads.may_hide_race(&self.races) {
                    self.forget_counts();
                    extent = self.deepen(machine, start, &LeavesOut::default(), crew);
                }
                match self.turn_back_instead(machine, start, &extent) {
                    Some(states) => states,
                    None => extent,
                }
            }
            Method::States => {
                let budget = self.budget;
                let all = states::states(machine, u64::MAX, budget, &mut |leaf| {
                    self.look_or_pass(leaf)
                });
                if all.walk.stopped {
                    self.note_end_of_states();
                }
                if self.is_going_on() && !self.stuck.is_program() {
                    self.look_for_livelock(machine, start);
                }
                self.note_steps(&all);
                let mut bounds = vec![Bound::States(all.states)];
                if all.put_off {
                    bounds.push(Bound::LateEnds);
                }
                Extent::All(self.executions, bounds)
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
                    bounds = limits(walk.limited, plan.bounds);
                    if walk.stopped {
                        self.note_end_of_states();
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
                let expected = alone(machine, start, plan);
                self.sample(machine, start, runs, &mut |i| {
                    Box::new(Pct::of(mixed(seed, i), depth, &expected))
                });
                let threads = expected.threads_that_matter();
                let steps = expected.steps_that_matter();
                let probability = pct::guarantee(threads, steps, depth);
                let guarantee = Guarantee::Depth {
                    depth,
                    threads,
                    steps,
                    probability,
                };
                Extent::Sample(seed, guarantee)
            }
            Method::Surw { runs, seed } => {
                let counts = Rc::new(counts(machine, start, plan));
                self.sample(machine, start, runs, &mut |i| {
                    Box::new(Surw::new(mixed(seed, i), &counts))
                });
                Extent::Sample(seed, Guarantee::None)
            }
            Method::Mixed { runs, seed } => {
                let counts = Rc::new(counts(machine, start, plan));
                self.sample(machine, start, runs, &mut |i| match i % 2 {
                    0 => Box::new(Surw::new(mixed(seed, i), &counts)),
                    _ => Box::new(Uniform::new(mixed(seed, i))),
                });
                Extent::Sample(seed, Guarantee::None)
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

    /// Where threads went round without an end, so that their steps had to be bounded, there may be an end to the states: threads that take two locks and give one back until they
    /// have both come back to where they were. What all of them show, if they are not too many, and if no race can be missing.
    fn turn_back_instead<M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
        extent: &Extent,
    ) -> Option<Extent> {
        // Nobody asked for that bound: deeper rounds were given up.
        let asked = self.plan.bounds.steps_per_thread;
        let is_limit =
            |bound: &Bound| matches!(bound, Bound::StepsPerThread(most) if *most < asked);
        let is_limited = matches!(extent, Extent::All(_, bounds) if bounds.iter().all(is_limit) && !bounds.is_empty());
        if !is_limited || !self.is_going_on() {
            return None;
        }
        let most = match self.stuck.is_program() {
            true => MANY_STATES_OF_A_PROGRAM,
            false => MANY_STATES,
        };
        let (executions, cut) = (self.executions, self.cut);
        machine.restore(start);
        let budget = self.budget;
        let all = states::states(machine, most, budget, &mut |leaf| self.look_or_pass(leaf));
        let is_unfinished = matches!(
            self.stopped,
            None | Some(Stopped::Limit(_) | Stopped::Executions(_))
        );
        // Those that came to where others had been count, too.
        let seen = all.walk.executions + all.walk.redundant;
        // What was known before stays known.
        (self.executions, self.cut) = (executions, cut);
        self.note_steps(&all);
        let says_too_little = all.put_off || !self.weaker.is_empty();
        if is_unfinished && (all.walk.stopped || says_too_little) {
            self.stopped = None;
            return None;
        }
        (self.executions, self.cut) = (seen, 0);
        Some(Extent::All(seen, Vec::new()))
    }

    /// Notes what steps were like that lead to where others had been, so that no run with them was shown.
    fn note_steps(&mut self, all: &AllStates) {
        self.weaker.extend(&all.weaker);
        self.sleeps |= all.sleeps;
    }

    /// Looks at a run; of one that shows only accesses side by side, at its races.
    fn look_or_pass(&mut self, leaf: &Leaf<'_>) -> ControlFlow<()> {
        match leaf.end {
            End::Covered => self.pass(leaf),
            _ => self.look(leaf, true),
        }
    }

    pub(super) fn is_going_on(&self) -> bool {
        self.stopped.is_none() && self.error.is_none()
    }

    /// Before a client is explored again from its start.
    pub(super) fn forget_counts(&mut self) {
        (self.executions, self.cut) = (0, 0);
        self.cut_reads = CutReads::default();
    }

    /// Every class, with as many steps per thread as it takes or as can be; what the last whole round covered. `leaves_out` says which runs need not be had,
    /// because others show the same.
    pub(super) fn deepen<M: Machine>(
        &mut self,
        machine: &mut M,
        start: &M::Snapshot,
        leaves_out: &LeavesOut,
        crew: Option<Crew<'_, S, P>>,
    ) -> Extent {
        let expected = alone(machine, start, self.plan);
        // Where a thread did not end with nobody in its way, even a few runs take long.
        let mut looked = expected.longest >= self.plan.bounds.steps_per_thread && !self.is_weak();
        if looked {
            self.look_for_livelock(machine, start);
        }
        if !leaves_out.leaves_out_reads() && self.is_going_on() {
            self.glance(machine, start, &expected);
        }
        if self.stopped.is_some() || self.error.is_some() {
            return Extent::All(self.executions, Vec::new());
        }
        let mut deepening = Deepening::new(expected.longest, self.plan.bounds);
        let mut whole = None;
        loop {
            let (bounds, budget) = (deepening.bounds(), self.budget);
            let mut tally = Tally::default();
            self.cut = 0;
            machine.restore(start);
            leaves_out.tell(machine);
            let is_weak = self.is_weak();
            let together = crew.filter(|crew| {
                is_weak && crew.memory.is_some() || rayon::current_num_threads() > 1
            });
            let stopped = if let Some(crew) = together {
                match is_weak {
                    true => self.walk_together(machine, crew, &deepening, &mut tally),
                    false => self.walk_ahead(machine, crew, leaves_out, &deepening, &mut tally),
                }
            } else {
                let visit = &mut |leaf: &Leaf<'_>| {
                    self.count(leaf, leaves_out.retries == Retries::Park, &mut tally)?;
                    match deepening.is_endless(tally.executions, tally.limited) {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
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
                walk.stopped
            };
            let Tally {
                executions,
                limited,
                ..
            } = tally;
            LeavesOut::default().tell(machine);
            if stopped && self.reads.are_known() {
                return Extent::All(self.executions, Vec::new());
            }
            if stopped {
                self.note_budget();
            } else {
                whole = Some((executions, self.cut, limits(limited, bounds)));
            }
            if limited > 0
                && !is_weak
                && self.stopped.is_none()
                && !std::mem::replace(&mut looked, true)
            {
                self.look_for_livelock(machine, start);
            }
            let ended = self.stopped.is_some() || self.error.is_some();
            let again = match (stopped, &whole) {
                _ if ended => false,
                (false, _) => limited > 0 && deepening.deeper(executions),
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

    /// After a walk that was stopped: the budget may be why.
    fn note_budget(&mut self) {
        if self.stopped.is_none() {
            self.stopped = self.budget.exhausted(0).map(Stopped::Limit);
        }
    }

    /// After a search of states that was stopped: the budget is why, though it may say so no more, for what the search remembered was given back.
    fn note_end_of_states(&mut self) {
        self.note_budget();
        if self.is_going_on() {
            self.stopped = Some(Stopped::Limit(Limit::Memory));
        }
    }

    /// Looks for a livelock of a client of whose runs some do not end.
    fn look_for_livelock<M: Machine>(&mut self, machine: &mut M, start: &M::Snapshot) {
        machine.restore(start);
        let is_program = self.stuck.is_program();
        let Some(schedule) = livelock::find(machine, is_program, self.budget) else {
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
            let known = self.leads.len();
            self.lead(defect, schedule.clone(), &End::Cut);
            for lead in &mut self.leads[known..] {
                lead.has_all_steps = true;
            }
            if !self.plan.keep_going {
                self.stopped = Some(Stopped::Error);
            }
        }
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

fn limits(limited: u64, bounds: Bounds) -> Vec<Bound> {
    if limited > 0 {
        vec![Bound::StepsPerThread(bounds.steps_per_thread)]
    } else {
        Vec::new()
    }
}

fn counts<M: Machine>(machine: &mut M, start: &M::Snapshot, plan: &Plan) -> Counts {
    machine.restore(start);
    Counts::measure(machine, plan.bounds)
}

fn alone<M: Machine>(machine: &mut M, start: &M::Snapshot, plan: &Plan) -> Expected {
    machine.restore(start);
    Expected::measure(machine, plan.bounds)
}
