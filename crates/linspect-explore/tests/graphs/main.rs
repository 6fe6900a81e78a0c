//! The walk over execution graphs shows every graph once: compared with axioms written a second time, with the counts of the literature, and with the walk over schedules.

mod axioms;
mod hand_over;
mod litmus;
mod objects;
mod schedules;

use axioms::{Key, Op, Order, Seen, Threads};
use linspect_core::client::{Client, Invocation};
use linspect_core::consistency;
use linspect_core::execution::{Action, End, MemoryModel, Step};
use linspect_core::machine::Subject;
use linspect_core::random::Random;
use linspect_core::value::Value;
use linspect_explore::strategies::Walk;
use linspect_explore::strategies::graph::{self, graphs};
use linspect_explore::strategies::naive::{self, Cache, naive};
use linspect_toy::{Flaw, Program, ToyMachine};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::ControlFlow;

/// A tenth of the programs unless all are asked for.
pub(crate) fn count(all: u64) -> u64 {
    if std::env::var_os("LINSPECT_LONG").is_some() {
        all
    } else {
        all / 10
    }
}

/// The threads as a toy program, an operation each.
fn program(threads: &Threads) -> (Program, Client) {
    let mut text = String::from("global x = 0\nglobal y = 0\n");
    for (t, ops) in threads.iter().enumerate() {
        writeln!(text, "op t{t}\nr = set 0").expect("a string");
        for (i, op) in ops.iter().enumerate() {
            let cell = |l: usize| if l == 0 { "x" } else { "y" };
            match *op {
                Op::Read(l, o) => writeln!(text, "r = read.{} {}", o.word(), cell(l)),
                Op::Write(l, v, o) => writeln!(text, "write.{} {} {v}", o.word(), cell(l)),
                Op::Swap(l, v, o) => writeln!(text, "r = swap.{} {} {v}", o.word(), cell(l)),
                Op::Cas(l, e, n, o, f) => writeln!(
                    text,
                    "ok r = cas.{}.{} {} {e} {n}",
                    o.word(),
                    f.word(),
                    cell(l)
                ),
                Op::Fence(o) => writeln!(text, "fence {}", o.word()),
                Op::SkipIfZero => writeln!(text, "if r==0 goto l{}", i + 2),
            }
            .expect("a string");
            writeln!(text, "l{}:", i + 1).expect("a string");
        }
        writeln!(text, "l{}:\nreturn r", ops.len() + 1).expect("a string");
    }
    let mut program = Program::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    program.memory = MemoryModel::C20;
    (program, client(threads.len()))
}

/// Each operation in a thread of its own.
pub(crate) fn client(threads: usize) -> Client {
    let call = |operation| {
        vec![Invocation {
            operation: operation as u16,
            argument: Value::Unit,
        }]
    };
    Client {
        threads: (0..threads).map(call).collect(),
        ..Client::default()
    }
}

/// The graph of a run, told by its steps alone.
pub(crate) fn key<'s>(steps: impl Iterator<Item = &'s Step>, threads: usize) -> Key {
    let mut seen: Vec<Vec<Seen>> = vec![Vec::new(); threads];
    let mut orders: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for step in steps {
        let thread = usize::from(step.choice.thread);
        let id = (thread, seen[thread].len());
        let Some(access) = step.accesses.first() else {
            continue;
        };
        let location = access.location.offset as usize - 1;
        let of = |e: linspect_core::execution::EventId| (usize::from(e.thread), e.step as usize);
        let reads = access.action != Action::Write;
        let writes = access.action.writes();
        seen[thread].push((
            location,
            reads.then_some(access.read as i64),
            writes.then_some(access.written as i64),
            access.from.filter(|_| reads).map(of),
        ));
        if writes {
            let order = orders.entry(location).or_default();
            let before = access.after.map(of);
            let place = before.and_then(|b| order.iter().position(|w| *w == b));
            order.insert(place.map_or(0, |p| p + 1), id);
        }
    }
    (seen, orders.into_iter().collect())
}

/// What the walk finds; every graph must be new, and every run must replay.
fn walked(machine: &mut ToyMachine, model: MemoryModel, threads: usize) -> (BTreeSet<Key>, Walk) {
    let mut keys = BTreeSet::new();
    let walk = graphs(machine, &graph::Options::of(model), &mut |leaf| {
        assert_eq!(*leaf.end, End::Complete);
        assert!(keys.insert(key(leaf.trace.steps(), threads)), "twice");
        ControlFlow::Continue(())
    });
    (keys, walk)
}

/// What the machine does in any way at all, if seq_cst can be ordered.
fn run_in_all_ways(machine: &mut ToyMachine, threads: usize, ask_psc: bool) -> BTreeSet<Key> {
    let options = naive::Options {
        cache: Cache::Classes,
        ..naive::Options::default()
    };
    let mut keys = BTreeSet::new();
    naive(machine, options, &mut |leaf| {
        if !ask_psc || consistency::Graph::of(leaf.trace.steps()).orders_seq_cst() {
            keys.insert(key(leaf.trace.steps(), threads));
        }
        ControlFlow::Continue(())
    });
    keys
}

fn random_threads(rng: &mut Random) -> Threads {
    let threads = 2 + rng.below(2);
    let mut left = 7_usize;
    let mut all = Threads::new();
    for _ in 0..threads {
        let mut ops = Vec::new();
        for _ in 0..(1 + rng.below(3)).min(left.max(1)) {
            left = left.saturating_sub(1);
            let plain = if rng.below(6) == 0 { 5 } else { 4 };
            let location = rng.below(2);
            let load = [Order::Rlx, Order::Acq, Order::Sc, Order::Rlx, Order::Na][rng.below(plain)];
            let store =
                [Order::Rlx, Order::Rel, Order::Sc, Order::Rlx, Order::Na][rng.below(plain)];
            let update = [Order::Rlx, Order::Acq, Order::Rel, Order::Ar, Order::Sc][rng.below(5)];
            let fence = [Order::Acq, Order::Rel, Order::Ar, Order::Sc, Order::Sc][rng.below(5)];
            let value = 1 + rng.below(2) as i64;
            match rng.below(12) {
                0..4 => ops.push(Op::Read(location, load)),
                4..8 => ops.push(Op::Write(location, value, store)),
                8 => ops.push(Op::Swap(location, value, update)),
                9 => {
                    let failure = [Order::Rlx, Order::Acq][rng.below(2)];
                    ops.push(Op::Cas(
                        location,
                        rng.below(2) as i64,
                        value,
                        update,
                        failure,
                    ));
                }
                10 => ops.push(Op::Fence(fence)),
                _ => {
                    left = left.saturating_sub(1);
                    ops.push(Op::Read(location, load));
                    ops.push(Op::SkipIfZero);
                    ops.push(Op::Write(location, value, store));
                }
            }
        }
        all.push(ops);
    }
    all
}

fn threads_of(seed: u64) -> Threads {
    random_threads(&mut Random::new(seed))
}

#[track_caller]
fn same(found: &BTreeSet<Key>, expected: &BTreeSet<Key>, context: &str) {
    if found != expected {
        let missing: Vec<_> = expected.difference(found).collect();
        let extra: Vec<_> = found.difference(expected).collect();
        panic!("{context}\nmissing {missing:#?}\nextra {extra:#?}");
    }
}

#[test]
fn every_graph_of_random_programs_once() {
    let mut all = 0;
    for seed in 0..count(4_000) {
        let threads = threads_of(seed);
        let (program, client) = program(&threads);
        for model in [MemoryModel::C20, MemoryModel::Sc] {
            let mut machine = program.start(&client).expect("it starts");
            let expected = axioms::executions(&threads, &[0, 1, 2], model == MemoryModel::C20);
            let (found, walk) = walked(&mut machine, model, threads.len());
            let context = format!("seed {seed} {model:?} {walk:?}\n{threads:#?}");
            same(&found, &expected, &context);
            assert_eq!(walk.redundant, 0, "{context}");
            all += found.len();
        }
    }
    assert!(all > 5_000, "{all}");
}

/// The machine by itself, in every interleaving and every way.
#[test]
fn the_machine_runs_what_the_axioms_allow() {
    for seed in 0..count(1_000) {
        let threads = threads_of(seed);
        let (program, client) = program(&threads);
        let mut machine = program.start(&client).expect("it starts");
        let expected = axioms::executions(&threads, &[0, 1, 2], true);
        let found = run_in_all_ways(&mut machine, threads.len(), true);
        same(&found, &expected, &format!("seed {seed}\n{threads:#?}"));
    }
}

/// Whoever leaves out a rule is caught by the comparison with the axioms.
#[test]
fn a_rule_that_is_missing_shows() {
    use Op::{Fence, Read, Swap, Write};
    use Order::{Acq, Rel, Rlx, Sc};
    let fences = vec![
        vec![Write(0, 1, Rlx), Fence(Rel), Write(1, 1, Rlx)],
        vec![Read(1, Acq), Read(0, Rlx)],
    ];
    let sequence = vec![
        vec![Write(0, 1, Rlx), Write(1, 1, Rel)],
        vec![Swap(1, 2, Rlx)],
        vec![Read(1, Acq), Read(0, Rlx)],
    ];
    let places = vec![
        vec![Write(0, 1, Rlx), Write(1, 2, Rlx)],
        vec![Write(1, 1, Rlx), Write(0, 2, Rlx)],
    ];
    let buffers = vec![
        vec![Write(0, 1, Sc), Read(1, Sc)],
        vec![Write(1, 1, Sc), Read(0, Sc)],
    ];
    let all = [
        (fences, Some(Flaw::NoReleaseFence)),
        (sequence, Some(Flaw::NoReleaseSequence)),
        (places, Some(Flaw::AppendOnly)),
        (buffers, None),
    ];
    for (threads, flaw) in all {
        let (program, client) = program(&threads);
        let start = || program.start(&client).expect("it starts");
        let expected = axioms::executions(&threads, &[0, 1, 2], true);
        let found = walked(&mut start(), MemoryModel::C20, threads.len()).0;
        same(&found, &expected, &format!("{threads:?}"));
        let flawed = match flaw {
            Some(flaw) => {
                walked(
                    &mut start().with_flaw(flaw),
                    MemoryModel::C20,
                    threads.len(),
                )
                .0
            }
            // Without psc.
            None => run_in_all_ways(&mut start(), threads.len(), false),
        };
        assert_ne!(flawed, expected, "{flaw:?}");
    }
}
