//! Every class of equivalent schedules, each once: optimal dynamic partial-order reduction with wakeup trees.
//!
//! After Abdulla, Aronis, Jonsson and Sagonas, "Source Sets: A Foundation for Optimal Dynamic Partial Order Reduction",
//! J. ACM 2017, with these particulars:
//!
//! * Dependence is conflict of memory accesses only. Real time is decided per class afterwards ([`crate::class`]).
//! * Races are reversed as soon as their second step is taken, so a race is seen once per branch of the tree, not once per run.
//! * The outcome of a reversed step is found by executing the reversal wherever it can differ (a compare-exchange may now succeed).
//! * Blocking: if the reversed step is blocked (an unlock before a lock), the race is with an earlier step that took what it
//!   waits for; the plan is then only the causal past of the blocked thread. The same is done for every thread that
//!   stands blocked at a visited state, else deadlocks and the other order of two critical sections would be missed.
//! * A wait that another step ended (condition, spin, join) is ordered after that step and never reversed with it. A spinning
//!   thread that misses a change because the old value came back needs no plan of its own: the reads of its last round race with that change.
//! * A step with a fault ends its run, so nothing reveals what it races with: the other ready threads are tried in its place, and it
//!   never counts as covering other runs.
//! * A thread that has tried in vain may be parked by the machine ([`Retries::Park`]). What parks it is what it has read itself, so steps that commute still do, and
//!   the walk is that of a machine in which such threads end there. Runs with a parked thread are shown, for what can be seen in them, and count for nothing.
//! * The end of the process comes when nobody else can go on: a run that ends sooner is the beginning of one that does not, with the same
//!   steps. If several threads stand at it, each is tried.

mod ahead;

pub use ahead::{Helpers, Piece, WalkedPiece, piece};

use super::wakeup::{Planned, Start, Wakeup, weak_initial};
use super::{Leaf, Visit, Walk};
use crate::partial_run::{PartialRun, Standing, Taken};
use crate::trace::{Clock, Footprint};
use ahead::Debts;
use linspect_core::check::{Budget, Unlimited};
use linspect_core::execution::{Action, End, Location, Step};
#[cfg(doc)]
use linspect_core::machine::Retries;
use linspect_core::machine::{Machine, Status};
use linspect_core::run::Bounds;
use linspect_core::schedule::{Choice, ThreadId};
use smallvec::SmallVec;
use std::fmt;
use std::ops::ControlFlow;

/// How to explore.
#[derive(Clone)]
pub struct Options<'a> {
    /// Bounds on each run.
    pub bounds: Bounds,
    /// In which order threads are tried; the others follow by number. Classes and their count do not depend on it.
    pub order: Vec<ThreadId>,
    /// Asked now and then, in the middle of runs, too: when it is exhausted, the walk stops.
    pub budget: &'a dyn Budget,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            bounds: Bounds::default(),
            order: Vec::new(),
            budget: &Unlimited,
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("bounds", &self.bounds)
            .field("order", &self.order)
            .finish_non_exhaustive()
    }
}

/// Steps between two questions about the budget.
const BREATH: u64 = 64;

/// Shows one run of every class of `machine`'s schedules to `visit`, until that breaks.
pub fn exhaustive<M: Machine>(
    machine: &mut M,
    options: &Options<'_>,
    visit: &mut Visit<'_>,
) -> Walk {
    explore(machine, options, None, visit)
}

/// The same, while others walk pieces of it ahead: the same runs in the same order, as far as they did not show them to somebody else.
pub fn together<M: Machine>(
    machine: &mut M,
    options: &Options<'_>,
    helpers: &dyn Helpers,
    visit: &mut Visit<'_>,
) -> Walk {
    explore(machine, options, Some(helpers), visit)
}

fn explore<M: Machine>(
    machine: &mut M,
    options: &Options<'_>,
    helpers: Option<&dyn Helpers>,
    visit: &mut Visit<'_>,
) -> Walk {
    let mut explorer = Explorer {
        course: PartialRun::new(machine, options.bounds),
        options,
        nodes: Vec::new(),
        walk: Walk::default(),
        moved: false,
        steps: 0,
        helpers,
        debts: Debts::default(),
    };
    explorer.enter(Vec::new(), Wakeup::default());
    explorer.explore(visit);
    explorer.walk
}

/// A state on the current path.
struct Node<S> {
    snapshot: S,
    /// Steps that need not be taken from here: every run that starts with one has been explored.
    sleep: Vec<Footprint>,
    /// What is still to be run from here; its first child is running.
    plan: Wakeup,
    /// Children that were run to the end.
    finished: u32,
}

impl<S> Node<S> {
    /// Whether what was explored from here covers `sequence`.
    fn covers(&self, sequence: &[Planned]) -> bool {
        let mut sleep = self.sleep.iter();
        sleep.any(|f| weak_initial(f, sequence) != Start::No)
    }
}

struct Explorer<'a, M: Machine> {
    course: PartialRun<'a, M>,
    options: &'a Options<'a>,
    /// One more than the course has steps.
    nodes: Vec<Node<M::Snapshot>>,
    walk: Walk,
    /// The machine is not at the last node.
    moved: bool,
    /// How many steps were taken or looked at in all.
    steps: u64,
    /// Who walks pieces ahead.
    helpers: Option<&'a dyn Helpers>,
    debts: Debts,
}

impl<M: Machine> Explorer<'_, M> {
    fn explore(&mut self, visit: &mut Visit<'_>) {
        while !self.is_back() {
            self.spend(1);
            if self.walk.stopped {
                return;
            }
            if self.plan() {
                if !self.take_over() {
                    self.advance();
                    if self.course.is_over() {
                        if self.show(visit).is_break() {
                            return;
                        }
                        self.try_others();
                        self.retreat();
                    }
                }
            } else {
                if self.course.ready().next().is_some() {
                    self.walk.redundant += 1;
                } else if self.show(visit).is_break() {
                    return;
                }
                if self.nodes.len() == 1 {
                    return;
                }
                self.retreat();
                self.offer();
            }
            while self.top().plan.children.is_empty() && self.top().finished > 0 && !self.is_back()
            {
                if self.nodes.len() == 1 {
                    return;
                }
                self.retreat();
            }
        }
    }

    /// Notes that so many steps were taken or looked at; now and then, asks whether that was too much.
    fn spend(&mut self, steps: u64) {
        let before = self.steps / BREATH;
        self.steps += steps;
        if self.steps / BREATH > before && self.options.budget.exhausted(0).is_some() {
            self.walk.stopped = true;
        }
    }

    fn top(&self) -> &Node<M::Snapshot> {
        self.nodes.last().expect("the root stays")
    }

    /// A new node where the machine stands.
    fn enter(&mut self, sleep: Vec<Footprint>, plan: Wakeup) {
        self.nodes.push(Node {
            snapshot: self.course.machine.snapshot(),
            sleep,
            plan,
            finished: 0,
        });
    }

    /// Makes sure the last node has something to run; false if there is nothing.
    fn plan(&mut self) -> bool {
        self.settle();
        let ready = |t: ThreadId| self.course.standings()[usize::from(t)] == Standing::Ready;
        let node = self.nodes.last_mut().expect("the root stays");
        // A plan can turn out blocked where a spin loop waits for several cells.
        node.plan.children.retain(|(f, _)| ready(f.choice.thread));
        if node.plan.children.is_empty() {
            match self.first_choice() {
                Some(choice) => self.plan_branches(choice.thread),
                None => return self.plan_fault(),
            }
        }
        true
    }

    /// When only steps with a fault are left: one of them ends the run, so that what the others did is seen.
    fn plan_fault(&mut self) -> bool {
        let standings = self.course.standings();
        let ready = |f: &&Footprint| standings[usize::from(f.choice.thread)] == Standing::Ready;
        let fatal = self
            .top()
            .sleep
            .iter()
            .find(|f| f.fatal && ready(f))
            .cloned();
        let Some(fatal) = fatal.filter(|_| self.top().finished == 0) else {
            return false;
        };
        self.nodes
            .last_mut()
            .expect("the root stays")
            .plan
            .add(fatal);
        true
    }

    /// The first way on that is not asleep.
    fn first_choice(&self) -> Option<Choice> {
        let preferred = self.options.order.iter().copied();
        let standings = self.course.standings();
        preferred
            .filter(|&t| standings.get(usize::from(t)) == Some(&Standing::Ready))
            .chain(self.course.ready())
            .flat_map(|thread| self.branches(thread))
            .find(|choice| !self.top().sleep.iter().any(|f| f.choice == *choice))
    }

    /// The ways in which the next step of `thread` can go.
    fn branches(&self, thread: ThreadId) -> impl Iterator<Item = Choice> + use<M> {
        let count = self.course.machine.alternatives(thread);
        (0..count).map(move |branch| Choice { thread, branch })
    }

    /// Runs the first child of the last node.
    fn advance(&mut self) {
        let choice = self.top().plan.children[0].0.choice;
        let Taken { races, past, .. } = self.course.take(choice);
        let last = self.course.trace.events().len() - 1;
        let footprint = Footprint::of(&self.course.trace.events()[last].step);
        let node = self.nodes.last_mut().expect("the root stays");
        let awake = |f: &&Footprint| !f.depends(&footprint);
        let sleep = node.sleep.iter().filter(awake).cloned().collect();
        let child = &mut node.plan.children[0];
        child.0 = footprint;
        let plan = std::mem::take(&mut child.1);
        self.enter(sleep, plan);
        for race in races {
            // In a long run each of many races takes as long as the run.
            self.spend((last - race) as u64);
            if self.walk.stopped {
                return;
            }
            self.reverse(race, last, &past);
        }
        self.reverse_blocked();
    }

    /// Plans the next step of `thread`: where the environment decides, every way that is not asleep.
    ///
    /// Only done where nothing was planned: a planned step's other ways are revealed by the races of the runs that took them.
    fn plan_branches(&mut self, thread: ThreadId) {
        let branches: SmallVec<[Choice; 2]> = self.branches(thread).collect();
        for &choice in &branches {
            if self.is_known(self.nodes.len() - 1, choice) {
                continue;
            }
            let footprint = if branches.len() == 1 {
                // What it accesses is filled in when it is taken, which is next.
                Footprint {
                    choice,
                    other: None,
                    accesses: SmallVec::new(),
                    fatal: false,
                }
            } else {
                Footprint::of(&self.course.machine.peek(choice))
            };
            self.nodes
                .last_mut()
                .expect("the root stays")
                .plan
                .add(footprint);
        }
    }

    /// Whether node `at` has run `choice` or will.
    fn is_known(&self, at: usize, choice: Choice) -> bool {
        let node = &self.nodes[at];
        node.plan.has(choice) || node.sleep.iter().any(|f| f.choice == choice)
    }

    /// Plans the reversal of the race between events `first` and `second`.
    fn reverse(&mut self, first: usize, second: usize, past: &Clock) {
        let events = self.course.trace.events();
        let mut sequence: Vec<Planned> = events[first + 1..second]
            .iter()
            .filter(|event| !events[first].is_before(&event.clock))
            .map(Planned::of)
            .collect();
        let step = &events[second].step;
        if !outcome_can_differ(&events[first].step, step) {
            let planned = placed(Footprint::of(step), past, &sequence);
            sequence.push(planned);
            self.insert(first, sequence);
            return;
        }
        let choice = step.choice;
        let taken: SmallVec<[Location; 2]> = step.accesses.iter().map(|a| a.location).collect();
        if !self.insert_executed(first, &sequence, choice.thread, past) {
            for location in taken {
                self.reverse_taking(location, choice.thread, past, second);
            }
        }
    }

    /// Plans `sequence` and then the next step of `thread`, as it goes after `sequence`, in every way it can go there; false if it
    /// is blocked there.
    fn insert_executed(
        &mut self,
        at: usize,
        sequence: &[Planned],
        thread: ThreadId,
        past: &Clock,
    ) -> bool {
        let machine = &mut *self.course.machine;
        machine.restore(&self.nodes[at].snapshot);
        self.moved = true;
        for planned in sequence {
            if machine.status(planned.footprint.choice.thread) != Status::Ready {
                return false;
            }
            machine.step(planned.footprint.choice);
        }
        if machine.status(thread) != Status::Ready {
            return false;
        }
        let branches: SmallVec<[Choice; 2]> = self.branches(thread).collect();
        for &choice in &branches {
            let machine = &mut *self.course.machine;
            let step = if branches.len() == 1 {
                machine.step(choice)
            } else {
                machine.peek(choice)
            };
            let planned = placed(Footprint::of(&step), past, sequence);
            let mut sequence = sequence.to_vec();
            sequence.push(planned);
            self.insert(at, sequence);
        }
        true
    }

    /// Plans, for every thread that newly stands at something held, that it comes before the holder.
    fn reverse_blocked(&mut self) {
        let last = self.course.trace.events().last().expect("a step was taken");
        let runner = last.thread();
        let mut blocked: SmallVec<[(ThreadId, Location); 4]> = SmallVec::new();
        for (t, standing) in self.course.standings().iter().enumerate() {
            if let Standing::Held(location) = *standing {
                let touched = last.step.accesses.iter().any(|a| {
                    a.action.touches_memory() && a.action.writes() && a.location.overlaps(&location)
                });
                if t as ThreadId == runner || touched {
                    blocked.push((t as ThreadId, location));
                }
            }
        }
        for (thread, location) in blocked {
            let past = self.course.trace.past(thread);
            let end = self.course.trace.events().len();
            self.reverse_taking(location, thread, &past, end);
        }
    }

    /// Plans that `thread`, which `location` blocks, goes before the latest step that leaves it free to.
    fn reverse_taking(&mut self, location: Location, thread: ThreadId, past: &Clock, end: usize) {
        let events = self.course.trace.events();
        let touches = |i: &usize| {
            let mut accesses = events[*i].step.accesses.iter();
            accesses.any(|a| a.action.touches_memory() && a.location.overlaps(&location))
        };
        let users: SmallVec<[usize; 8]> = self
            .course
            .trace
            .accessing(location)
            .filter(|&i| i < end)
            .filter(touches)
            .collect();
        for taker in users {
            let event = &self.course.trace.events()[taker];
            if event.thread() == thread || event.is_before(past) {
                return;
            }
            let takes = event.step.accesses.iter().any(|a| {
                let frees = a.action == Action::Unlock || !a.action.writes();
                !frees && a.location.overlaps(&location)
            });
            if !takes {
                continue;
            }
            let sequence: Vec<Planned> = self.course.trace.events()[taker + 1..end]
                .iter()
                .filter(|event| event.is_before(past))
                .map(Planned::of)
                .collect();
            if self.insert_executed(taker, &sequence, thread, past) {
                return;
            }
        }
    }

    /// Plans `sequence` at node `at`, unless what was explored from there covers it.
    fn insert(&mut self, at: usize, sequence: Vec<Planned>) {
        if self.is_above(at) {
            self.ask(at, sequence);
        } else if !self.nodes[at].covers(&sequence) {
            self.nodes[at].plan.insert(sequence);
        }
    }

    /// After a step that ends the run: every other way on from before it.
    fn try_others(&mut self) {
        let at = self.nodes.len() - 2;
        self.course.machine.restore(&self.nodes[at].snapshot);
        self.moved = true;
        for thread in 0..self.course.standings_before(at).len() {
            if self.course.standings_before(at)[thread] != Standing::Ready {
                continue;
            }
            for choice in self.branches(thread as ThreadId) {
                if !self.is_known(at, choice) {
                    let footprint = Footprint::of(&self.course.machine.peek(choice));
                    self.plan_instead(at, footprint);
                }
            }
        }
    }

    /// Shows the run that ends here.
    fn show(&mut self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.settle();
        let (end, after) = self.course.end();
        self.moved = true;
        let covered = end == End::Covered;
        self.walk.executions += u64::from(!covered);
        self.walk.covered += u64::from(covered);
        self.walk.limited += u64::from(end == End::StepLimit);
        let leaf = Leaf {
            trace: &self.course.trace,
            before: &self.course.before,
            after: &after,
            end: &end,
            progress: self.progress(),
        };
        let flow = visit(&leaf);
        self.walk.stopped = flow.is_break();
        flow
    }

    /// The part of the tree that is done, if every child of a node were as large as its siblings.
    fn progress(&self) -> f64 {
        let mut share = 1.0;
        let mut done = 0.0;
        for node in &self.nodes {
            let children = f64::from(node.finished) + node.plan.children.len() as f64;
            if children == 0.0 {
                break;
            }
            done += share * f64::from(node.finished) / children;
            share /= children;
        }
        done + share
    }

    /// Takes the last step back.
    fn retreat(&mut self) {
        self.nodes.pop();
        self.course.untake();
        self.moved = true;
        self.leave_child();
    }

    /// Notes that everything that begins with the first child of the last node was explored.
    fn leave_child(&mut self) {
        let node = self.nodes.last_mut().expect("the root stays");
        let (footprint, _) = node.plan.children.remove(0);
        node.finished += 1;
        node.sleep.push(footprint);
    }

    /// Puts the machine where the last node is.
    fn settle(&mut self) {
        if self.moved {
            let node = self.nodes.last().expect("the root stays");
            self.course.machine.restore(&node.snapshot);
            self.moved = false;
        }
    }
}

/// `footprint` as the last step of `sequence`, after `past`.
fn placed(footprint: Footprint, past: &Clock, sequence: &[Planned]) -> Planned {
    let position = past.seen(footprint.choice.thread) + 1;
    let mut clock = past.clone();
    for planned in sequence {
        if planned.footprint.depends(&footprint) {
            clock.join(&planned.clock);
        }
    }
    clock.see(footprint.choice.thread, position);
    Planned {
        footprint,
        position,
        clock,
    }
}

/// Whether `second` may do something else if `first` does not come before it.
fn outcome_can_differ(first: &Step, second: &Step) -> bool {
    let decides = |action: Action| {
        matches!(
            action,
            Action::CasOk
                | Action::CasFail
                | Action::Lock
                | Action::LockFail
                | Action::Wait
                | Action::Spawn
        )
    };
    let changes = |action: Action| action.writes() || action == Action::Spawn;
    let changed = first.accesses.iter().any(|a| changes(a.action));
    // Which owner is the last one depends on who else has gone.
    let counts = |step: &Step| step.accesses.iter().any(|a| a.action == Action::Tally);
    changed
        && (second.accesses.len() > 1
            || second.accesses.iter().any(|a| decides(a.action))
            || counts(first)
            || counts(second))
}
