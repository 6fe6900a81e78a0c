//! Pieces that others walk ahead are the walk itself: the same runs in the same order, whoever walks which piece, and when.

use linspect_core::client::Client;
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_core::random::Random;
use linspect_explore::strategies::exhaustive::{
    self, Helpers, Options, Piece, WalkedPiece, exhaustive, together,
};
use linspect_explore::strategies::{Leaf, Walk};
use linspect_explore::trace::Footprint;
use linspect_toy::random::{self, Shape};
use linspect_toy::{Program, objects};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// A tenth of the programs unless all are asked for.
fn count(all: u64) -> u64 {
    if std::env::var_os("LINSPECT_LONG").is_some() {
        all
    } else {
        all / 10
    }
}

/// A run by its steps and how it ended.
fn run(leaf: &Leaf<'_>) -> String {
    let steps = leaf.trace.steps().map(|step| step.choice);
    format!("{:?} {:?}", Vec::from_iter(steps), leaf.end)
}

/// Somebody who takes every piece, walks it at once or when its turn comes, and sometimes loses it.
struct Other<'a> {
    program: &'a Program,
    client: &'a Client,
    retries: Retries,
    random: &'a RefCell<Random>,
    /// Which pieces were walked and which wait, with what was seen in them.
    pieces: RefCell<BTreeMap<u64, Result<Walked, Piece>>>,
    /// What was seen by the one whom this one helps.
    seen: &'a RefCell<Vec<String>>,
    offered: &'a Cell<u64>,
    taken_over: &'a Cell<u64>,
}

struct Walked {
    outcome: WalkedPiece,
    seen: Vec<String>,
}

impl Other<'_> {
    fn walk(&self, piece: Piece) -> Option<Walked> {
        let mut machine = self.program.start(self.client).expect("it starts");
        machine.set_retries(self.retries);
        let seen = RefCell::default();
        let helpers = Other {
            pieces: RefCell::default(),
            seen: &seen,
            ..*self
        };
        let outcome = exhaustive::piece(
            &mut machine,
            &Options::default(),
            piece,
            &helpers,
            &mut |leaf| {
                seen.borrow_mut().push(run(leaf));
                ControlFlow::Continue(())
            },
        );
        let seen = seen.take();
        outcome.map(|outcome| Walked { outcome, seen })
    }
}

impl Helpers for Other<'_> {
    fn wanted(&self) -> Option<u64> {
        (self.random.borrow_mut().below(3) > 0).then_some(0)
    }

    fn offer(&self, piece: Piece) -> u64 {
        self.offered.set(self.offered.get() + 1);
        let number = self.offered.get();
        let now = self.random.borrow_mut().below(2) == 0;
        let state = match now {
            true => self.walk(piece).map(Ok),
            false => Some(Err(piece)),
        };
        if let Some(state) = state {
            self.pieces.borrow_mut().insert(number, state);
        }
        number
    }

    fn fetch(&self, number: u64, sleep: &[Footprint]) -> Option<WalkedPiece> {
        if self.random.borrow_mut().below(8) == 0 {
            return None;
        }
        let state = self.pieces.borrow_mut().remove(&number)?;
        let walked = match state {
            Ok(walked) => Some(walked),
            Err(piece) => self.walk(piece),
        };
        let Walked { outcome, seen } = walked.filter(|w| w.outcome.begins_with(sleep))?;
        self.seen.borrow_mut().extend(seen);
        self.taken_over.set(self.taken_over.get() + 1);
        Some(outcome)
    }
}

/// How many pieces were taken over.
fn compare(program: &Program, client: &Client, retries: Retries, seed: u64) -> u64 {
    let start = || {
        let mut machine = program.start(client).expect("it starts");
        machine.set_retries(retries);
        machine
    };
    let mut alone = Vec::new();
    let expected: Walk = exhaustive(&mut start(), &Options::default(), &mut |leaf| {
        alone.push(run(leaf));
        ControlFlow::Continue(())
    });
    let random = RefCell::new(Random::new(seed));
    let (seen, offered, taken_over) = (RefCell::default(), Cell::new(0), Cell::new(0));
    let helpers = Other {
        program,
        client,
        retries,
        random: &random,
        pieces: RefCell::default(),
        seen: &seen,
        offered: &offered,
        taken_over: &taken_over,
    };
    let walk = together(&mut start(), &Options::default(), &helpers, &mut |leaf| {
        seen.borrow_mut().push(run(leaf));
        ControlFlow::Continue(())
    });
    let seen = seen.take();
    let first = (alone.iter().zip(&seen)).position(|(one, other)| one != other);
    assert!(
        seen == alone && walk == expected,
        "seed {seed}: {walk:?}, expected {expected:?}; run {first:?} differs\n{program:#?}\n{client:?}"
    );
    taken_over.get()
}

fn random_programs(shape: Shape, programs: u64, seed: u64) {
    let mut taken_over = 0;
    for seed in seed..seed + programs {
        let (program, client) = random::program(&mut Random::new(seed), shape);
        taken_over += compare(&program, &client, Retries::Wake, seed);
    }
    assert!(taken_over > programs / 4, "{taken_over} of {programs}");
}

#[test]
fn of_programs_with_atomics() {
    let shape = Shape {
        atomics: true,
        dcas: true,
        ..Shape::plain()
    };
    random_programs(shape, count(4_000), 5_000_000);
}

#[test]
fn of_programs_with_three_threads() {
    let shape = Shape {
        threads: 3,
        operations: 1,
        accesses: 2,
        atomics: true,
        choices: true,
        ..Shape::plain()
    };
    random_programs(shape, count(4_000), 5_100_000);
}

#[test]
fn of_programs_with_locks_and_spins() {
    let shape = Shape {
        threads: 3,
        operations: 1,
        accesses: 2,
        locks: true,
        ..Shape::plain()
    };
    random_programs(shape, count(4_000), 5_200_000);
    let shape = Shape {
        threads: 3,
        operations: 1,
        accesses: 1,
        spins: true,
        atomics: true,
        ..Shape::plain()
    };
    random_programs(shape, count(2_000), 5_300_000);
}

#[test]
fn of_programs_whose_threads_start_threads_or_end_the_process() {
    let shape = Shape {
        spawns: true,
        exits: true,
        atomics: true,
        operations: 1,
        accesses: 1,
        ..Shape::plain()
    };
    random_programs(shape, count(2_000), 5_400_000);
}

#[test]
fn of_objects_whose_retries_are_cut() {
    for seed in 0..count(100) {
        let program = objects::treiber();
        let client = program.client("", &["push=1 pop", "push=2 pop", "pop"], "");
        let taken_over = compare(&program, &client, Retries::Park, seed);
        assert!(taken_over > 5, "{taken_over}");
    }
}
