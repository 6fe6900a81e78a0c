//! SC by graphs is SC by schedules: the same classes, on the programs that the walk over schedules is tested with.

use super::count;
use linspect_core::execution::{End, MemoryModel};
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_core::random::Random;
use linspect_explore::strategies::Leaf;
use linspect_explore::strategies::exhaustive::{self, exhaustive};
use linspect_explore::strategies::graph::{self, graphs};
use linspect_explore::tight::Tight;
use linspect_toy::random::{self, Shape};
use linspect_toy::{Instruction, Program};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// What every thread does, what happens before each step, and how it ends.
fn class(leaf: &Leaf<'_>) -> String {
    let mut lines: Vec<String> = leaf
        .trace
        .events()
        .iter()
        .map(|e| {
            let accesses: Vec<_> = e
                .step
                .accesses
                .iter()
                .map(|a| (a.action, a.location, a.read, a.written))
                .collect();
            let (place, step) = ((e.thread(), e.position), &e.step);
            format!("{place:?} {:?} {accesses:?} {:?}", e.clock, step.choice)
        })
        .collect();
    lines.sort();
    format!("{lines:?} {:?} {:?}", leaf.end, leaf.after)
}

fn compare(shape: Shape, programs: u64, seed: u64) {
    for seed in seed..seed + programs {
        let mut rng = Random::new(seed);
        let (mut program, client) = random::program(&mut rng, shape);
        let mut expected = BTreeSet::new();
        let mut machine = program.start(&client).expect("it starts");
        exhaustive(&mut machine, &exhaustive::Options::default(), &mut |leaf| {
            expected.insert(class(leaf));
            ControlFlow::Continue(())
        });
        program.memory = MemoryModel::C20;
        let mut found = BTreeSet::new();
        let mut machine = program.start(&client).expect("it starts");
        let walk = graphs(
            &mut machine,
            &graph::Options::of(MemoryModel::Sc),
            &mut |leaf| {
                found.insert(class(leaf));
                ControlFlow::Continue(())
            },
        );
        let context = format!("seed {seed} {walk:?}");
        if found != expected {
            let missing: Vec<_> = expected.difference(&found).collect();
            let extra: Vec<_> = found.difference(&expected).collect();
            panic!("{context}\nmissing {missing:#?}\nextra {extra:#?}\n{program:#?}");
        }
        // Attempts to take a lock are ordered with each other, although that does not matter if they fail.
        if !has_attempts(&program) {
            assert_eq!(
                walk.executions,
                found.len() as u64,
                "{context}\n{program:#?}"
            );
        }
    }
}

fn has_attempts(program: &Program) -> bool {
    let mut code = program.operations.iter().flat_map(|o| &o.code);
    code.any(|i| matches!(i, Instruction::TryLock { .. }))
}

#[test]
fn reads_writes_and_updates() {
    let shape = Shape {
        atomics: true,
        accesses: 3,
        ..Shape::plain()
    };
    compare(shape, count(2_000), 200_000);
    let shape = Shape {
        threads: 3,
        operations: 1,
        accesses: 2,
        atomics: true,
        ..Shape::plain()
    };
    compare(shape, count(2_000), 500_000);
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
    compare(shape, count(3_000), 400_000);
    let shape = Shape {
        threads: 3,
        operations: 1,
        accesses: 1,
        locks: true,
        ..Shape::plain()
    };
    compare(shape, count(2_000), 600_000);
}

#[test]
fn choices_of_the_environment() {
    let shape = Shape {
        choices: true,
        atomics: true,
        ..Shape::plain()
    };
    compare(shape, count(2_000), 700_000);
}

#[test]
fn threads_that_start_threads_and_ends_of_the_process() {
    let shape = Shape {
        spawns: true,
        atomics: true,
        operations: 1,
        accesses: 1,
        ..Shape::plain()
    };
    compare(shape, count(1_000), 1_000_000);
    let exits = Shape {
        exits: true,
        atomics: true,
        ..Shape::plain()
    };
    compare(exits, count(2_000), 1_100_000);
    let both = Shape {
        exits: true,
        ..shape
    };
    compare(both, count(1_000), 1_200_000);
}

/// What operations return and how runs end, without runs in which somebody tried in vain.
fn results<M: Machine>(
    machine: &mut M,
    walk: impl FnOnce(&mut M, &mut dyn FnMut(&Leaf<'_>)),
) -> BTreeSet<String> {
    let mut results = BTreeSet::new();
    machine.set_retries(Retries::Park);
    walk(machine, &mut |leaf| {
        if *leaf.end != End::Covered {
            let (outcomes, _) = Tight::of(leaf.trace).parts();
            results.insert(format!("{outcomes:?} {:?} {:?}", leaf.end, leaf.after));
        }
    });
    results
}

#[test]
fn attempts_in_vain() {
    let shape = Shape {
        retries: true,
        spins: true,
        operations: 1,
        accesses: 2,
        ..Shape::plain()
    };
    for seed in 1_400_000..1_400_000 + count(1_000) {
        let mut rng = Random::new(seed);
        let (mut program, client) = random::program(&mut rng, shape);
        let mut machine = program.start(&client).expect("it starts");
        let expected = results(&mut machine, |machine, each| {
            exhaustive(machine, &exhaustive::Options::default(), &mut |leaf| {
                each(leaf);
                ControlFlow::Continue(())
            });
        });
        program.memory = MemoryModel::C20;
        let mut machine = program.start(&client).expect("it starts");
        let found = results(&mut machine, |machine, each| {
            graphs(machine, &graph::Options::of(MemoryModel::Sc), &mut |leaf| {
                each(leaf);
                ControlFlow::Continue(())
            });
        });
        assert_eq!(found, expected, "seed {seed}\n{program:#?}");
    }
}
