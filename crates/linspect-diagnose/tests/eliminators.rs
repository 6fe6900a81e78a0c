//! Optimal eliminators against Definition 3 of *Root Causing Linearizability Violations*, by brute force.

use linspect_diagnose::repair::eliminators::eliminators;
use linspect_diagnose::trace::{ConflictEvent, ConflictTrace, EventIndex};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::{BTreeSet, HashSet};

/// A set of joins between neighbouring events of one operation, as bits.
type Joins = u32;

/// The definition, spelled out: which sets of joins rule out every equivalent execution.
struct Oracle<'a> {
    trace: &'a ConflictTrace,
    threads: Vec<Vec<EventIndex>>,
    /// `joins[e]` = the bit that glues event e to its successor, where both are in one operation.
    joins: Vec<Option<u32>>,
    /// Who must have happened before each event, as bits.
    before: Vec<u64>,
}

impl<'a> Oracle<'a> {
    fn new(trace: &'a ConflictTrace, real_time: &[(EventIndex, EventIndex)]) -> Self {
        let events = &trace.events;
        let ids: BTreeSet<_> = events.iter().map(|e| e.thread).collect();
        let threads: Vec<Vec<EventIndex>> = ids
            .iter()
            .map(|&t| {
                (0..events.len())
                    .filter(|&i| events[i].thread == t)
                    .collect()
            })
            .collect();
        let mut joins = vec![None; events.len()];
        let mut before = vec![0u64; events.len()];
        let mut count = 0;
        for thread in &threads {
            for pair in thread.windows(2) {
                before[pair[1]] |= 1 << pair[0];
                if events[pair[0]].operation == events[pair[1]].operation {
                    joins[pair[0]] = Some(count);
                    count += 1;
                }
            }
        }
        for (j, pasts) in before.iter_mut().enumerate() {
            for i in 0..j {
                if events[i].conflicts(&events[j]) {
                    *pasts |= 1 << i;
                }
            }
        }
        for &(i, j) in real_time {
            before[j] |= 1 << i;
        }
        Self {
            trace,
            threads,
            joins,
            before,
        }
    }

    fn bits(&self) -> u32 {
        self.joins
            .iter()
            .flatten()
            .count()
            .try_into()
            .expect("few joins")
    }

    /// Whether some equivalent execution keeps the glued events together.
    fn allows(&self, glued: Joins) -> bool {
        let mut seen = HashSet::new();
        self.run(glued, &vec![0; self.threads.len()], None, 0, &mut seen)
    }

    fn run(
        &self,
        glued: Joins,
        at: &[usize],
        inside: Option<usize>,
        done: u64,
        seen: &mut HashSet<Vec<usize>>,
    ) -> bool {
        if done.count_ones() as usize == self.trace.events.len() {
            return true;
        }
        if !seen.insert(at.to_vec()) {
            return false;
        }
        (0..self.threads.len()).any(|t| {
            let Some(&event) = self.threads[t].get(at[t]) else {
                return false;
            };
            if inside.is_some_and(|only| only != t) || self.before[event] & !done != 0 {
                return false;
            }
            let mut next = at.to_vec();
            next[t] += 1;
            let stays = self.joins[event].is_some_and(|bit| glued >> bit & 1 == 1);
            self.run(glued, &next, stays.then_some(t), done | 1 << event, seen)
        })
    }

    fn optimal(&self) -> BTreeSet<Joins> {
        let mut candidates: Vec<Joins> = (0..1u32 << self.bits()).collect();
        candidates.sort_by_key(|m| m.count_ones());
        let mut optimal: Vec<Joins> = Vec::new();
        for m in candidates {
            let subsumed = optimal.iter().any(|&smaller| smaller & !m == 0);
            if !subsumed && !self.allows(m) {
                optimal.push(m);
            }
        }
        optimal.into_iter().collect()
    }

    fn joins_of(
        &self,
        trace: &ConflictTrace,
        eliminator: &[linspect_diagnose::repair::eliminators::Segment],
    ) -> Joins {
        let mut mask = 0;
        for s in eliminator {
            let thread = trace.events[s.first].thread;
            let inside = (s.first..s.last).filter(|&e| trace.events[e].thread == thread);
            for e in inside {
                mask |= 1 << self.joins[e].expect("a block stays inside one operation");
            }
        }
        mask
    }
}

fn small_trace() -> impl Strategy<Value = ConflictTrace> {
    let access = (0u32..3, 0u8..100);
    let operation = prop::collection::vec(access, 1..=5);
    let thread = prop::collection::vec(operation, 1..=2);
    (
        prop::collection::vec(thread, 2..=3),
        prop::collection::vec(any::<u32>(), 12),
    )
        .prop_map(|(threads, order)| {
            let mut queues: Vec<Vec<ConflictEvent>> = Vec::new();
            let mut number = 0;
            for (t, operations) in threads.into_iter().enumerate() {
                let mut events = Vec::new();
                for operation in operations {
                    for (cell, kind) in operation {
                        let (mut reads, mut writes) = (Default::default(), Default::default());
                        let side: &mut smallvec::SmallVec<[u32; 2]> =
                            if kind < 50 { &mut reads } else { &mut writes };
                        side.push(cell);
                        if kind > 90 {
                            writes.push(cell + 3); // an event over two cells, as a double-word compare-exchange is
                        }
                        events.push(ConflictEvent {
                            thread: t as u16,
                            operation: number,
                            reads,
                            writes,
                        });
                    }
                    number += 1;
                }
                queues.push(events);
            }
            // Cut to what brute force can bear, then interleave.
            while queues.iter().map(Vec::len).sum::<usize>() > 11 {
                let longest = (0..queues.len())
                    .max_by_key(|&q| queues[q].len())
                    .expect("there are threads");
                queues[longest].pop();
            }
            let mut events = Vec::new();
            let mut draws = order.iter();
            while queues.iter().any(|q| !q.is_empty()) {
                let live: Vec<usize> = (0..queues.len())
                    .filter(|&q| !queues[q].is_empty())
                    .collect();
                let draw = *draws.next().unwrap_or(&0) as usize;
                events.push(queues[live[draw % live.len()]].remove(0));
            }
            ConflictTrace { events }
        })
}

/// Real-time edges between whole operations that the trace respects: last event of one → first event of the other.
fn real_time_edges(trace: &ConflictTrace, draw: u64) -> Vec<(EventIndex, EventIndex)> {
    let operations: BTreeSet<u32> = trace.events.iter().map(|e| e.operation).collect();
    let bounds = |op: u32| {
        let ids = || (0..trace.events.len()).filter(|&i| trace.events[i].operation == op);
        (
            ids().next().expect("not empty"),
            ids().next_back().expect("not empty"),
        )
    };
    let mut edges = Vec::new();
    for (i, &x) in operations.iter().enumerate() {
        for (j, &y) in operations.iter().enumerate() {
            let (_, end) = bounds(x);
            let (start, _) = bounds(y);
            if end < start && draw >> ((i * 7 + j) % 64) & 1 == 1 {
                edges.push((end, start));
            }
        }
    }
    edges
}

#[test]
fn optimal_eliminators_are_those_of_the_definition() {
    let cases = if std::env::var_os("LINSPECT_LONG").is_some() {
        20_000
    } else {
        5_000
    };
    let mut runner = TestRunner::new_with_rng(
        Config {
            cases,
            failure_persistence: None,
            ..Config::default()
        },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let found = std::cell::Cell::new([0u32; 4]);
    runner
        .run(
            &(small_trace(), any::<u64>(), any::<bool>()),
            |(trace, draw, with_real_time)| {
                let edges = if with_real_time {
                    real_time_edges(&trace, draw)
                } else {
                    Vec::new()
                };
                let oracle = Oracle::new(&trace, &edges);
                let fast = eliminators(&trace, &edges, usize::MAX - 1);
                let masks: Vec<Joins> = fast
                    .found
                    .iter()
                    .map(|e| oracle.joins_of(&trace, e))
                    .collect();
                let set: BTreeSet<Joins> = masks.iter().copied().collect();
                prop_assert_eq!(set.len(), masks.len(), "an eliminator was found twice");
                prop_assert_eq!(&set, &oracle.optimal());
                let mut counts = found.get();
                for e in &fast.found {
                    counts[e.len().min(3)] += 1;
                }
                found.set(counts);
                Ok(())
            },
        )
        .expect("the algorithm agrees with the definition");
    let [_, one, two, three] = found.get();
    assert!(
        one > 1000 && two > 100 && three > 0,
        "vacuous: {one} {two} {three}"
    );
}

fn event(thread: u16, operation: u32, reads: &[u32], writes: &[u32]) -> ConflictEvent {
    ConflictEvent {
        thread,
        operation,
        reads: reads.iter().copied().collect(),
        writes: writes.iter().copied().collect(),
    }
}

/// Figure 2 of the paper: the stack of Afek et al., two pushes and two pops that return the same value.
#[test]
fn the_stack_of_figure_2_has_two_repairs() {
    const RANGE: u32 = 0;
    const ITEM: [u32; 2] = [1, 2];
    let trace = ConflictTrace {
        events: vec![
            event(2, 1, &[], &[RANGE]),   // 0  T2 push(b): fetch-and-increment
            event(2, 1, &[], &[ITEM[0]]), // 1              store
            event(1, 0, &[], &[RANGE]),   // 2  T1 push(a): fetch-and-increment
            event(3, 3, &[RANGE], &[]),   // 3  T3 pop: range
            event(3, 3, &[ITEM[1]], &[]), // 4          read null
            event(3, 3, &[], &[ITEM[1]]), // 5          null
            event(2, 2, &[RANGE], &[]),   // 6  T2 pop: range
            event(2, 2, &[ITEM[1]], &[]), // 7          read null
            event(2, 2, &[], &[ITEM[1]]), // 8          null
            event(2, 2, &[ITEM[0]], &[]), // 9  T2 pop: read b
            event(3, 3, &[ITEM[0]], &[]), // 10 T3 pop: read b
            event(2, 2, &[], &[ITEM[0]]), // 11 T2 pop: null
            event(3, 3, &[], &[ITEM[0]]), // 12 T3 pop: null
            event(1, 0, &[], &[ITEM[1]]), // 13 T1 push(a): store
        ],
    };
    let found = eliminators(&trace, &[], 1000);
    let blocks: Vec<Vec<(EventIndex, EventIndex)>> = found
        .found
        .iter()
        .map(|e| e.iter().map(|s| (s.first, s.last)).collect())
        .collect();
    // The two statements of push, and reading and clearing an item in pop.
    assert_eq!(blocks, [[(2, 13)], [(10, 12)]]);
}

#[test]
fn the_limit_is_said() {
    let trace = ConflictTrace {
        events: (0..40)
            .map(|i| event(i % 2, u32::from(i % 2), &[], &[0]))
            .collect(),
    };
    let all = eliminators(&trace, &[], 1000);
    assert!(!all.cut && all.found.len() > 5);
    let some = eliminators(&trace, &[], 5);
    assert!(some.cut && some.found[..] == all.found[..5]);
}
