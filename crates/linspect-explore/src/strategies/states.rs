//! Every state once: depth-first search that turns back where it has been before (Holzmann: "The Model Checker SPIN", 1997; the digests that stand
//! for states are Wolper and Leroy's hash compaction, CAV 1993, with 128 bits).
//!
//! A state here is what decides how the run can go on, with the tight history so far: whatever operations can return in whatever order of real time is shown by some run. How a run came to a state
//! is forgotten, and with it what happened before what. But where all atomics are `seq_cst`, a program has a data race iff in some run two accesses that conflict stand side by side, one of them plain
//! (Boehm and Adve: "Foundations of the C++ Concurrency Memory Model", PLDI 2008): the ways on from each state are compared, and such a run is shown up to there. With weaker atomics only those
//! races are seen that the shown runs have. There is no partial-order reduction and no cut of retries: neither goes together with
//! turning back. States grow with the product of the lengths of threads, classes with that of their orders, so this is for few threads with much to do.
//!
//! Of states from which no run ends, whoever goes on, it does not show a run that ends, for there is none: such a part of the graph is a strongly connected component without a way out
//! (Tarjan: "Depth-first search and linear graph algorithms", 1972), and the run that comes there and goes round is shown as a [livelock](End::Livelock).
//!
//! A bound on steps would have to be a part of the state, so there is none: an object whose states have no end is left undecided.

use super::{Leaf, Seldom, Visit, Walk};
use crate::partial_run::PartialRun;
use crate::states::{Graph, Standing};
use crate::tight::Tight;
use linspect_core::check::Budget;
use linspect_core::digest::digest;
use linspect_core::execution::{Access, End, Ordering, SiteId};
use linspect_core::machine::Machine;
use linspect_core::run::Bounds;
use linspect_core::schedule::Choice;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;

/// What a walk over all states came to.
#[derive(Clone, Debug, Default)]
pub struct AllStates {
    /// What any walk comes to.
    pub walk: Walk,
    /// How many states there were.
    pub states: u64,
    /// Where atomic accesses stand that are weaker than `seq_cst` or may fail without reason: if there are any, races may be missing.
    pub weaker: BTreeSet<SiteId>,
    /// Whether somebody sleeps in some run until he is woken.
    pub sleeps: bool,
    /// Whether a thread could end the process while others go round for ever: how that ends was not shown, because the end is put off until nobody else can go on.
    pub put_off: bool,
}

/// Shows to `visit` at least one schedule for each tight history and for each end, until it breaks, the budget is exhausted, or there are more than `most` states; and, as a run that
/// ends [covered](End::Covered), each two places whose accesses stand side by side though they conflict, one of them plain.
pub fn states<M: Machine>(
    machine: &mut M,
    most: u64,
    budget: &dyn Budget,
    visit: &mut Visit<'_>,
) -> AllStates {
    let mut walker = Walker {
        course: PartialRun::new(machine, Bounds::NONE),
        most,
        budget: Seldom::new(budget),
        seen: FxHashMap::default(),
        open: Vec::new(),
        beside: FxHashSet::default(),
        weaker: BTreeSet::new(),
        sleeps: false,
        put_off: false,
        walk: Walk::default(),
        done: 0.0,
        forks: Vec::new(),
    };
    walker.walk.stopped = walker.walk(visit).is_break();
    AllStates {
        walk: walker.walk,
        states: walker.seen.len() as u64,
        weaker: walker.weaker,
        sleeps: walker.sleeps,
        put_off: walker.put_off,
    }
}

/// The digest of a state, in words that need no more room than they have bytes.
type Digest = [u64; 2];

/// Of a state all of whose component is known.
const CLOSED: u32 = u32::MAX;

struct Walker<'a, M: Machine> {
    course: PartialRun<'a, M>,
    most: u64,
    budget: Seldom<'a>,
    /// When each state was reached first, counted in states; [`CLOSED`] once all of its component is known.
    seen: FxHashMap<Digest, u32>,
    /// The states whose component is not known yet, in the order in which they were reached.
    open: Vec<Digest>,
    /// Places whose accesses were shown side by side.
    beside: FxHashSet<(SiteId, SiteId)>,
    weaker: BTreeSet<SiteId>,
    sleeps: bool,
    put_off: bool,
    walk: Walk,
    done: f64,
    /// Where the run so far went on, the latest last: a run may be longer than a native stack is deep.
    forks: Vec<Fork<M::Snapshot>>,
}

/// A state of the present run from which ways are left.
struct Fork<S> {
    here: S,
    /// The ways that were not gone yet.
    left: std::vec::IntoIter<Choice>,
    tight: Rc<Tight>,
    /// The part of the whole walk behind each of its ways.
    share: f64,
    /// The ways that were gone, with their accesses.
    gone: Vec<(Choice, SmallVec<[Access; 1]>)>,
    state: Digest,
    /// When it was reached, and the earliest state that is known to be in its component.
    reached: u32,
    earliest: u32,
    /// Whether a way leads from it, or from its component as far as that is known, to an end or to another component.
    leaves: bool,
}

impl<M: Machine> Walker<'_, M> {
    /// Walks everything from where the machine stands.
    fn walk(&mut self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.enter(Rc::default(), 1.0, visit)?;
        while let depth @ 1.. = self.forks.len() {
            // There is a fork before each step that was taken; what comes after the last fork is undone.
            while self.course.trace.events().len() >= depth {
                self.course.untake();
            }
            let fork = &mut self.forks[depth - 1];
            let Some(choice) = fork.left.next() else {
                self.leave(visit)?;
                continue;
            };
            self.course.machine.restore(&fork.here);
            let (mut tight, share) = (Rc::clone(&fork.tight), fork.share);
            self.course.take(choice);
            let last = self.course.trace.events().last().expect("just taken");
            if last.step.called.is_some() || last.step.returned.is_some() {
                Rc::make_mut(&mut tight).push(&last.step);
            }
            let accesses = last.step.accesses.clone();
            self.weaker.extend(last.step.weaker());
            self.sleeps = self.sleeps || last.step.may_wake_or_be_late();
            if let Some(other) = self.conflicting(choice, &accesses) {
                self.show_beside(other, choice, visit)?;
            }
            let fork = &mut self.forks[depth - 1];
            fork.gone.push((choice, accesses));
            self.enter(tight, share, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Looks at the state that was just reached, which is `share` of the whole walk: shows it if the run ends there, and
    /// notes the ways on if it is new.
    fn enter(&mut self, tight: Rc<Tight>, share: f64, visit: &mut Visit<'_>) -> ControlFlow<()> {
        if self.seen.len() as u64 > self.most || self.budget.is_exhausted() {
            return ControlFlow::Break(());
        }
        // A fault is in no state: each is shown.
        if self.course.is_over() {
            self.note_way_out();
            self.done += share;
            return self.show(visit);
        }
        let state = digest(&(self.course.machine.fingerprint(), &*tight));
        let state = [state as u64, (state >> 64) as u64];
        let reached = self.seen.len() as u32;
        if let Some(&before) = self.seen.get(&state) {
            match before {
                CLOSED => self.note_way_out(),
                _ => self.note_way_back(before),
            }
            self.walk.redundant += 1;
            self.done += share;
            return ControlFlow::Continue(());
        }
        let mut choices = Vec::new();
        self.course.choices(&mut choices);
        if choices.is_empty() {
            self.seen.insert(state, CLOSED);
            self.note_way_out();
            self.done += share;
            return self.show(visit);
        }
        self.seen.insert(state, reached);
        self.open.push(state);
        self.forks.push(Fork {
            here: self.course.machine.snapshot(),
            share: share / choices.len() as f64,
            left: choices.into_iter(),
            tight,
            gone: Vec::new(),
            state,
            reached,
            earliest: reached,
            leaves: false,
        });
        ControlFlow::Continue(())
    }

    /// From the last fork, a way leads to an end or to another component.
    fn note_way_out(&mut self) {
        if let Some(fork) = self.forks.last_mut() {
            fork.leaves = true;
        }
    }

    /// From the last fork, a way leads to a state of the same component that was reached `before`.
    fn note_way_back(&mut self, before: u32) {
        if let Some(fork) = self.forks.last_mut() {
            fork.earliest = fork.earliest.min(before);
        }
    }

    /// Leaves the last fork, all of whose ways were gone. The machine may stand anywhere, the course stands there.
    fn leave(&mut self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let Some(fork) = self.forks.pop() else {
            return ControlFlow::Continue(());
        };
        if fork.earliest < fork.reached {
            self.note_way_back(fork.earliest);
            if fork.leaves {
                self.note_way_out();
            }
            return ControlFlow::Continue(());
        }
        while let Some(state) = self.open.pop() {
            self.seen.insert(state, CLOSED);
            if state == fork.state {
                break;
            }
        }
        self.note_way_out();
        match fork.leaves {
            true => ControlFlow::Continue(()),
            false => self.show_round(&fork.here, visit),
        }
    }

    /// Shows the run to `here`, from where no run ends, and around until it is here again; whoever can go on takes part.
    fn show_round(&mut self, here: &M::Snapshot, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.course.machine.restore(here);
        let graph = Graph::explore(self.course.machine, usize::MAX, self.budget.budget);
        if !graph.complete {
            return ControlFlow::Break(());
        }
        if graph.has(Standing::Leaving) {
            self.put_off = true;
            return ControlFlow::Continue(());
        }
        if graph.has(Standing::Halted) {
            return ControlFlow::Continue(());
        }
        let all: Vec<usize> = (0..graph.states.len()).collect();
        let around = graph.lasso(&all).0;
        let waiting = graph.not_done();
        self.course.machine.restore(here);
        for &choice in &around {
            self.course.take(choice);
        }
        self.walk.executions += 1;
        let shown = visit(&Leaf {
            trace: &self.course.trace,
            before: &self.course.before,
            after: &[],
            end: &End::Livelock(waiting),
            progress: self.done,
        });
        for _ in &around {
            self.course.untake();
        }
        shown
    }

    /// A way on from the last fork that was gone before, if what it accesses conflicts with these `accesses` of another thread, one of the two is plain, and these places were not shown yet.
    fn conflicting(&mut self, choice: Choice, accesses: &[Access]) -> Option<Choice> {
        let fork = self.forks.last()?;
        let others = fork
            .gone
            .iter()
            .filter(|(way, _)| way.thread != choice.thread);
        for (way, other) in others {
            for (a, b) in other
                .iter()
                .flat_map(|a| accesses.iter().map(move |b| (a, b)))
            {
                let is_plain = a.ordering == Ordering::Plain || b.ordering == Ordering::Plain;
                if is_plain && a.conflicts(b) && self.beside.insert((a.site, b.site)) {
                    return Some(*way);
                }
            }
        }
        None
    }

    /// Shows the run up to the last fork with these two ways after each other, the second of which was just gone; then stands where it stood.
    fn show_beside(
        &mut self,
        first: Choice,
        second: Choice,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let here = self.forks.last().expect("a way was gone").here.clone();
        self.course.untake();
        self.course.machine.restore(&here);
        self.course.take(first);
        let is_ready = !self.course.is_over() && self.course.ready().any(|t| t == second.thread);
        if is_ready {
            self.course.take(second);
            visit(&Leaf {
                trace: &self.course.trace,
                before: &self.course.before,
                after: &[],
                end: &End::Covered,
                progress: self.done,
            })?;
            self.course.untake();
        }
        self.course.untake();
        self.course.machine.restore(&here);
        self.course.take(second);
        ControlFlow::Continue(())
    }

    fn show(&mut self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let (end, after) = self.course.end();
        self.walk.executions += 1;
        visit(&Leaf {
            trace: &self.course.trace,
            before: &self.course.before,
            after: &after,
            end: &end,
            progress: self.done,
        })
    }
}
