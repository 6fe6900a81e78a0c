//! The ways on from a graph.

use super::events::{
    Graph, State, Touch, Touches, add_read, is_lock, knows, seq_cst, stays_ordered,
};
use super::{Ahead, Child, Explorer, Forced, New, Node, sleeps};
use linspect_core::consistency::{Cell, Effect, cell};
use linspect_core::execution::{Action, EventId, Location, MemoryModel, Step};
use linspect_core::machine::{Blocked, Machine, Status};
use linspect_core::schedule::{Choice, ThreadId};
use smallvec::smallvec;

impl<M: Machine> Explorer<'_, M> {
    /// The ways on from `node`, at which the machine is; nothing if the run ends there.
    pub(super) fn children(&mut self, node: &Node<M::Snapshot>) -> Option<Vec<Child<M::Snapshot>>> {
        if let Some(&forced) = node.forced.first() {
            return Some(self.forced(node, forced));
        }
        let graph = &node.graph;
        let threads = 0..self.machine.threads() as ThreadId;
        let (thread, held) = threads
            .clone()
            .find_map(|t| Some((t, self.can_go_on(graph, t)?)))?;
        if let Some(location) = held {
            let cell = cell(location);
            let mut children = vec![Child::Wait {
                thread,
                cell,
                stamp: None,
            }];
            self.steal(graph, thread, &[cell], &[graph.last(cell)], &mut children);
            return Some(children);
        }
        let first = self.look_ahead(Choice::of(thread));
        if first.step.ends_process() {
            let ready = threads.filter(|&t| self.can_go_on(graph, t) == Some(None));
            let ready: Vec<ThreadId> = ready.collect();
            let ways = ready.into_iter().map(|t| self.look_ahead(Choice::of(t)));
            let take = |ahead| Child::Take {
                ahead: Box::new(ahead),
                stamp: None,
                odd: false,
            };
            let ends = ways.filter(|ahead| ahead.step.ends_process());
            return Some(ends.map(take).collect());
        }
        let mut ways = vec![first];
        for branch in 1..self.machine.alternatives(thread) {
            ways.push(self.look_ahead(Choice { thread, branch }));
        }
        let first = &ways[0].step;
        let updates = can_update(first).then(|| {
            let touches = graph.touches(first);
            let cells: Vec<Cell> = touches.iter().map(|touch| touch.cell).collect();
            // What it reads only by giving up it could take as well.
            let steps = ways.iter().map(|ahead| &ahead.step);
            let offered: Vec<_> = steps
                .filter(|s| !self.is_odd(s))
                .filter_map(|s| graph.touches(s).first()?.source())
                .collect();
            (cells, offered)
        });
        let mut children = self.take(graph, ways, None);
        if let Some((cells, offered)) = updates {
            self.steal(graph, thread, &cells, &offered, &mut children);
        }
        Some(children)
    }

    /// Whether `thread` has something to do: a step, or waiting at something that is held.
    fn can_go_on(&self, graph: &Graph, thread: ThreadId) -> Option<Option<Location>> {
        let taken = graph.of_thread(thread).len();
        if graph.has_stopped(thread) || taken >= self.options.bounds.steps_per_thread as usize {
            return None;
        }
        match self.machine.status(thread) {
            Status::Ready => Some(None),
            Status::Blocked(Blocked::Lock { location, .. }) => Some(Some(location)),
            Status::Blocked(Blocked::Wait(location)) if !sleeps(graph, thread, location) => {
                Some(Some(location))
            }
            _ => None,
        }
    }

    /// The steps that `thread` can take, and what their writes let others read.
    fn take(
        &self,
        graph: &Graph,
        ways: Vec<Ahead<M::Snapshot>>,
        stamp: Option<u32>,
    ) -> Vec<Child<M::Snapshot>> {
        let mut children = Vec::new();
        for (i, ahead) in ways.into_iter().enumerate() {
            let step = &ahead.step;
            let touches = graph.touches(step);
            let reads = touches.first().and_then(Touch::source);
            let updates = reads.is_some() && touches.iter().any(Touch::writes);
            // What is not even a read is not an update either.
            if updates && !self.may_read(graph, step, &touches, true) {
                continue;
            }
            let (thread, odd) = (step.choice.thread, self.is_odd(step));
            // A write comes once; where it is put is decided later.
            let writes = step.fault.is_none() && (updates || i == 0);
            let ahead = Box::new(ahead);
            children.push(Child::Take { ahead, stamp, odd });
            if writes {
                let write = New {
                    thread,
                    reads,
                    past: graph.past(thread, &touches, None),
                    stolen: false,
                };
                for touch in touches.iter().filter(|t| t.writes()) {
                    revisits(graph, touch.cell, &write, stamp, &mut children);
                }
            }
        }
        children
    }

    /// Whether `step` is not what the environment decides by itself: a later branch of what touches no memory, or an exchange that gives up though it read what it expected, which
    /// no message stands for.
    fn is_odd(&self, step: &Step) -> bool {
        let Choice { thread, branch } = step.choice;
        match step.accesses.first() {
            None => branch > 0,
            Some(access) => {
                access.action == Action::CasFail
                    && self.machine.message(thread, access.from) != Some(branch)
            }
        }
    }

    /// The updates by which `thread` comes before another that has taken what it reads; `offered` is what it can read beside the others. It updates `cells`, and reads the first: whoever waits on a
    /// condition lets go of a lock as well, and others wait for that.
    fn steal(
        &self,
        graph: &Graph,
        thread: ThreadId,
        cells: &[Cell],
        offered: &[Option<EventId>],
        children: &mut Vec<Child<M::Snapshot>>,
    ) {
        let Some(&cell) = cells.first() else {
            return;
        };
        for (_, event) in graph.events() {
            let updates = |t: &&Touch| t.cell == cell && matches!(t.effect, Effect::Update(_));
            let taken = event.touches.iter().find(updates).and_then(Touch::source);
            let Some(from) = taken.filter(|_| matches!(event.state, State::Taken(_))) else {
                continue;
            };
            let touches: Touches = smallvec![Touch {
                cell,
                effect: Effect::Update(from),
            }];
            if offered.contains(&from) {
                continue;
            }
            let past = graph.past(thread, &touches, None);
            let write = New {
                thread,
                reads: Some(from),
                past,
                stolen: true,
            };
            for cell in cells {
                revisits(graph, *cell, &write, None, children);
            }
        }
    }

    /// Whether the next event of a thread may read what `step` reads, whatever becomes of its write. What the machine offers is coherent.
    pub(super) fn may_read(
        &self,
        graph: &Graph,
        step: &Step,
        touches: &[Touch],
        offered: bool,
    ) -> bool {
        let is_coherent = offered && self.options.model == MemoryModel::C20;
        if is_coherent && stays_ordered(graph, seq_cst(step), graph.seq_cst() + seq_cst(step)) {
            return true;
        }
        let mut axioms = graph.axioms(self.options.model);
        let id = graph.next_of(step.choice.thread);
        add_read(&mut axioms, id, step, touches);
        match self.options.model {
            MemoryModel::C20 if is_coherent => axioms.orders_seq_cst(),
            MemoryModel::C20 => axioms.may_read(id),
            MemoryModel::Sc => axioms.is_consistent(MemoryModel::Sc),
        }
    }

    /// The ways of an event that must come next.
    fn forced(&mut self, node: &Node<M::Snapshot>, forced: Forced) -> Vec<Child<M::Snapshot>> {
        let graph = &node.graph;
        let Forced {
            thread,
            reads,
            stamp,
            is_read,
        } = forced;
        match self.machine.status(thread) {
            Status::Ready => {}
            Status::Blocked(Blocked::Lock { location, .. } | Blocked::Wait(location))
                if is_read =>
            {
                let cell = cell(location);
                return vec![Child::Wait {
                    thread,
                    cell,
                    stamp,
                }];
            }
            _ => return Vec::new(),
        }
        let fits = |ahead: &Ahead<M::Snapshot>| {
            let step = &ahead.step;
            let touches = graph.touches(step);
            let source = touches.first().and_then(Touch::source);
            let writes = touches.iter().any(Touch::writes);
            source == reads && (is_read || (writes && step.fault.is_none()))
        };
        let branches = 0..self.machine.alternatives(thread);
        let ways = branches.map(|branch| self.look_ahead(Choice { thread, branch }));
        let ways: Vec<_> = ways.filter(fits).collect();
        if is_read {
            return self.take(graph, ways, stamp);
        }
        let take = |ahead| Child::Take {
            ahead: Box::new(ahead),
            stamp,
            odd: false,
        };
        ways.into_iter().map(take).collect()
    }
}

/// Every earlier read of `cell` that `write` does not know of and that may read it.
fn revisits<S>(
    graph: &Graph,
    cell: Cell,
    write: &New,
    stamp: Option<u32>,
    children: &mut Vec<Child<S>>,
) {
    for (read, event) in graph.events() {
        let mut touches = event.touches.iter();
        let reads_it = touches.any(|t| t.cell == cell && t.source().is_some());
        if reads_it && !knows(&write.past, read) && read.thread != write.thread {
            children.push(Child::Revisit {
                read,
                write: write.clone(),
                stamp,
            });
        }
    }
}

/// Whether a step that does this now might be an update if it read something else.
fn can_update(step: &Step) -> bool {
    use Action as A;
    step.accesses.first().is_some_and(|a| {
        is_lock(a.action)
            || matches!(
                a.action,
                A::Update | A::CasOk | A::CasFail | A::Tally | A::Spawn
            )
    })
}
