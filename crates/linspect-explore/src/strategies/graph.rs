//! Every execution graph of a client, each once, under SC and under weak memory: TruSt.
//!
//! After Kokologiannakis, Marmanis, Gladstein and Vafeiadis, "Truly Stateless, Optimal Dynamic Partial Order Reduction", POPL 2022. The next event of the first thread that can go on is added: a read
//! reads each write that it may read; a write takes each place in modification order, and lets each earlier read that does not know of it read it instead:
//! then what was added after that read goes, except what the write knows of, if all of it was added in the plainest way. Nothing is remembered of what was
//! covered: the children of a graph depend on the graph alone. Particulars:
//!
//! * The machine keeps memory, and offers the ways that coherence allows ([`Machine::alternatives`], [`Machine::message`]). A child that takes events back restores
//!   the last saved state whose events all stay, and runs the others again. SC is run by the same machine: a read of an older message is a run in which it came earlier.
//! * A read-modify-write is one event. One that would read what another has taken cannot be run beside it; it is run where the other has been taken back.
//! * Waiting is naive (it is the only way that was never wrong in tens of thousands of random programs): a thread before a lock that is held has read that it is held, and waits. Whoever changes the lock
//!   lets it read that. At the end the run counts only if everyone who waits has read what was written last; the others are thrown away.
//! * All operations on a lock, a condition or a semaphore are updates of it, and so are creations of threads, which are numbered in their order. A thread that
//!   sleeps comes after whoever wakes it; a join comes after the thread's end; the process ends when nobody else can go on.
//! * A step with a fault ends its run. Its thread stops there, in this graph; the others go on, and may let it read something else.
//! * Threads that try in vain must be parked by the machine ([`linspect_core::machine::Retries::Park`]): what parks them is what they have read. One that an exchange parks which failed without
//!   reason is not run at all: nothing that such an exchange is kept in is ever taken back, so whatever comes of the others comes of them beside the exchange that did not fail.

mod branch;
mod children;
mod events;
mod show;

pub use branch::{Breath, Rest, WalkPart};

use super::{Visit, Walk};
use crate::partial_run::{Standings, standings};
use crate::trace::Clock;
use events::{Graph, State, Touch, seq_cst, stays_ordered};
use linspect_core::check::{Budget, Unlimited};
use linspect_core::consistency::{Cell, Effect};
use linspect_core::execution::{Access, Action, EventId, Location, MemoryModel, Step};
use linspect_core::machine::{Blocked, Machine, Status};
use linspect_core::run::Bounds;
use linspect_core::schedule::{Choice, ThreadId};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

/// How to explore.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Which executions there are. The machine must keep messages in either case.
    pub model: MemoryModel,
    /// Bounds on each run.
    pub bounds: Bounds,
    /// Asked now and then, in the middle of runs, too: when it is exhausted, the walk stops.
    pub budget: &'a dyn Budget,
}

impl Options<'_> {
    /// No bounds but the usual ones.
    pub fn of(model: MemoryModel) -> Self {
        Self {
            model,
            bounds: Bounds::default(),
            budget: &Unlimited,
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("model", &self.model)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}

/// Shows one run of every execution graph of `machine` to `visit`, until that breaks.
pub fn graphs<M: Machine>(machine: &mut M, options: &Options<'_>, visit: &mut Visit<'_>) -> Walk {
    let breath = &mut |_: &mut dyn Rest| ControlFlow::Continue(());
    part(machine, options, &WalkPart::default(), visit, breath)
}

/// The same for a part of the walk; `breath` hears between two nodes what is left of it.
///
/// # Panics
/// If the branch is not one of this machine's.
pub fn part<M: Machine>(
    machine: &mut M,
    options: &Options<'_>,
    branch: &WalkPart,
    visit: &mut Visit<'_>,
    breath: &mut Breath<'_>,
) -> Walk {
    let start = Rc::new(Point {
        snapshot: machine.snapshot(),
        length: 0,
        before: None,
    });
    let mut explorer = Explorer {
        stand: standings(machine, |_| 0, options.bounds),
        machine,
        options,
        start,
        walk: Walk::default(),
    };
    explorer.walk.stopped = explorer.explore(branch, visit, breath).is_break();
    explorer.walk
}

/// A saved state of the machine on the way to where it is.
struct Point<S> {
    snapshot: S,
    /// How many events of the order it has run.
    length: usize,
    before: Option<Rc<Point<S>>>,
}

/// A graph, and the machine that has run it.
struct Node<S> {
    graph: Graph,
    point: Rc<Point<S>>,
    /// What must come next.
    forced: SmallVec<[Forced; 2]>,
}

/// An event that must come next.
#[derive(Clone, Copy, Debug)]
struct Forced {
    thread: ThreadId,
    /// What it reads; `None` for a write, which may take any place.
    reads: Option<Option<EventId>>,
    stamp: Option<u32>,
    /// It is an earlier read that reads a new write; if not, it is that write, and has done what it does to other reads.
    is_read: bool,
}

/// A step that was looked at, and the state that it leads to.
struct Ahead<S> {
    step: Step,
    there: S,
}

/// A way on from a node.
enum Child<S> {
    /// The machine takes a step.
    Take {
        ahead: Box<Ahead<S>>,
        stamp: Option<u32>,
        /// As the environment does not decide by itself.
        odd: bool,
    },
    /// The thread waits at a lock that is held.
    Wait {
        thread: ThreadId,
        cell: Cell,
        stamp: Option<u32>,
    },
    /// An earlier read reads a new write.
    Revisit {
        read: EventId,
        write: New,
        stamp: Option<u32>,
    },
}

/// A write that is about to be added.
#[derive(Clone, Debug)]
struct New {
    thread: ThreadId,
    /// What it reads, if it is an update.
    reads: Option<Option<EventId>>,
    /// What it knows of.
    past: Clock,
    /// It reads what another update has taken.
    stolen: bool,
}

struct Explorer<'a, M: Machine> {
    machine: &'a mut M,
    options: &'a Options<'a>,
    start: Rc<Point<M::Snapshot>>,
    /// Where the threads stand at the start.
    stand: Standings,
    walk: Walk,
}

impl<M: Machine> Explorer<'_, M> {
    /// The node of a child, if there is one; the machine is at it. Shows runs that end with a fault, before what is left of their branch.
    fn realise(
        &mut self,
        node: &Node<M::Snapshot>,
        child: Child<M::Snapshot>,
        progress: f64,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<(), Option<Node<M::Snapshot>>> {
        let mut forced = node.forced.clone();
        if !forced.is_empty() {
            forced.remove(0);
        }
        match child {
            Child::Take { ahead, stamp, odd } => {
                self.machine.restore(&node.point.snapshot);
                let choice = ahead.step.choice;
                let Some(mut next) = self.step(&node.graph, &node.point, *ahead, stamp) else {
                    return ControlFlow::Continue(None);
                };
                if odd && self.machine.status(choice.thread) == Status::Blocked(Blocked::Parked) {
                    return ControlFlow::Continue(None);
                }
                let event = next.graph.last_of(choice.thread);
                event.odd = odd;
                next.forced = forced;
                if next.graph.has_stopped(choice.thread) {
                    self.show_fault(&next, choice.thread, progress, visit)?;
                }
                ControlFlow::Continue(Some(next))
            }
            Child::Wait {
                thread,
                cell,
                stamp,
            } => {
                let mut graph = node.graph.clone();
                let effect = Effect::Read(graph.last(cell));
                let touches = smallvec![Touch { cell, effect }];
                graph.add(thread, stamp, State::Waits, touches);
                if !self.is_consistent(&graph, 0) {
                    return ControlFlow::Continue(None);
                }
                ControlFlow::Continue(Some(Node {
                    graph,
                    point: node.point.clone(),
                    forced,
                }))
            }
            Child::Revisit { read, write, stamp } => {
                ControlFlow::Continue(self.revisit(node, read, write, stamp))
            }
        }
    }

    /// The node in which what goes is gone, and `write` and then `read` come next.
    fn revisit(
        &mut self,
        node: &Node<M::Snapshot>,
        read: EventId,
        write: New,
        stamp: Option<u32>,
    ) -> Option<Node<M::Snapshot>> {
        let New {
            thread,
            reads,
            past,
            stolen,
        } = write;
        let deleted = node.graph.deleted(read, &past)?;
        let kept = node.graph.without(&deleted, read);
        let mut next = self.replay(&node.graph, kept, &node.point);
        if stolen && !self.may_steal(node, thread, reads?) {
            return None;
        }
        let later = stamp.unwrap_or_else(|| {
            next.graph.next = node.graph.next + 1;
            next.graph.next
        });
        next.forced = smallvec![
            Forced {
                thread,
                reads,
                stamp: Some(later),
                is_read: false,
            },
            Forced {
                thread: read.thread,
                reads: Some(Some(next.graph.next_of(thread))),
                stamp: Some(node.graph.event(read).stamp),
                is_read: true,
            }
        ];
        Some(next)
    }

    /// Whether `thread`, which can read `from` where the machine is, could read it at `node` as well, if that had not been taken by another.
    fn may_steal(
        &mut self,
        node: &Node<M::Snapshot>,
        thread: ThreadId,
        from: Option<EventId>,
    ) -> bool {
        if self.machine.status(thread) != Status::Ready {
            return false;
        }
        let branch = self.machine.message(thread, from).unwrap_or(0);
        let step = self.machine.peek(Choice { thread, branch });
        let mut touches = node.graph.touches(&step);
        let Some(touch) = touches.first_mut() else {
            return false;
        };
        // Where it is run, the last of a lock is another one.
        touch.effect = Effect::Update(from);
        self.may_read(&node.graph, &step, &touches, false)
    }

    /// Looks at a step from where the machine is.
    fn look_ahead(&mut self, choice: Choice) -> Ahead<M::Snapshot> {
        let here = self.machine.snapshot();
        let step = self.machine.step(choice);
        let there = self.machine.snapshot();
        self.machine.restore(&here);
        Ahead { step, there }
    }

    /// Takes a step from `point`, where the machine is; nothing if the graph is none then.
    fn step(
        &mut self,
        graph: &Graph,
        point: &Rc<Point<M::Snapshot>>,
        ahead: Ahead<M::Snapshot>,
        stamp: Option<u32>,
    ) -> Option<Node<M::Snapshot>> {
        let mut graph = graph.clone();
        let slept = self.sleepers(&graph);
        let choice = ahead.step.choice;
        let step = Arc::new(ahead.step);
        self.machine.restore(&ahead.there);
        let touches = graph.touches(&step);
        let seq_cst = seq_cst(&step);
        let wrong = step.fault.is_some();
        let state = if wrong {
            State::Wrong(step)
        } else {
            State::Taken(step)
        };
        graph.add(choice.thread, stamp, state, touches);
        if !self.is_consistent(&graph, seq_cst) {
            return None;
        }
        let point = if wrong {
            point.clone()
        } else {
            let sleeps = self.sleepers(&graph);
            let woken = slept.into_iter().filter(|t| !sleeps.contains(t));
            let stand = self.standings(|t| graph.of_thread(t).len());
            let event = graph.last_of(choice.thread);
            event.wakes.extend(woken);
            event.standings = stand;
            self.point(point, graph.order.len())
        };
        Some(Node {
            graph,
            point,
            forced: SmallVec::new(),
        })
    }

    fn point(&mut self, before: &Rc<Point<M::Snapshot>>, length: usize) -> Rc<Point<M::Snapshot>> {
        Rc::new(Point {
            snapshot: self.machine.snapshot(),
            length,
            before: Some(before.clone()),
        })
    }

    /// Where the threads stand at the machine, which have `taken` so many steps each.
    fn standings(&self, taken: impl Fn(ThreadId) -> usize) -> Arc<Standings> {
        Arc::new(standings(self.machine, taken, self.options.bounds))
    }

    /// Who sleeps until somebody wakes it.
    fn sleepers(&self, graph: &Graph) -> SmallVec<[ThreadId; 2]> {
        let threads = 0..self.machine.threads() as ThreadId;
        threads
            .filter(|&t| match self.machine.status(t) {
                Status::Blocked(Blocked::Wait(location)) => sleeps(graph, t, location),
                _ => false,
            })
            .collect()
    }

    /// Whether `graph` is consistent, which was so before its last event. That does so many things that are `seq_cst`.
    fn is_consistent(&self, graph: &Graph, seq_cst: usize) -> bool {
        let model = self.options.model;
        match model {
            MemoryModel::Sc => graph.axioms(model).is_consistent(model),
            // What the machine runs is coherent.
            MemoryModel::C20 => {
                stays_ordered(graph, seq_cst, graph.seq_cst())
                    || graph.axioms(model).orders_seq_cst()
            }
        }
    }

    /// Runs what is `kept` of `graph`, from the last saved state that has nothing else.
    fn replay(
        &mut self,
        graph: &Graph,
        kept: Graph,
        point: &Rc<Point<M::Snapshot>>,
    ) -> Node<M::Snapshot> {
        let same = graph.order.iter().zip(&kept.order);
        let common = same.take_while(|(a, b)| a == b).count();
        let mut point = point;
        while point.length > common {
            point = point.before.as_ref().expect("the start has no events");
        }
        let mut point = point.clone();
        self.machine.restore(&point.snapshot);
        let mut kept = kept;
        let mut run: BTreeSet<EventId> = kept.order[..point.length].iter().copied().collect();
        let rest = kept.order[point.length..].to_vec();
        for &id in &rest {
            let choice = self.again(&kept, id, &run);
            let step = self.machine.step(choice);
            run.insert(id);
            let stand = self.standings(|t| run.iter().filter(|e| e.thread == t).count());
            let reads = |step: &Step| step.accesses.first().and_then(|a| a.from);
            debug_assert!(
                matches!(&kept.event(id).state, State::Taken(old) if reads(old) == reads(&step)),
                "{id:?} reads something else"
            );
            let event = &mut kept.threads[usize::from(id.thread)][id.step as usize];
            let event = Arc::make_mut(event);
            event.state = State::Taken(Arc::new(step));
            event.standings = stand;
        }
        if !rest.is_empty() {
            point = self.point(&point, kept.order.len());
        }
        Node {
            graph: kept,
            point,
            forced: SmallVec::new(),
        }
    }

    /// The choice by which `id` does the same again where `run` has been run.
    fn again(&mut self, graph: &Graph, id: EventId, run: &BTreeSet<EventId>) -> Choice {
        let event = graph.event(id);
        let State::Taken(step) = &event.state else {
            unreachable!("only what was taken is in the order of the run")
        };
        let thread = id.thread;
        let Some(touch) = event.touches.first() else {
            return step.choice;
        };
        let message = touch.source().unwrap_or_else(|| {
            let writes = &graph.modification[&touch.cell];
            let before = writes.iter().take_while(|w| **w != id);
            before.filter(|w| run.contains(w)).last().copied()
        });
        if event.odd {
            return self.gives_up_again(step, message);
        }
        // What no message stands for, such as a lock or an access that is not atomic, goes the way it went.
        let branch = self.machine.message(thread, message);
        Choice {
            thread,
            branch: branch.unwrap_or(step.choice.branch),
        }
    }

    /// The choice by which an exchange reads `from` and gives up, as it did in `step`.
    fn gives_up_again(&mut self, step: &Step, from: Option<EventId>) -> Choice {
        let thread = step.choice.thread;
        let mut choices =
            (0..self.machine.alternatives(thread)).map(|branch| Choice { thread, branch });
        let fails = |access: &Access| access.action == Action::CasFail && access.from == from;
        let gives_up = choices.find(|&c| self.machine.peek(c).accesses.first().is_some_and(fails));
        gives_up.expect("it read the newest that it expected")
    }
}

/// Whether `thread` sleeps at `location` since its last step, until somebody wakes it. At a semaphore it stands before its next step instead.
fn sleeps(graph: &Graph, thread: ThreadId, location: Location) -> bool {
    let Some(State::Taken(step)) = graph.of_thread(thread).last().map(|e| &e.state) else {
        return false;
    };
    let mut accesses = step.accesses.iter();
    accesses.any(|a| {
        let takes = a.written < a.read;
        a.action == Action::Wait && a.location.overlaps(&location) && !takes
    })
}
