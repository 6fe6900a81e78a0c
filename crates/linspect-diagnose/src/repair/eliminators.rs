//! All optimal trace eliminators of one trace.
//!
//! A *trace eliminator* is a set of blocks (runs of events within one operation) such that no execution equivalent to the trace
//! keeps every block uninterrupted; it is *optimal* if no smaller one is an eliminator (Çirisci, Enea, Farzan and
//! Mutluergil, *Root Causing Linearizability Violations*, CAV 2020, Definitions 2 and 3).
//!
//! Blocks eliminate a trace iff they close a cycle of happens-before. A cycle enters each thread once, at `a`, and leaves it once, at `b`. Leaving at or
//! after the entry is free and may cross operations; leaving *before* the entry is only possible inside a block `[b, a]`.
//! With `nxt(e, u)` = the first event of thread `u` that happens after `e`:
//!
//! * one block `[b, a]` is optimal iff `a = nxt(b, t)`, same operation, and the next event after `b` reaches a later `a`;
//! * `k ≥ 2` blocks are optimal iff each link is *tight* (`a' = nxt(b, t')` and `b` is the last event with that value) and there is no
//!   *chord* (`b_i` happens before `a_j` only for the next block `j`).
//!
//! Deviations: the paper excludes leaving at the very event of entry, which misses eliminators, and filters by subsumption at the end; the rules
//! above produce optimal sets only, so nothing is filtered. Cost: O(n·T²) plus the output, which can be exponential in the number of threads.

use crate::trace::{ConflictTrace, EventIndex};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A run of events of one operation that would have to be uninterrupted: first and last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Segment {
    /// Its first event.
    pub first: EventIndex,
    /// Its last event.
    pub last: EventIndex,
}

/// The blocks of one eliminator, at most one per thread, in thread order.
pub type Eliminator = SmallVec<[Segment; 2]>;

/// The optimal eliminators of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Eliminators {
    /// Those of one block first.
    pub found: Vec<Eliminator>,
    /// Whether the limit cut the list short.
    pub cut: bool,
}

/// Finds the optimal eliminators of `trace`, at most `limit`.
///
/// `real_time` holds extra happens-before edges (earlier event, later event): the real-time order that makes the history wrong, for
/// traces that have correct equivalents.
pub fn eliminators(
    trace: &ConflictTrace,
    real_time: &[(EventIndex, EventIndex)],
    limit: usize,
) -> Eliminators {
    let order = FirstReachable::of(trace, real_time);
    let mut cycles = Cycles {
        links: order.links(),
        order: &order,
        blocks: Vec::new(),
        found: order.single_blocks(),
        limit,
    };
    for start in 0..order.threads.len() {
        cycles.close_from(start);
    }
    let cut = cycles.found.len() > limit;
    let mut found = cycles.found;
    found.truncate(limit);
    Eliminators { found, cut }
}

/// A position among the events of one thread.
type Position = usize;

/// Happens-before as first reachable positions.
struct FirstReachable {
    /// The events of each thread.
    threads: Vec<Vec<EventIndex>>,
    /// Per thread and position: the first position of every thread that happens after it; the thread's length if none does.
    /// For the own thread: reached through another thread.
    next: Vec<Vec<Vec<Position>>>,
    /// Per thread and position: first and last position of the operation it belongs to.
    operation: Vec<Vec<(Position, Position)>>,
}

impl FirstReachable {
    fn of(trace: &ConflictTrace, real_time: &[(EventIndex, EventIndex)]) -> Self {
        let mut number = FxHashMap::default();
        let mut threads: Vec<Vec<EventIndex>> = Vec::new();
        let mut place = Vec::with_capacity(trace.events.len());
        for (id, event) in trace.events.iter().enumerate() {
            let thread = *number.entry(event.thread).or_insert_with(|| {
                threads.push(Vec::new());
                threads.len() - 1
            });
            place.push((thread, threads[thread].len()));
            threads[thread].push(id);
        }
        let next = first_reachable(trace, &threads, &place, real_time);
        let operation = threads
            .iter()
            .map(|events| operation_bounds(trace, events))
            .collect();
        Self {
            threads,
            next,
            operation,
        }
    }

    /// The first position of thread `to` that happens after position `at` of `from`, if there is one.
    fn reaches(&self, from: usize, at: Position, to: usize) -> Position {
        self.next[from][at][to]
    }

    fn segment(&self, thread: usize, first: Position, last: Position) -> Segment {
        Segment {
            first: self.threads[thread][first],
            last: self.threads[thread][last],
        }
    }

    fn single_blocks(&self) -> Vec<Eliminator> {
        let mut found = Vec::new();
        for (thread, events) in self.threads.iter().enumerate() {
            for b in 0..events.len() {
                let a = self.reaches(thread, b, thread);
                let tight = b + 1 == events.len() || self.reaches(thread, b + 1, thread) > a;
                if a <= self.operation[thread][b].1 && tight {
                    found.push(SmallVec::from_slice(&[self.segment(thread, b, a)]));
                }
            }
        }
        found
    }

    /// Tight links: `links[t][u]` holds (b, a) with `a = nxt(b, u)` and b the last event of t with that value.
    fn links(&self) -> Vec<Vec<Vec<(Position, Position)>>> {
        let count = self.threads.len();
        let link = |from: usize, to: usize| {
            let length = self.threads[from].len();
            (0..length)
                .filter(|_| from != to)
                .map(|b| (b, self.reaches(from, b, to)))
                .filter(|&(b, a)| {
                    a < self.threads[to].len()
                        && (b + 1 == length || self.reaches(from, b + 1, to) != a)
                })
                .collect()
        };
        (0..count)
            .map(|from| (0..count).map(|to| link(from, to)).collect())
            .collect()
    }
}

/// Scans from the last event to the first, joining what is reachable from every later conflicting event.
fn first_reachable(
    trace: &ConflictTrace,
    threads: &[Vec<EventIndex>],
    place: &[(usize, Position)],
    real_time: &[(EventIndex, EventIndex)],
) -> Vec<Vec<Vec<Position>>> {
    let lengths: Vec<Position> = threads.iter().map(Vec::len).collect();
    let mut next: Vec<Vec<Vec<Position>>> = lengths.iter().map(|&n| vec![Vec::new(); n]).collect();
    let mut extra: FxHashMap<EventIndex, Vec<EventIndex>> = FxHashMap::default();
    for &(from, to) in real_time {
        extra.entry(from).or_default().push(to);
    }
    // Per cell, per thread: the earliest later read and write.
    let mut reads: FxHashMap<u32, Vec<Option<EventIndex>>> = FxHashMap::default();
    let mut writes = reads.clone();
    for id in (0..trace.events.len()).rev() {
        let event = &trace.events[id];
        let (thread, at) = place[id];
        let mut reach = match next[thread].get(at + 1) {
            Some(after) => after.clone(),
            None => lengths.clone(),
        };
        let from_writes = event
            .writes
            .iter()
            .flat_map(|c| [reads.get(c), writes.get(c)]);
        let from_reads = event.reads.iter().map(|c| writes.get(c));
        let conflicting = from_writes.chain(from_reads).flatten().flatten().flatten();
        for &later in conflicting.chain(extra.get(&id).into_iter().flatten()) {
            let (other, position) = place[later];
            if other == thread {
                continue;
            }
            for (mine, theirs) in reach.iter_mut().zip(&next[other][position]) {
                *mine = (*mine).min(*theirs);
            }
            reach[other] = reach[other].min(position);
        }
        next[thread][at] = reach;
        for (cells, last) in [(&event.reads, &mut reads), (&event.writes, &mut writes)] {
            for &cell in cells {
                last.entry(cell)
                    .or_insert_with(|| vec![None; threads.len()])[thread] = Some(id);
            }
        }
    }
    next
}

fn operation_bounds(trace: &ConflictTrace, events: &[EventIndex]) -> Vec<(Position, Position)> {
    let operation = |at: Position| trace.events[events[at]].operation;
    let mut bounds = Vec::with_capacity(events.len());
    let mut first = 0;
    while first < events.len() {
        let last = (first..events.len())
            .take_while(|&at| operation(at) == operation(first))
            .last()
            .unwrap_or(first);
        bounds.extend((first..=last).map(|_| (first, last)));
        first = last + 1;
    }
    bounds
}

/// A block of a cycle being built: entered at `a` (unknown for the first until the cycle closes), left at `b`.
#[derive(Clone, Copy)]
struct Block {
    thread: usize,
    a: Option<Position>,
    b: Position,
}

/// Depth-first search for cycles of two and more blocks.
struct Cycles<'a> {
    order: &'a FirstReachable,
    links: Vec<Vec<Vec<(Position, Position)>>>,
    blocks: Vec<Block>,
    found: Vec<Eliminator>,
    limit: usize,
}

impl Cycles<'_> {
    /// Finds the cycles whose smallest thread is `start`.
    fn close_from(&mut self, start: usize) {
        for to in start + 1..self.order.threads.len() {
            for at in 0..self.links[start][to].len() {
                let (b, a) = self.links[start][to][at];
                self.blocks.push(Block {
                    thread: start,
                    a: None,
                    b,
                });
                self.extend(to, a);
                self.blocks.pop();
            }
        }
    }

    /// The cycle has entered `thread` at `a`: leaves it before `a`, within the operation.
    fn extend(&mut self, thread: usize, a: Position) {
        let start = self.blocks[0].thread;
        let operation = self.order.operation[thread][a].0;
        for to in start..self.order.threads.len() {
            let visited = to != start && self.blocks.iter().any(|block| block.thread == to);
            if visited || to == thread {
                continue;
            }
            let links = &self.links[thread][to];
            let range =
                links.partition_point(|l| l.0 < operation)..links.partition_point(|l| l.0 < a);
            for at in range {
                // One more than the limit: that tells that the list was cut.
                if self.found.len() > self.limit {
                    return;
                }
                let (b, entry) = self.links[thread][to][at];
                if self.has_chord(thread, a, b, to) {
                    continue;
                }
                self.blocks.push(Block {
                    thread,
                    a: Some(a),
                    b,
                });
                if to == start {
                    self.close(entry);
                } else if !self.is_entered_early(to, entry) {
                    self.extend(to, entry);
                }
                self.blocks.pop();
            }
        }
    }

    /// Whether the block `[b, a]` of `thread` is shortcut, by itself or from `b` to an earlier block other than `to`.
    fn has_chord(&self, thread: usize, a: Position, b: Position, to: usize) -> bool {
        let reaches = |to, at| self.order.reaches(thread, b, to) <= at;
        reaches(thread, a)
            || self.blocks.iter().any(|block| {
                block.thread != to && block.a.is_some_and(|a| reaches(block.thread, a))
            })
    }

    /// Whether a block other than the last already reaches position `a` of thread `to`.
    fn is_entered_early(&self, to: usize, a: Position) -> bool {
        let earlier = &self.blocks[..self.blocks.len() - 1];
        earlier
            .iter()
            .any(|block| self.order.reaches(block.thread, block.b, to) <= a)
    }

    /// The cycle came back to its first thread at `a`: keeps it if that makes a block without a chord.
    fn close(&mut self, a: Position) {
        let order = self.order;
        let Block {
            thread: start, b, ..
        } = self.blocks[0];
        let is_block = b < a && a <= order.operation[start][b].1;
        if !is_block || order.reaches(start, b, start) <= a {
            return;
        }
        let inner = &self.blocks[1..self.blocks.len() - 1];
        if inner
            .iter()
            .any(|block| order.reaches(block.thread, block.b, start) <= a)
        {
            return;
        }
        let mut found: Eliminator = self
            .blocks
            .iter()
            .map(|block| order.segment(block.thread, block.b, block.a.unwrap_or(a)))
            .collect();
        found.sort_unstable();
        self.found.push(found);
    }
}
