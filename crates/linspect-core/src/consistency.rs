//! Memory models as axioms: which executions there are.
//!
//! An execution is a graph: what each thread does in program order (po), which write each read takes its value from (rf), and per location the order of all writes
//! (mo). From these follow `fr` (a read comes before the writes after the one it reads) and `eco`, their closure.
//!
//! * SC: po ∪ rf ∪ mo ∪ fr has no cycle (Shasha and Snir, TOPLAS 1988).
//! * C20: RC11 (Lahav, Vafeiadis, Kang, Hur and Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI 2017) with the three changes of C++20: later stores of
//!   the same thread are not part of a release sequence, in `scb` the middle part is po; hb; po whatever the locations, and its accesses at one location are ordered by eco, not by mo and fr alone. po ∪ rf has no cycle: no load buffering.
//!
//! A read-modify-write is one event that both reads and writes, so fr leads from it to every write after what it reads but itself; that no write comes between is then
//! part of coherence. Nor does it come strongly after what it only reads from: the last outcome of Z6.U is allowed, as in C++20 (P0668) and not in GenMC, which orders the two halves. What was there before all threads is no event: it comes first, and a read of it has no `from`.

mod clocks;
mod relation;
mod seq_cst;
mod synchronised;

use crate::execution::{Access, Action, EventId, Location, MemoryModel, Ordering, Step};
use crate::schedule::ThreadId;
use clocks::Clocks;
use relation::{Relation, Set};
use rustc_hash::FxHashMap;
use seq_cst::SeqCst;
pub use synchronised::Synchronised;

/// A place in memory that is read and written as a whole: the allocation and the first byte.
pub type Cell = (u32, u32);

/// The cell at `location`.
pub fn cell(location: Location) -> Cell {
    (location.allocation, location.offset)
}

/// What an event does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// It reads what this event wrote, or what was there at the start.
    Read(Option<EventId>),
    /// It writes directly after what this event wrote, or after what was there at the start.
    Write(Option<EventId>),
    /// It reads what this event wrote and writes directly after it.
    Update(Option<EventId>),
    /// Nothing: a fence.
    Fence,
    /// Nothing.
    None,
}

/// What an access is to the memory model, and how it is ordered. Whatever synchronises by itself (locks, conditions, semaphores) is an update of its cell that
/// comes after all others so far: `last` wrote it before.
pub fn effect(access: &Access, last: Option<EventId>) -> (Effect, Ordering) {
    use Action as A;
    let ordering = access.ordering;
    match access.action {
        A::Read | A::CasFail => (Effect::Read(access.from), ordering),
        A::Write => (Effect::Write(access.after), ordering),
        A::Update | A::CasOk | A::Tally | A::Add => (Effect::Update(access.from), ordering),
        A::Lock => (Effect::Update(last), Ordering::Acquire),
        A::LockFail | A::SpuriousWake => (Effect::Update(last), Ordering::Relaxed),
        A::Unlock => (Effect::Update(last), Ordering::Release),
        A::Wait | A::Wake | A::Post => (Effect::Update(last), Ordering::AcqRel),
        A::Fence => (Effect::Fence, ordering),
        A::Spawn | A::Join | A::Free | A::Exit | A::Delay => (Effect::None, ordering),
    }
}

/// An execution graph, built in an order in which every read comes after what it reads.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    /// Per cell, its writes in modification order.
    modification: FxHashMap<Cell, Vec<usize>>,
    /// Nodes that start a thread, and nodes that come after the end of one.
    spawned: Vec<(usize, ThreadId)>,
    joined: Vec<(usize, ThreadId)>,
    /// Synchronisation from outside.
    external: Vec<(EventId, EventId)>,
}

#[derive(Clone, Debug)]
struct Node {
    id: EventId,
    cell: Cell,
    effect: Effect,
    ordering: Ordering,
}

impl Node {
    fn reads(&self) -> bool {
        matches!(self.effect, Effect::Read(_) | Effect::Update(_))
    }

    fn writes(&self) -> bool {
        matches!(self.effect, Effect::Write(_) | Effect::Update(_))
    }

    fn is_atomic(&self) -> bool {
        self.ordering != Ordering::Plain
    }
}

impl Graph {
    /// The graph of a run.
    pub fn of<'s>(steps: impl IntoIterator<Item = &'s Step>) -> Self {
        let mut graph = Self::default();
        let mut taken: FxHashMap<ThreadId, u32> = FxHashMap::default();
        for step in steps {
            let thread = step.choice.thread;
            let count = taken.entry(thread).or_default();
            let id = EventId {
                thread,
                step: *count,
            };
            *count += 1;
            graph.step(id, step);
        }
        graph
    }

    /// Adds what `step` does: a call comes before everything, a return after it. Which side of a call a fence before it stands on is not known; it counts as part of what
    /// is called.
    pub fn step(&mut self, id: EventId, step: &Step) {
        if step.called.is_some() {
            self.event(id, (0, 0), Effect::None, Ordering::Plain);
        }
        for ordering in &step.aside.fences {
            self.event(id, (0, 0), Effect::Fence, *ordering);
        }
        let first = self.nodes.len();
        for access in &step.accesses {
            let cell = cell(access.location);
            let (effect, ordering) = effect(access, self.last(cell));
            self.event(id, cell, effect, ordering);
        }
        if self.nodes.len() == first {
            self.event(id, (0, 0), Effect::None, Ordering::Plain);
        }
        if let Some(other) = step.other {
            let spawns = step.accesses.iter().any(|a| a.action == Action::Spawn);
            let edges = if spawns {
                &mut self.spawned
            } else {
                &mut self.joined
            };
            edges.push((first, other));
        }
        if step.returned.is_some() {
            self.event(id, (0, 0), Effect::None, Ordering::Plain);
        }
    }

    /// Adds an event of the thread that `id` names.
    pub fn event(&mut self, id: EventId, cell: Cell, effect: Effect, ordering: Ordering) {
        let index = self.nodes.len();
        if let Effect::Write(before) | Effect::Update(before) = effect {
            let at = before.map_or(0, |before| {
                let writes = self.modification.get(&cell).into_iter().flatten();
                let place = writes.clone().position(|&w| self.nodes[w].id == before);
                place.map_or_else(|| writes.count(), |place| place + 1)
            });
            self.modification.entry(cell).or_default().insert(at, index);
        }
        self.nodes.push(Node {
            id,
            cell,
            effect,
            ordering,
        });
    }

    /// Lets `to` come after `from` as if the one had sent the other a message, outside of what is seen here.
    pub fn synchronise(&mut self, from: EventId, to: EventId) {
        self.external.push((from, to));
    }

    /// The last write of `cell` in modification order.
    pub fn last(&self, cell: Cell) -> Option<EventId> {
        let last = self.modification.get(&cell)?.last()?;
        Some(self.nodes[*last].id)
    }

    /// The writes of `cell` in modification order.
    pub fn writes(&self, cell: Cell) -> impl Iterator<Item = EventId> + '_ {
        let writes = self.modification.get(&cell).into_iter().flatten();
        writes.map(|&w| self.nodes[w].id)
    }

    /// Whether there is such an execution.
    pub fn is_consistent(&self, model: MemoryModel) -> bool {
        let relations = Relations::of(self);
        match model {
            MemoryModel::Sc => relations.is_sequential(),
            MemoryModel::C20 => {
                let hb = relations.happens_before();
                let before = |from, to| hb.has(from, to);
                relations.is_coherent(&hb) && SeqCst::of(self).is_ordered(before)
            }
        }
    }

    /// Whether the events that are seq_cst can be ordered: what is left to ask of a graph that is coherent anyway and has no messages from outside.
    pub fn orders_seq_cst(&self) -> bool {
        debug_assert!(self.external.is_empty());
        let clocks = Clocks::of(self);
        SeqCst::of(self).is_ordered(|from, to| clocks.before(from, to))
    }

    /// Whether there is such an execution under C20, given that there is one without what `reader` does, which only reads, and after which its thread does nothing.
    pub fn may_read(&self, reader: EventId) -> bool {
        debug_assert!(self.external.is_empty());
        let clocks = Clocks::of(self);
        let hb = |from, to| clocks.before(from, to);
        let seq_cst = SeqCst::of(self);
        let (accesses, _) = seq_cst::placed(self);
        let reads = accesses.iter().filter(|a| self.nodes[a.index].id == reader);
        let mut reads = reads.map(|read| {
            let mut known = accesses.iter().filter(|a| a.cell == read.cell);
            known.all(|a| a.place <= read.place || !hb(a.index, read.index))
        });
        reads.all(|is_coherent| is_coherent) && seq_cst.is_ordered(hb)
    }

    /// What happens before what, as the model says it: with SC, whatever comes earlier in every order of the execution.
    pub fn happens_before(&self, model: MemoryModel) -> HappensBefore {
        let relations = Relations::of(self);
        let relation = match model {
            MemoryModel::Sc => relations.sequence().closure(),
            MemoryModel::C20 => relations.happens_before(),
        };
        HappensBefore {
            relation,
            ends: Ends::of(self),
        }
    }
}

/// The first and the last thing that each event does, by position among all.
#[derive(Clone, Debug, Default)]
struct Ends {
    first: FxHashMap<EventId, usize>,
    last: FxHashMap<EventId, usize>,
}

impl Ends {
    fn of(graph: &Graph) -> Self {
        let mut ends = Self::default();
        for (i, node) in graph.nodes.iter().enumerate() {
            ends.first.entry(node.id).or_insert(i);
            ends.last.insert(node.id, i);
        }
        ends
    }

    /// The last of what `from` does and the first of what `to` does.
    fn inner(&self, from: EventId, to: EventId) -> Option<(usize, usize)> {
        Some((*self.last.get(&from)?, *self.first.get(&to)?))
    }

    /// The first of what `from` does and the last of what `to` does.
    fn outer(&self, from: EventId, to: EventId) -> Option<(usize, usize)> {
        Some((*self.first.get(&from)?, *self.last.get(&to)?))
    }
}

/// What happens before what in an execution.
#[derive(Clone, Debug)]
pub struct HappensBefore {
    relation: Relation,
    ends: Ends,
}

impl HappensBefore {
    /// Whether all of `from` happens before all of `to`: if the one returns and the other calls, whether the return happens before the call.
    pub fn has(&self, from: EventId, to: EventId) -> bool {
        let ends = self.ends.inner(from, to);
        ends.is_some_and(|(from, to)| self.relation.has(from, to))
    }

    /// Whether something in `from` happens before something in `to`.
    pub fn touches(&self, from: EventId, to: EventId) -> bool {
        let ends = self.ends.outer(from, to);
        ends.is_some_and(|(from, to)| self.relation.has(from, to))
    }
}

/// The relations that a graph is made of.
struct Relations<'g> {
    nodes: &'g [Node],
    po: Relation,
    rf: Relation,
    mo: Relation,
    fr: Relation,
    /// Creation and end of threads, synchronisation from outside.
    sync: Relation,
}

impl<'g> Relations<'g> {
    fn of(graph: &'g Graph) -> Self {
        let nodes = &graph.nodes;
        let size = nodes.len();
        let mut relations = Self {
            nodes,
            po: Relation::empty(size),
            rf: Relation::empty(size),
            mo: Relation::empty(size),
            fr: Relation::empty(size),
            sync: Relation::empty(size),
        };
        for (later, node) in nodes.iter().enumerate() {
            let same = |earlier: &usize| nodes[*earlier].id.thread == node.id.thread;
            for earlier in (0..later).filter(same) {
                relations.po.add(earlier, later);
            }
        }
        for writes in graph.modification.values() {
            for (place, &earlier) in writes.iter().enumerate() {
                for &later in &writes[place + 1..] {
                    relations.mo.add(earlier, later);
                }
            }
        }
        for (reader, node) in nodes.iter().enumerate() {
            if let Effect::Read(from) | Effect::Update(from) = node.effect {
                let writes = graph.modification.get(&node.cell);
                let writes = writes.map_or(&[][..], Vec::as_slice);
                let source = from.and_then(|f| writes.iter().position(|&w| nodes[w].id == f));
                if let Some(source) = source {
                    relations.rf.add(writes[source], reader);
                }
                let later = &writes[source.map_or(0, |source| source + 1)..];
                for &write in later.iter().filter(|&&w| w != reader) {
                    relations.fr.add(reader, write);
                }
            }
        }
        relations.synchronise(graph);
        relations
    }

    fn synchronise(&mut self, graph: &Graph) {
        let nodes = self.nodes;
        let of = |thread: ThreadId| move |n: &Node| n.id.thread == thread;
        for &(from, thread) in &graph.spawned {
            if let Some(to) = nodes.iter().position(of(thread)) {
                self.sync.add(from, to);
            }
        }
        for &(to, thread) in &graph.joined {
            let from = nodes.iter().rposition(of(thread));
            // A thread that has taken no step has been started all the same.
            let spawned = graph.spawned.iter().find(|s| s.1 == thread).map(|s| s.0);
            if let Some(from) = from.or(spawned) {
                self.sync.add(from, to);
            }
        }
        for &(from, to) in &graph.external {
            let from = nodes.iter().rposition(|n| n.id == from);
            let to = nodes.iter().position(|n| n.id == to);
            if let (Some(from), Some(to)) = (from, to) {
                self.sync.add(from, to);
            }
        }
    }

    fn set(&self, is_in: impl Fn(&Node) -> bool) -> Set {
        Set::of(self.nodes.len(), |i| is_in(&self.nodes[i]))
    }

    fn sequence(&self) -> Relation {
        let memory = self.rf.clone().or(&self.mo).or(&self.fr);
        memory.or(&self.po).or(&self.sync)
    }

    fn is_sequential(&self) -> bool {
        self.sequence().is_acyclic()
    }

    fn eco(&self) -> Relation {
        self.rf.clone().or(&self.mo).or(&self.fr).closure()
    }

    fn happens_before(&self) -> Relation {
        let writes = self.set(|n| n.writes() && n.is_atomic());
        let reads = self.set(|n| n.reads() && n.is_atomic());
        let updates = self.set(|n| matches!(n.effect, Effect::Update(_)) && n.is_atomic());
        let fences = self.set(|n| n.effect == Effect::Fence);
        let fence_or = |n: &Node, other: bool| n.effect == Effect::Fence || other;
        let releasing = self.set(|n| n.ordering.releases() && fence_or(n, n.writes()));
        let acquiring = self.set(|n| n.ordering.acquires() && fence_or(n, n.reads()));
        let size = self.nodes.len();
        let written = Relation::identity(size, &writes);
        let head = written
            .clone()
            .or(&self.po.clone().between(&fences, &writes));
        let tail = Relation::identity(size, &reads).or(&self.po.clone().between(&reads, &fences));
        let taken = self.rf.clone().between(&writes, &reads);
        let release_sequence = taken.clone().between(&writes, &updates).closure().or_same();
        let synchronises = head.then(&release_sequence).then(&taken).then(&tail);
        let synchronises = synchronises.between(&releasing, &acquiring);
        synchronises.or(&self.po).or(&self.sync).closure()
    }

    fn is_coherent(&self, hb: &Relation) -> bool {
        let eco = self.eco();
        let past = self.po.clone().or(&self.rf).or(&self.sync);
        hb.is_irreflexive()
            && eco.is_irreflexive()
            && hb.then(&eco).is_irreflexive()
            && past.is_acyclic()
    }
}
