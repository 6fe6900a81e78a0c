//! Whether the accesses and fences that are `seq_cst` can be ordered: `psc` of RC11 with C++20's `scb` has no cycle.
//!
//! psc goes from one such event to another. Written out, with F for a fence and `hb?` for "is, or happens before":
//!
//! * access a → access b: a comes before b in program order, or directly after a something happens before what is directly before b, or both are at one cell and hb, mo or fr leads from a to b;
//! * F → access b: hb? leads from F to what is directly before b, or hb from F to an access at b's cell from which hb, mo or fr leads to b;
//! * access a → F: the same the other way round;
//! * F → G: hb leads from F to G, or from F to an access, from there eco to another, and from there hb to G.
//!
//! In a coherent graph an access at a cell has a place in modification order: that of its write, or of what it reads. mo, fr and eco are then comparisons of places.

use super::{Effect, Graph, Node};
use crate::execution::Ordering;
use rustc_hash::FxHashMap;

/// An access to memory, and where it is in modification order.
struct Placed {
    index: usize,
    cell: usize,
    writes: bool,
    /// Of its own write, from 1; of what it reads, and 0 for what was there at the start.
    place: usize,
}

impl Placed {
    /// Whether mo or fr leads from this to `other`, which is at the same cell.
    fn precedes(&self, other: &Self) -> bool {
        other.writes && self.place < other.place
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

    /// Whether eco leads from an access after this fence to one before the fence of `other`.
    fn leads_to(&self, other: &Self) -> bool {
        let first = self.first_write.min(self.first_read);
        // A read of a write comes after it, although both have its place.
        first + 1 < other.last_write.max(other.last_read) || self.first_write < other.last_read
    }
}

/// Whether the events of `graph`, which is coherent, that are `seq_cst` can be ordered, given what happens before what.
pub(super) fn is_ordered(graph: &Graph, hb: impl Fn(usize, usize) -> bool) -> bool {
    let nodes = &graph.nodes;
    let events: Vec<usize> = (0..nodes.len())
        .filter(|&i| is_seq_cst(&nodes[i]))
        .collect();
    if events.len() < 2 {
        return true;
    }
    let (accesses, cells) = placed(graph);
    let access_of = |&event: &usize| {
        let at = accesses.binary_search_by_key(&event, |a| a.index);
        at.ok().map(|at| &accesses[at])
    };
    let access: Vec<Option<&Placed>> = events.iter().map(access_of).collect();
    let fences: Vec<usize> = (0..events.len()).filter(|&e| access[e].is_none()).collect();
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); events.len()];

    // What comes later in program order comes after the first of its thread.
    let neighbours = neighbours(graph);
    let mut threads: Vec<Vec<usize>> = Vec::new();
    for (e, &event) in events.iter().enumerate() {
        let thread = usize::from(nodes[event].id.thread);
        if threads.len() <= thread {
            threads.resize(thread + 1, Vec::new());
        }
        threads[thread].push(e);
    }
    for (a, &from) in events.iter().enumerate() {
        let start = match access[a] {
            Some(_) => neighbours[from].1,
            None => Some(from),
        };
        let Some(start) = start else { continue };
        let comes_after = |&b: &usize| {
            let end = match access[b] {
                Some(_) => neighbours[events[b]].0,
                None => Some(events[b]),
            };
            a != b && end.is_some_and(|end| start == end || hb(start, end))
        };
        let own = usize::from(nodes[from].id.thread);
        for (thread, others) in threads.iter().enumerate() {
            let first = match thread == own {
                true => others.partition_point(|&b| b <= a),
                false => others.partition_point(|b| !comes_after(b)),
            };
            edges[a].extend(others.get(first));
        }
    }

    // Accesses at one cell.
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); cells];
    for (e, access) in access.iter().enumerate() {
        if let Some(access) = access {
            at[access.cell].push(e);
        }
    }
    for (a, x) in access.iter().enumerate() {
        let Some(x) = x else { continue };
        let after = at[x.cell]
            .iter()
            .filter(|&&b| access[b].is_some_and(|y| x.precedes(y) || hb(x.index, y.index)));
        edges[a].extend(after);
    }

    // Fences.
    let around: Vec<Vec<Around>> = fences
        .iter()
        .map(|&fence| {
            let mut around = vec![NOTHING; cells];
            for access in &accesses {
                if hb(events[fence], access.index) {
                    around[access.cell].after(access);
                } else if hb(access.index, events[fence]) {
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
        for (e, access) in access.iter().enumerate() {
            let Some(y) = access else { continue };
            let Around {
                first_write,
                first_read,
                last_write,
                ..
            } = around_f[y.cell];
            let fence = events[f];
            let here = || accesses.iter().filter(|x| x.cell == y.cell);
            if y.writes && first_write.min(first_read) < y.place
                || here().any(|x| hb(fence, x.index) && hb(x.index, y.index))
            {
                edges[f].push(e);
            }
            if y.place + 1 < last_write
                || here().any(|x| hb(y.index, x.index) && hb(x.index, fence))
            {
                edges[e].push(f);
            }
        }
    }
    is_acyclic(&edges)
}

fn is_seq_cst(node: &Node) -> bool {
    node.ordering == Ordering::SeqCst && node.effect != Effect::None
}

/// Every access to memory with its place, and the number of cells.
fn placed(graph: &Graph) -> (Vec<Placed>, usize) {
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
fn is_acyclic(edges: &[Vec<usize>]) -> bool {
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
