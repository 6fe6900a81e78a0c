//! The reduction loses no tight history and repeats no class, and neither does whoever turns back in known states: compared with every schedule, one by one.

use linspect_core::check::Unlimited;
use linspect_core::client::{Client, Invocation};
use linspect_core::execution::End;
use linspect_core::machine::{Additions, Machine, Subject};
use linspect_core::random::Random;
use linspect_core::schedule::ThreadId;
use linspect_core::value::Value;
use linspect_explore::class;
use linspect_explore::strategies::exhaustive::{self, exhaustive};
use linspect_explore::strategies::naive::{self, naive};
use linspect_explore::strategies::states::{AllStates, states};
use linspect_explore::strategies::{Leaf, Walk};
use linspect_explore::tight::Tight;
use linspect_toy::random::{self, Shape};
use linspect_toy::{Expression, Instruction, Operand, Operator, Program};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A tenth of the programs unless all are asked for.
fn count(all: u64) -> u64 {
    if std::env::var_os("LINSPECT_LONG").is_some() {
        all
    } else {
        all / 10
    }
}

type Histories = BTreeSet<(Tight, String, String)>;

fn seen(tight: Tight, leaf: &Leaf<'_>) -> (Tight, String, String) {
    (
        tight,
        format!("{:?}", leaf.end),
        format!("{:?}", leaf.after),
    )
}

/// What the reduction finds, with every history of every class.
fn reduced<M: Machine>(machine: &mut M, order: &[ThreadId]) -> (Histories, Walk) {
    let mut histories = Histories::new();
    let options = exhaustive::Options {
        order: order.to_vec(),
        ..exhaustive::Options::default()
    };
    let walk = exhaustive(machine, &options, &mut |leaf| {
        class::histories(leaf.trace, &mut |tight| {
            histories.insert(seen(tight, leaf));
        });
        ControlFlow::Continue(())
    });
    (histories, walk)
}

/// What walking all schedules finds, and the number of classes among them.
fn all<M: Machine>(machine: &mut M) -> (Histories, u64) {
    let mut histories = Histories::new();
    let mut classes = BTreeSet::new();
    let options = naive::Options::default();
    naive(machine, options, &mut |leaf| {
        histories.insert(seen(Tight::of(leaf.trace), leaf));
        classes.insert(signature(leaf));
        ControlFlow::Continue(())
    });
    (histories, classes.len() as u64)
}

/// What being in every state once finds.
fn in_every_state<M: Machine>(machine: &mut M) -> Histories {
    let mut histories = Histories::new();
    let AllStates { walk, .. } = states(machine, u64::MAX, &Unlimited, &mut |leaf| {
        if *leaf.end != End::Covered {
            histories.insert(seen(Tight::of(leaf.trace), leaf));
        }
        ControlFlow::Continue(())
    });
    assert!(!walk.stopped);
    histories
}

/// Two schedules are equivalent iff every thread takes the same steps and the same steps happen before each of them.
fn signature(leaf: &Leaf<'_>) -> String {
    let mut lines: Vec<String> = leaf
        .trace
        .events()
        .iter()
        .map(|e| {
            format!(
                "{:03} {:03} {:?} {:?} {:?}",
                e.thread(),
                e.position,
                e.clock,
                e.step.accesses,
                e.step.choice
            )
        })
        .collect();
    lines.sort();
    lines.join("\n")
}

fn compare(program: &Program, client: &Client, exact: bool, context: &str) {
    let mut machine = program.start(client).expect("it starts");
    let start = machine.snapshot();
    let (expected, classes) = all(&mut machine);
    machine.restore(&start);
    let found = in_every_state(&mut machine);
    assert_eq!(
        found, expected,
        "{context}, every state\n{program:#?}\n{client:?}"
    );
    let threads = client.threads.len() as ThreadId;
    for first in 0..threads {
        let order: Vec<ThreadId> = (first..threads).chain(0..first).collect();
        machine.restore(&start);
        let (found, walk) = reduced(&mut machine, &order);
        let optimal = walk.executions == classes && walk.redundant == 0;
        if found != expected || (exact && !optimal) {
            let missing: Vec<_> = expected.difference(&found).collect();
            let extra: Vec<_> = found.difference(&expected).collect();
            panic!(
                "{context}, order {order:?}: {walk:?}, {classes} classes\nmissing {missing:#?}\nextra {extra:#?}\n{program:#?}\n{client:?}"
            );
        }
    }
}

fn random_programs(shape: Shape, programs: u64, seed: u64) {
    for i in 0..programs {
        let mut rng = Random::new(seed + i);
        let (program, client) = random::program(&mut rng, shape);
        compare(
            &program,
            &client,
            !shape.spins,
            &format!("seed {}", seed + i),
        );
    }
}

#[test]
fn reads_and_writes() {
    random_programs(Shape::plain(), count(2_000), 100_000);
}

#[test]
fn compare_exchange() {
    let shape = Shape {
        atomics: true,
        accesses: 3,
        ..Shape::plain()
    };
    random_programs(shape, count(2_000), 200_000);
}

/// Additions whose results nobody uses change places: the histories stay, and there is one run for each class of what is left.
#[test]
fn additions() {
    let shapes = [
        Shape {
            atomics: true,
            additions: true,
            accesses: 3,
            ..Shape::plain()
        },
        Shape {
            additions: true,
            threads: 3,
            operations: 1,
            ..Shape::plain()
        },
        Shape {
            additions: true,
            spins: true,
            locks: true,
            operations: 1,
            accesses: 3,
            ..Shape::plain()
        },
    ];
    for (number, shape) in (0..).zip(shapes) {
        for seed in 0..count(2_000) {
            let seed = 1_100_000 + 10_000 * number + seed;
            let (program, client) = random::program(&mut Random::new(seed), shape);
            let mut machine = program.start(&client).expect("it starts");
            let start = machine.snapshot();
            let (expected, _) = all(&mut machine);
            machine.set_additions(Additions::Unordered);
            machine.restore(&start);
            let (same, classes) = all(&mut machine);
            assert_eq!(same, expected, "seed {seed}: all schedules");
            for order in [[0, 1], [1, 0]] {
                machine.restore(&start);
                let (found, walk) = reduced(&mut machine, &order);
                assert_eq!(found, expected, "seed {seed}\n{program:#?}\n{client:?}");
                let optimal = walk.executions == classes && walk.redundant == 0;
                assert!(optimal || shape.spins, "seed {seed}: {walk:?}, {classes}");
            }
        }
    }
}

#[test]
fn double_compare_exchange() {
    let shape = Shape {
        atomics: true,
        dcas: true,
        ..Shape::plain()
    };
    random_programs(shape, count(2_000), 300_000);
}

#[test]
fn locks() {
    let shape = Shape {
        atomics: true,
        locks: true,
        operations: 1,
        accesses: 3,
        ..Shape::plain()
    };
    random_programs(shape, count(3_000), 400_000);
}

#[test]
fn three_threads() {
    let shape = Shape {
        threads: 3,
        operations: 1,
        accesses: 2,
        atomics: true,
        dcas: true,
        ..Shape::plain()
    };
    random_programs(shape, count(2_000), 500_000);
}

#[test]
fn three_threads_with_locks() {
    let shape = Shape {
        threads: 3,
        operations: 1,
        accesses: 1,
        locks: true,
        ..Shape::plain()
    };
    random_programs(shape, count(2_000), 600_000);
}

#[test]
fn choices() {
    let shape = Shape {
        choices: true,
        atomics: true,
        ..Shape::plain()
    };
    random_programs(shape, count(2_000), 700_000);
}

#[test]
fn threads_that_start_threads() {
    let shape = Shape {
        spawns: true,
        atomics: true,
        operations: 1,
        accesses: 1,
        ..Shape::plain()
    };
    random_programs(shape, count(1_000), 1_000_000);
}

#[test]
fn ends_of_the_process() {
    let shape = Shape {
        exits: true,
        atomics: true,
        ..Shape::plain()
    };
    random_programs(shape, count(2_000), 1_100_000);
    let shape = Shape {
        spawns: true,
        operations: 1,
        accesses: 1,
        ..shape
    };
    random_programs(shape, count(1_000), 1_200_000);
}

/// The process really ends whenever a thread says so. Whatever happens then happens in a run, too, in which it ends when nobody else can go on: a
/// history of the one is the beginning of a history of the other, and the faults are the same.
#[test]
fn ending_the_process_last_loses_nothing() {
    let shape = Shape {
        spawns: true,
        exits: true,
        operations: 1,
        accesses: 1,
        ..Shape::plain()
    };
    let mut shortened = 0;
    for seed in 1_300_000..1_300_000 + count(1_000) {
        let mut rng = Random::new(seed);
        let (mut program, client) = random::program(&mut rng, shape);
        add_assertion(&mut rng, &mut program);
        let last = beginnings(&program, &client);
        program.hasty = true;
        let hasty = beginnings(&program, &client);
        let lost: Vec<_> = hasty.difference(&last).collect();
        assert!(lost.is_empty(), "seed {seed}: {lost:#?}\n{program:#?}");
        shortened +=
            u64::from(hasty.len() < last.len() || hasty.iter().any(|(_, end)| end == "Fault"));
    }
    assert!(shortened > 0, "no program ends");
}

/// Some operation fails if a cell has a certain value.
fn add_assertion(rng: &mut Random, program: &mut Program) {
    let operation = rng.below(program.operations.len());
    let code = &mut program.operations[operation].code;
    let at = code.len() - 1;
    let condition = Expression {
        first: Operand::Register(0),
        rest: vec![(
            Operator::Unequal,
            Operand::Constant(1 + rng.below(2) as i64),
        )],
    };
    code.insert(at, Instruction::Assert { condition });
}

/// Every beginning of every tight history; once more for those that end with a fault.
fn beginnings(program: &Program, client: &Client) -> BTreeSet<(Tight, String)> {
    let mut machine = program.start(client).expect("it starts");
    let mut found = BTreeSet::new();
    naive(&mut machine, naive::Options::default(), &mut |leaf| {
        let mut tight = Tight::default();
        // An operation that only ends the process never returns, so nothing follows from when it was called.
        for step in leaf.trace.steps().filter(|step| !step.ends_process()) {
            tight.push(step);
            found.insert((tight.clone(), String::new()));
        }
        if *leaf.end == End::Fault {
            found.insert((tight, "Fault".to_owned()));
        }
        ControlFlow::Continue(())
    });
    found
}

/// A loop that waits may be run once more or not: histories are the same, classes are not compared.
#[test]
fn spins() {
    let shape = Shape {
        spins: true,
        atomics: true,
        ..Shape::plain()
    };
    random_programs(shape, count(1_000), 800_000);
    let shape = Shape {
        threads: 3,
        operations: 1,
        accesses: 1,
        ..shape
    };
    random_programs(shape, count(1_000), 900_000);
}

/// A structure with a lock in it: what is read beside the lock, before taking it, is no access to the lock.
#[test]
fn a_lock_beside_the_data_that_it_guards() {
    let program = Program::parse(
        "global m = 0
         global x = 0
         op look
           a = read x
           lock m
           b = read x
           unlock m
           return b
         op set 1
           lock m
           write x arg
           unlock m",
    )
    .expect("a well-formed program");
    let call = |operation, argument| Invocation {
        operation,
        argument,
    };
    let client = Client {
        threads: vec![
            vec![call(0, Value::Unit)],
            vec![call(1, Value::Int(1))],
            vec![call(0, Value::Unit)],
        ],
        ..Client::default()
    };
    compare(&program, &client, true, "a lock beside its data");
}
