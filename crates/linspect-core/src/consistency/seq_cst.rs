//! Whether the accesses and fences that are `seq_cst` can be ordered: `psc` of RC11 with C++20's `scb` has no cycle.
//!
//! In C++20 an access comes before another at its cell if eco leads from it to the other (*coherence-ordered before*, [atomics.order]), where RC11 asks for mo or fr: who reads an
//! old value comes before who reads the new one, whatever the ordering of the write between them.
//!
//! psc goes from one such event to another. Written out, with F for a fence and `hb?` for "is, or happens before":
//!
//! * access a → access b: a comes before b in program order, or directly after a something happens before what is directly before b, or both are at one cell and hb or eco leads from a to b;
//! * F → access b: hb? leads from F to what is directly before b, or hb from F to an access at b's cell from which hb or eco leads to b;
//! * access a → F: the same the other way round;
//! * F → G: hb leads from F to G, or from F to an access, from there eco to another, and from there hb to G.
//!
//! In a coherent graph an access at a cell has a place in modification order: that of its write, or of what it reads. eco is then a comparison of places.

use super::{Effect, Graph, Node};
use crate::execution::Ordering;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// An access to memory, and where it is in modification order.
pub(super) struct Placed {
    pub(super) index: usize,
    pub(super) cell: usize,
    writes: bool,
    /// Of its own write, from 1; of what it reads, and 0 for what was there at the start.
    pub(super) place: usize,
}

impl Placed {
    /// Whether eco leads from this to `other`, which is at the same cell.
    fn precedes(&self, other: &Self) -> bool {
        let is_read_by = self.writes && !other.writes && self.place == other.place;
        self.place < other.place || is_read_by
    }
}

/// No access at a cell has a place from here on.
const NOWHERE: usize = usize::MAX / 2;

/// The accesses at one cell that hb leads to from a fence, and from which hb leads to it.
#[derive(Clone, Copy)]
struct Around {
    /// The first place of those after it that write, and of those that only read.
    first_write: usize,
    first_read: usize,
    /// Behind the last place of those before it that write, and of those that only read; 0 if there are none.
    last_write: usize,
    last_read: usize,
}

const NOTHING: Around = Around {
    first_write: NOWHERE,
    first_read: NOWHERE,
    last_write: 0,
    last_read: 0,
};

impl Around {
    fn before(&mut self, access: &Placed) {
        let last = match access.writes {
            true => &mut self.last_write,
            false => &mut self.last_read,
        };
        *last = (*last).max(access.place + 1);
    }

    fn after(&mut self, access: &Placed) {
        let first = match access.writes {
            true => &mut self.first_write,
            false => &mut self.first_read,
        };
        *first = (*first).min(access.place);
    }

    /// Whether eco leads from an access after this fence to `access`.
    fn leads_to_access(&self, access: &Placed) -> bool {
        let first = self.first_write.min(self.first_read);
        first < access.place || !access.writes && self.first_write == access.place
    }

    /// Whether eco leads from `access` to one before this fence.
    fn comes_from_access(&self, access: &Placed) -> bool {
        let behind = access.place + 1;
        behind < self.last_write.max(self.last_read) || access.writes && behind == self.last_read
    }

    /// Whether eco leads from an access after this fence to one before the fence of `other`.
    fn leads_to(&self, other: &Self) -> bool {
        let first = self.first_write.min(self.first_read);
        // A read of a write comes after it, although both have its place.
        first + 1 < other.last_write.max(other.last_read) || self.first_write < other.last_read
    }
}

/// The events of a graph that are `seq_cst`, and what is known of their order whatever else happens before what.
pub(super) struct SeqCst<'g> {
    graph: &'g Graph,
    events: Vec<usize>,
    /// All accesses, `seq_cst` or not.
    accesses: Vec<Placed>,
    cells: usize,
    /// Per event, which access it is; none for a fence.
    access: Vec<Option<usize>>,
    /// Per event, where what comes after it begins and where what comes before it ends.
    starts: Vec<Option<usize>>,
    ends: Vec<Option<usize>>,
    /// The events of each thread, and of each cell.
    threads: Vec<Vec<usize>>,
    at: Vec<Vec<usize>>,
}

impl<'g> SeqCst<'g> {
    /// The events of `graph`, which must be coherent.
    pub(super) fn of(graph: &'g Graph) -> Self {
        let nodes = &graph.nodes;
        let events: Vec<usize> = (0..nodes.len())
            .filter(|&i| is_seq_cst(&nodes[i]))
            .collect();
        let mut seq_cst = Self {
            graph,
            events,
            accesses: Vec::new(),
            cells: 0,
            access: Vec::new(),
            starts: Vec::new(),
            ends: Vec::new(),
            threads: Vec::new(),
            at: Vec::new(),
        };
        if seq_cst.events.len() >= 2 {
            seq_cst.fill();
        }
        seq_cst
    }

    fn fill(&mut self) {
        let nodes = &self.graph.nodes;
        (self.accesses, self.cells) = placed(self.graph);
        self.at = vec![Vec::new(); self.cells];
        let neighbours = neighbours(self.graph);
        for (e, &event) in self.events.iter().enumerate() {
            let access = self.accesses.binary_search_by_key(&event, |a| a.index).ok();
            let (start, end) = match access {
                Some(access) => {
                    self.at[self.accesses[access].cell].push(e);
                    (neighbours[event].1, neighbours[event].0)
                }
                None => (Some(event), Some(event)),
            };
            self.access.push(access);
            self.starts.push(start);
            self.ends.push(end);
            let thread = usize::from(nodes[event].id.thread);
            if self.threads.len() <= thread {
                self.threads.resize(thread + 1, Vec::new());
            }
            self.threads[thread].push(e);
        }
    }

    fn access(&self, event: usize) -> Option<&Placed> {
        self.access[event].map(|access| &self.accesses[access])
    }

    /// Whether they can be ordered, given what happens before what.
    pub(super) fn is_ordered(&self, hb: impl Fn(usize, usize) -> bool) -> bool {
        if self.events.len() < 2 {
            return true;
        }
        let mut edges: Vec<SmallVec<[usize; 8]>> = vec![SmallVec::new(); self.events.len()];
        self.order_threads(&hb, &mut edges);
        for (a, later) in edges.iter_mut().enumerate() {
            let Some(x) = self.access(a) else { continue };
            let precedes = |b: usize| {
                let after = |y: &Placed| x.precedes(y) || hb(x.index, y.index);
                self.access(b).is_some_and(after)
            };
            let after = self.at[x.cell].iter().copied();
            later.extend(after.filter(|&b| precedes(b)));
        }
        self.order_fences(&hb, &mut edges);
        is_acyclic(&edges)
    }

    /// What comes later in program order, and what something later happens before: the first of each thread, whom the others of the thread follow.
    fn order_threads(
        &self,
        hb: &impl Fn(usize, usize) -> bool,
        edges: &mut [SmallVec<[usize; 8]>],
    ) {
        for (a, &from) in self.events.iter().enumerate() {
            let Some(start) = self.starts[a] else {
                continue;
            };
            let comes_after = |&b: &usize| {
                a != b && self.ends[b].is_some_and(|end| start == end || hb(start, end))
            };
            let own = usize::from(self.graph.nodes[from].id.thread);
            for (thread, others) in self.threads.iter().enumerate() {
                let first = match thread == own {
                    true => others.partition_point(|&b| b <= a),
                    false => others.partition_point(|b| !comes_after(b)),
                };
                edges[a].extend(others.get(first).copied());
            }
        }
    }

    fn order_fences(&self, hb: &impl Fn(usize, usize) -> bool, edges: &mut [SmallVec<[usize; 8]>]) {
        let events = 0..self.events.len();
        let fences: Vec<usize> = events
            .clone()
            .filter(|&e| self.access[e].is_none())
            .collect();
        let around: Vec<Vec<Around>> = fences
            .iter()
            .map(|&fence| {
                let fence = self.events[fence];
                let mut around = vec![NOTHING; self.cells];
                for access in &self.accesses {
                    if hb(fence, access.index) {
                        around[access.cell].after(access);
                    } else if hb(access.index, fence) {
                        around[access.cell].before(access);
                    }
                }
                around
            })
            .collect();
        for (&f, around_f) in fences.iter().zip(&around) {
            for (&g, around_g) in fences.iter().zip(&around) {
                if around_f.iter().zip(around_g).any(|(f, g)| f.leads_to(g)) {
                    edges[f].push(g);
                }
            }
            for e in events.clone() {
                let Some(y) = self.access(e) else { continue };
                let around = around_f[y.cell];
                let fence = self.events[f];
                let here = || self.accesses.iter().filter(|x| x.cell == y.cell);
                if around.leads_to_access(y)
                    || here().any(|x| hb(fence, x.index) && hb(x.index, y.index))
                {
                    edges[f].push(e);
                }
                if around.comes_from_access(y)
                    || here().any(|x| hb(y.index, x.index) && hb(x.index, fence))
                {
                    edges[e].push(f);
                }
            }
        }
    }
}

fn is_seq_cst(node: &Node) -> bool {
    node.ordering == Ordering::SeqCst && node.effect != Effect::None
}

/// Every access to memory with its place, and the number of cells.
pub(super) fn placed(graph: &Graph) -> (Vec<Placed>, usize) {
    let mut cells: FxHashMap<super::Cell, usize> = FxHashMap::default();
    let mut accesses = Vec::with_capacity(graph.nodes.len());
    for (index, node) in graph.nodes.iter().enumerate() {
        let written = graph.modification.get(&node.cell);
        let written = written.map_or(&[][..], Vec::as_slice);
        let place = match node.effect {
            Effect::Read(None) => Some(0),
            Effect::Read(Some(from)) => {
                let source = written.iter().position(|&w| graph.nodes[w].id == from);
                Some(source.map_or(0, |place| place + 1))
            }
            Effect::Write(_) | Effect::Update(_) => {
                let own = written.iter().position(|&w| w == index);
                own.map(|place| place + 1)
            }
            Effect::Fence | Effect::None => None,
        };
        if let Some(place) = place {
            let next = cells.len();
            accesses.push(Placed {
                index,
                cell: *cells.entry(node.cell).or_insert(next),
                writes: node.writes(),
                place,
            });
        }
    }
    (accesses, cells.len())
}

/// Per event, those directly before and after it in program order.
fn neighbours(graph: &Graph) -> Vec<(Option<usize>, Option<usize>)> {
    let mut neighbours = vec![(None, None); graph.nodes.len()];
    let mut last: Vec<Option<usize>> = Vec::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        let thread = usize::from(node.id.thread);
        if last.len() <= thread {
            last.resize(thread + 1, None);
        }
        if let Some(previous) = last[thread].replace(index) {
            neighbours[previous].1 = Some(index);
            neighbours[index].0 = Some(previous);
        }
    }
    neighbours
}

/// Whether these edges make no cycle: whatever nothing leads to is taken away, again and again.
fn is_acyclic(edges: &[SmallVec<[usize; 8]>]) -> bool {
    let mut leading = vec![0_usize; edges.len()];
    for &to in edges.iter().flatten() {
        leading[to] += 1;
    }
    let mut free: Vec<usize> = (0..edges.len()).filter(|&i| leading[i] == 0).collect();
    let mut taken = 0;
    while let Some(from) = free.pop() {
        taken += 1;
        for &to in &edges[from] {
            leading[to] -= 1;
            if leading[to] == 0 {
                free.push(to);
            }
        }
    }
    taken == edges.len()
}
