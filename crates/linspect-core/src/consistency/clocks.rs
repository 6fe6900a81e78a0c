//! What happens before what under C20, as a vector clock of each event: how many events of each thread come before it.
//!
//! One pass in the order of the graph. A write carries what whoever synchronises with it comes to know: all that its thread knows if it releases, what its thread knew at its last
//! release fence otherwise, and what the write that it has read carried if it is a read-modify-write (the release sequence of C++20).

use super::{Effect, Graph};
use crate::execution::EventId;
use crate::schedule::ThreadId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

type Clock = SmallVec<[u32; 4]>;

/// What happens before what in a graph to which no messages were added.
pub(super) struct Clocks {
    clocks: Vec<Clock>,
    /// Which event of which thread each is, from 0.
    places: Vec<(usize, u32)>,
}

/// What a thread knows.
#[derive(Clone, Default)]
struct Knowledge {
    /// What happens before its next event.
    now: Clock,
    /// What an acquire fence would add.
    acquirable: Clock,
    /// What it knew at its last release fence.
    released: Option<Clock>,
}

impl Clocks {
    pub(super) fn of(graph: &Graph) -> Self {
        let ids = graph.nodes.iter().map(|n| usize::from(n.id.thread));
        let mut threads = vec![Knowledge::default(); ids.max().map_or(0, |most| most + 1)];
        let mut clocks: Vec<Clock> = Vec::with_capacity(graph.nodes.len());
        let mut places = Vec::with_capacity(graph.nodes.len());
        // Per write, what it carries.
        let mut carried: FxHashMap<(EventId, super::Cell), Clock> = FxHashMap::default();
        for (index, node) in graph.nodes.iter().enumerate() {
            let thread = usize::from(node.id.thread);
            let place = threads[thread].now.get(thread).copied().unwrap_or(0);
            places.push((thread, place));
            if place == 0
                && let Some(by) = graph.creator(node.id.thread)
            {
                join(&mut threads[thread].now, &clocks[by]);
            }
            for &(_, other) in graph.joined.iter().filter(|(at, _)| *at == index) {
                let end = threads.get(usize::from(other)).map(|t| t.now.clone());
                // A thread that has taken no step has been started all the same.
                let end = end.filter(|end| !end.is_empty());
                let end = end.or_else(|| graph.creator(other).map(|by| clocks[by].clone()));
                join(&mut threads[thread].now, &end.unwrap_or_default());
            }
            let knowledge = &mut threads[thread];
            count(&mut knowledge.now, thread);
            let read = match node.effect {
                Effect::Read(Some(from)) | Effect::Update(Some(from)) if node.is_atomic() => {
                    carried.get(&(from, node.cell))
                }
                _ => None,
            };
            if let Some(view) = read {
                join(&mut knowledge.acquirable, view);
                if node.ordering.acquires() {
                    join(&mut knowledge.now, view);
                }
            }
            if node.effect == Effect::Fence {
                if node.ordering.acquires() {
                    join(&mut knowledge.now, &knowledge.acquirable);
                }
                if node.ordering.releases() {
                    knowledge.released = Some(knowledge.now.clone());
                }
            }
            if node.writes() && node.is_atomic() {
                let mut view = match node.ordering.releases() {
                    true => knowledge.now.clone(),
                    false => knowledge.released.clone().unwrap_or_default(),
                };
                if let (Effect::Update(_), Some(read)) = (node.effect, read) {
                    join(&mut view, read);
                }
                carried.insert((node.id, node.cell), view);
            }
            clocks.push(knowledge.now.clone());
        }
        Self { clocks, places }
    }

    /// Whether event number `from` happens before number `to`.
    pub(super) fn before(&self, from: usize, to: usize) -> bool {
        let (thread, place) = self.places[from];
        let seen = self.clocks[to].get(thread).copied().unwrap_or(0);
        from != to && seen > place
    }
}

impl Graph {
    /// The event that starts `thread`.
    fn creator(&self, thread: ThreadId) -> Option<usize> {
        let created = self.spawned.iter().find(|(_, other)| *other == thread);
        created.map(|(by, _)| *by)
    }
}

fn join(clock: &mut Clock, other: &Clock) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}

/// Counts one more event of `thread`.
fn count(clock: &mut Clock, thread: usize) {
    if clock.len() <= thread {
        clock.resize(thread + 1, 0);
    }
    clock[thread] += 1;
}
