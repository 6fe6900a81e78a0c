//! Cutting attempts that change nothing loses nothing: compared with every schedule, one by one, of random objects with retry loops.

use linspect_core::client::Client;
use linspect_core::execution::{Action, End, Location};
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_core::random::Random;
use linspect_core::unwritten::Unwritten;
use linspect_explore::class;
use linspect_explore::strategies::exhaustive::{self, exhaustive};
use linspect_explore::strategies::naive::{self, Cache, naive};
use linspect_explore::strategies::{Leaf, Walk};
use linspect_explore::tight::{Outcomes, ReturnedBefore, Tight};
use linspect_toy::random::{self, Shape};
use linspect_toy::{Flaw, Program, ToyMachine, objects};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A tenth of the programs unless all are asked for.
fn count(all: u64) -> u64 {
    if std::env::var_os("LINSPECT_LONG").is_some() {
        all
    } else {
        all / 10
    }
}

/// What can be seen of a run besides real time: how it ended, what each operation returned and what the suffix did.
type Results = (String, Outcomes, String);
type Histories = BTreeMap<Results, BTreeSet<ReturnedBefore>>;

fn add(histories: &mut Histories, tight: &Tight, leaf: &Leaf<'_>) {
    let end = match leaf.end {
        End::Fault => {
            let last = leaf.trace.steps().last();
            format!("{:?}", last.and_then(|s| s.fault.as_ref()))
        }
        other => format!("{other:?}"),
    };
    let (results, order) = tight.parts();
    histories
        .entry((end, results, format!("{:?}", leaf.after)))
        .or_default()
        .insert(order);
}

/// What is read and what is written in any run.
#[derive(Default)]
struct Accessed {
    read: BTreeSet<Location>,
    written: BTreeSet<Location>,
}

impl Accessed {
    fn note(&mut self, leaf: &Leaf<'_>) {
        for access in leaf.trace.steps().flat_map(|step| &step.accesses) {
            match access.action {
                Action::Read => self.read.insert(access.location),
                action => action.writes() && self.written.insert(access.location),
            };
        }
    }
}

/// What the reduction finds when retries are cut, and what was read and written in all of its runs.
fn cut(machine: &mut ToyMachine) -> (Histories, Walk, Accessed) {
    let mut histories = Histories::new();
    let mut accessed = Accessed::default();
    machine.set_retries(Retries::Park);
    let walk = exhaustive(machine, &exhaustive::Options::default(), &mut |leaf| {
        accessed.note(leaf);
        if *leaf.end != End::Covered {
            class::histories(leaf.trace, &mut |tight| add(&mut histories, &tight, leaf));
        }
        ControlFlow::Continue(())
    });
    machine.set_retries(Retries::Wake);
    (histories, walk, accessed)
}

/// What walking all schedules finds.
fn all(machine: &mut ToyMachine) -> Histories {
    let mut histories = Histories::new();
    let options = naive::Options {
        cache: Cache::Histories,
        ..naive::Options::default()
    };
    naive(machine, options, &mut |leaf| {
        add(&mut histories, &Tight::of(leaf.trace), leaf);
        ControlFlow::Continue(())
    });
    histories
}

/// Whether every operation of `order` was called after at least as much in `stronger`.
fn dominates(stronger: &ReturnedBefore, order: &ReturnedBefore) -> bool {
    order.iter().all(|(operation, before)| {
        stronger
            .get(operation)
            .is_some_and(|more| more.is_superset(before))
    })
}

/// What is wrong with the cut walk of a client, if anything: it invents nothing, and every history of the full walk is one of the cut walk with the same
/// results, faults and waiting threads, in which at least as much is ordered.
fn difference(program: &Program, client: &Client, flaw: Option<Flaw>) -> Option<String> {
    let mut machine = program.start(client).expect("it starts");
    let start = machine.snapshot();
    let full = all(&mut machine);
    machine.restore(&start);
    if let Some(flaw) = flaw {
        machine = machine.with_flaw(flaw);
    }
    let (found, ..) = cut(&mut machine);
    between(&full, &found)
}

/// What `found` lacks or has more than `full`, if anything.
fn between(full: &Histories, found: &Histories) -> Option<String> {
    for (results, orders) in found {
        let known = full.get(results);
        if !orders.iter().all(|o| known.is_some_and(|k| k.contains(o))) {
            return Some(format!("invented {results:?}"));
        }
    }
    for (results, orders) in full {
        let stronger = found.get(results);
        let covered =
            |o: &ReturnedBefore| stronger.is_some_and(|s| s.iter().any(|m| dominates(m, o)));
        if let Some(lost) = orders.iter().find(|o| !covered(o)) {
            return Some(format!("lost {results:?} {lost:?}"));
        }
    }
    None
}

fn shapes() -> [Shape; 3] {
    let pair = Shape {
        retries: true,
        atomics: true,
        ..Shape::plain()
    };
    [
        pair,
        Shape {
            threads: 3,
            operations: 1,
            accesses: 1,
            ..pair
        },
        Shape {
            spins: true,
            locks: true,
            operations: 1,
            ..pair
        },
    ]
}

#[test]
fn cutting_retries_loses_nothing() {
    for (i, shape) in shapes().into_iter().enumerate() {
        let first = 2_000_000 + 100_000 * i as u64;
        for seed in first..first + count(1_200) {
            let (program, client) = random::program(&mut Random::new(seed), shape);
            if let Some(difference) = difference(&program, &client, None) {
                panic!("seed {seed}: {difference}\n{program:#?}\n{client:?}");
            }
        }
    }
}

/// Reads of memory that nobody writes are no steps, and nothing is lost with them; there are as many runs as before.
#[test]
fn reads_of_what_nobody_writes_lose_nothing() {
    let mut fewer = 0;
    for (i, shape) in shapes().into_iter().enumerate() {
        let shape = Shape {
            cells: 4,
            accesses: 2,
            ..shape
        };
        let first = 2_500_000 + 100_000 * i as u64;
        for seed in first..first + count(2_000) {
            let (program, client) = random::program(&mut Random::new(seed), shape);
            let mut machine = program.start(&client).expect("it starts");
            let start = machine.snapshot();
            let (_, all_steps, accessed) = cut(&mut machine);
            let unwritten = Unwritten::new(&accessed.read, &accessed.written);
            if unwritten.is_empty() {
                continue;
            }
            machine.restore(&start);
            let full = all(&mut machine);
            machine.restore(&start);
            machine.set_unwritten(Some(Arc::new(unwritten)));
            let (found, walk, _) = cut(&mut machine);
            if let Some(difference) = between(&full, &found) {
                panic!("seed {seed}: {difference}\n{program:#?}\n{client:?}");
            }
            assert_eq!(
                (walk.executions, walk.redundant),
                (all_steps.executions, 0),
                "seed {seed}\n{program:#?}\n{client:?}"
            );
            fewer += 1;
        }
    }
    assert!(
        fewer > count(2_000),
        "{fewer} programs read what nobody writes"
    );
}

/// The comparison has teeth: each way in which the rules could be wrong is noticed.
#[test]
fn wrong_rules_are_noticed() {
    let flaws = [
        Flaw::Abandon,
        Flaw::PlaceOnly,
        Flaw::NeverForget,
        Flaw::NoQuestion,
    ];
    for flaw in flaws {
        let noticed = shapes().into_iter().enumerate().any(|(i, shape)| {
            let first = 2_000_000 + 100_000 * i as u64;
            (first..first + 400).any(|seed| {
                let (program, client) = random::program(&mut Random::new(seed), shape);
                difference(&program, &client, Some(flaw)).is_some()
            })
        });
        assert!(noticed, "{flaw:?} makes no difference");
    }
}

/// Complete runs and retries cut.
fn counts(program: &Program, threads: &[&str]) -> (u64, u64) {
    let client = program.client("", threads, "");
    let mut machine = program.start(&client).expect("it starts");
    let (_, walk, _) = cut(&mut machine);
    assert_eq!(walk.redundant, 0);
    (walk.executions, walk.covered)
}

fn program(text: &str) -> Program {
    Program::parse(text).expect("a well-formed program")
}

/// Both ways to write a counter with a compare-exchange, a test-and-set lock, and the papers' objects.
#[test]
fn counts_of_the_textbook() {
    let reload = program(
        "global x = 0
         op inc
         again:
           a = read x
           c = cas x a a+1
           if c==0 goto again
           return a",
    );
    let keep = program(
        "global x = 0
         op inc
           a = read x
         again:
           c now = cas x a a+1
           if c goto done
           a = set now
           goto again
         done:
           return a",
    );
    for (threads, expected) in [(3, (6, 21)), (4, (24, 256))] {
        let threads = vec!["inc"; threads];
        assert_eq!(counts(&reload, &threads), expected);
        assert_eq!(counts(&keep, &threads), expected);
    }
    let lock = program(
        "global l = 0
         global x = 0
         op inc
         again:
           a = read l
           if a goto again
           c = cas l 0 1
           if c==0 goto again
           b = read x
           write x b+1
           write l 0
           return b",
    );
    assert_eq!(counts(&lock, &["inc"; 2]), (4, 4));
    assert_eq!(counts(&lock, &["inc"; 3]), (36, 72));
    let treiber = objects::treiber();
    assert_eq!(counts(&treiber, &["push=1 pop", "push=2 pop"]), (10, 10));
    let three = ["push=1 pop", "push=2 pop", "push=3 pop"];
    assert_eq!(counts(&treiber, &three), (270, 1_050));
    let queue = ["enq=1", "enq=2", "deq", "deq"];
    assert_eq!(counts(&objects::ms_queue(), &queue), (158, 764));
    assert_eq!(counts(&treiber, &["push=1", "push=2", "pop", "pop"]).0, 38);
}
