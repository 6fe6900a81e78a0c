//! Under C20: a run told in an order in which messages of the client arrive.
//!
//! The order in which a walk has run an execution is one of many; what is wrong with it may show only if one operation returns before another is called. The same
//! execution is run again, each step as soon as all that must come before it has: its thread's own steps, what it reads, earlier steps on the same lock, and
//! whoever sends the message that it waits for.

use crate::external::Message;
use linspect_core::consistency::{Cell, Graph, cell};
use linspect_core::execution::{Access, Action, EventId, Ordering, Step};
use linspect_core::machine::{Machine, Status};
use linspect_core::run::{Bounds, Follow, Nobody, run};
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The execution that `schedule` tells from `start`, in an order in which these messages arrive; nothing if that could not be found.
pub(super) fn with_messages<M: Machine>(
    machine: &mut M,
    start: &M::Snapshot,
    schedule: &Schedule,
    messages: &[Message],
) -> Option<Schedule> {
    machine.restore(start);
    let mut follow = Follow::new(schedule);
    let steps = run(machine, &mut follow, Bounds::NONE, &mut Nobody).steps;
    if !follow.is_done() {
        return None;
    }
    let before = predecessors(&steps, messages);
    let ids = events(&steps);
    let graph = Graph::of(&steps);
    machine.restore(start);
    let mut done = vec![false; steps.len()];
    let mut order = Vec::new();
    while order.len() < steps.len() {
        let is_next = |i: &usize| !done[*i] && before[*i].iter().all(|b| done[*b]);
        let next = (0..steps.len()).find(is_next)?;
        let is_done = |event: EventId| {
            ids.iter()
                .position(|id| *id == event)
                .is_some_and(|i| done[i])
        };
        let choice = way(machine, &steps[next], ids[next], &graph, &is_done)?;
        let step = machine.step(choice);
        let told = |step: &Step| {
            let told = |a: &Access| (a.action, a.location, a.read, a.written);
            step.accesses.iter().map(told).collect::<Vec<_>>()
        };
        if told(&step) != told(&steps[next]) {
            return None;
        }
        done[next] = true;
        order.push(choice);
    }
    Some(Schedule(order))
}

/// How the next step of its thread does what `step` did.
fn way<M: Machine>(
    machine: &mut M,
    step: &Step,
    id: EventId,
    graph: &Graph,
    is_done: &dyn Fn(EventId) -> bool,
) -> Option<Choice> {
    let thread = step.choice.thread;
    if machine.status(thread) != Status::Ready {
        return None;
    }
    let ways = machine.alternatives(thread);
    let access = step.accesses.iter().find(|a| a.action != Action::Fence);
    let branch = match access {
        _ if ways == 1 => 0,
        Some(access) if access.action == Action::Write => {
            let writes = graph.writes(cell(access.location));
            let earlier = writes.take_while(|w| *w != id).filter(|w| is_done(*w));
            machine.message(thread, earlier.last())?
        }
        Some(access) => {
            let named = machine.message(thread, access.from);
            let named = named.map(|branch| Choice { thread, branch });
            let same = |step: &Step| step.accesses.iter().any(|a| a.action == access.action);
            match named {
                Some(named) if same(&machine.peek(named)) => named.branch,
                // It gave up.
                _ => ways - 1,
            }
        }
        None => step.choice.branch,
    };
    Some(Choice { thread, branch })
}

fn events(steps: &[Step]) -> Vec<EventId> {
    let mut taken: FxHashMap<ThreadId, u32> = FxHashMap::default();
    let id = |step: &Step| {
        let thread = step.choice.thread;
        let count = taken.entry(thread).or_default();
        *count += 1;
        EventId {
            thread,
            step: *count - 1,
        }
    };
    steps.iter().map(id).collect()
}

/// Per step, those that must come before it.
fn predecessors(steps: &[Step], messages: &[Message]) -> Vec<Vec<usize>> {
    let ids = events(steps);
    let accesses = steps.iter().flat_map(|s| &s.accesses);
    // What takes the newest message must have the same one.
    let locks = accesses.filter(|a| a.ordering != Ordering::Plain && keeps_its_order(a));
    let locks: FxHashSet<Cell> = locks.map(|a| cell(a.location)).collect();
    let mut before = vec![Vec::new(); steps.len()];
    let mut last_of: FxHashMap<ThreadId, usize> = FxHashMap::default();
    let mut last_at: FxHashMap<Cell, usize> = FxHashMap::default();
    let mut last_other = None;
    for (i, step) in steps.iter().enumerate() {
        before[i].extend(last_of.insert(step.choice.thread, i));
        for access in &step.accesses {
            let from = access
                .from
                .and_then(|from| ids.iter().position(|id| *id == from));
            before[i].extend(from.filter(|from| *from != i));
            let writes_lock = access.action.writes() && locks.contains(&cell(access.location));
            if writes_lock || keeps_its_order(access) {
                before[i].extend(last_at.insert(cell(access.location), i));
            }
        }
        // Threads are created and joined in the order in which that was run.
        if step.other.is_some() {
            before[i].extend(last_other.replace(i));
            let theirs = step.other.and_then(|other| last_of.get(&other));
            before[i].extend(theirs.filter(|l| **l != i));
        }
    }
    for (from, to) in messages {
        let sent = |s: &Step| s.returned.as_ref().is_some_and(|(id, _)| id == from);
        let sent = steps.iter().position(sent);
        let received = steps.iter().position(|s| s.called == Some(*to));
        if let (Some(sent), Some(received)) = (sent, received) {
            before[received].push(sent);
        }
    }
    before
}

/// Whether it always takes the newest message, so that the order in which such steps are run is the order in which they happen.
fn keeps_its_order(access: &Access) -> bool {
    use Action as A;
    matches!(
        access.action,
        A::Lock | A::LockFail | A::Unlock | A::Wait | A::Wake | A::Post | A::Free | A::Exit
    ) || access.ordering == Ordering::Plain
}
