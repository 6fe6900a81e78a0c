//! Random small programs, for comparing explorations by the thousand.

use crate::program::{Expression, Instruction, Operand, Operation, Operator, Program, Result};
use linspect_core::client::{Client, Declared, Invocation, Limits};
use linspect_core::execution::{MemoryModel, Ordering};
use linspect_core::random::Random;
use linspect_core::value::Value;

/// What random programs are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Shared cells.
    pub cells: usize,
    /// Threads of the client.
    pub threads: usize,
    /// Operations per thread, at most.
    pub operations: usize,
    /// Visible accesses per operation, at most.
    pub accesses: usize,
    /// With compare-exchange and fetch-and-add.
    pub atomics: bool,
    /// With double compare-exchange.
    pub dcas: bool,
    /// With locks (and attempts to lock).
    pub locks: bool,
    /// With loops that wait for a cell to change.
    pub spins: bool,
    /// With decisions of the environment.
    pub choices: bool,
    /// With threads that start threads.
    pub spawns: bool,
    /// With ends of the process.
    pub exits: bool,
    /// With compare-exchanges that are tried until they succeed.
    pub retries: bool,
    /// With additions whose results nobody uses.
    pub additions: bool,
}

impl Shape {
    /// Reads and writes only, small enough for naive exploration.
    pub fn plain() -> Self {
        Self {
            cells: 2,
            threads: 2,
            operations: 2,
            accesses: 2,
            atomics: false,
            dcas: false,
            locks: false,
            spins: false,
            choices: false,
            spawns: false,
            exits: false,
            retries: false,
            additions: false,
        }
    }
}

/// A random program and a client of it.
pub fn program(rng: &mut Random, shape: Shape) -> (Program, Client) {
    let locks = if shape.locks { 2 } else { 0 };
    let mut program = Program {
        name: "random".to_owned(),
        cells: vec![0; shape.cells + locks],
        names: (0..shape.cells + locks).map(|i| format!("x{i}")).collect(),
        arena: 0,
        declared: Vec::new(),
        operations: Vec::new(),
        hasty: false,
        memory: MemoryModel::Sc,
    };
    if shape.spawns {
        add_started(rng, shape, &mut program);
    }
    let mut client = Client::default();
    for _ in 0..shape.threads {
        let mut thread = Vec::new();
        for _ in 0..=rng.below(shape.operations) {
            thread.push(Invocation {
                operation: program.operations.len() as u16,
                argument: Value::Unit,
            });
            program.declared.push(Declared {
                name: format!("f{}", program.operations.len()),
                domain: vec![Value::Unit],
                limits: Limits::default(),
            });
            program.operations.push(operation(rng, shape));
        }
        client.threads.push(thread);
    }
    if rng.percent(50) {
        // What the last write was is part of what is compared.
        program.declared.push(Declared {
            name: "last".to_owned(),
            domain: vec![Value::Unit],
            limits: Limits::default(),
        });
        client.after.push(Invocation {
            operation: program.operations.len() as u16,
            argument: Value::Unit,
        });
        program.operations.push(Operation {
            registers: 1,
            code: vec![
                Instruction::Read {
                    into: 0,
                    at: 1.into(),
                    order: Ordering::SeqCst,
                },
                Instruction::Return {
                    result: Result::Int(register(0)),
                },
            ],
        });
    }
    (program, client)
}

const ACCUMULATOR: u16 = 1;
const STARTED: u16 = 3;

/// What started threads run: the first starts nothing, the second may start the first.
fn add_started(rng: &mut Random, shape: Shape, program: &mut Program) {
    for own in 0..2 {
        let mut code = Vec::new();
        access(rng, shape, &mut code);
        if own == 1 {
            start(rng, 0, &mut code);
        }
        let result = Result::Unit;
        code.push(Instruction::Return { result });
        program.operations.push(Operation { registers: 6, code });
        program.declared.push(Declared {
            name: format!("started{own}"),
            domain: vec![Value::Unit],
            limits: Limits::default(),
        });
    }
}

/// Starts a thread that runs `operation`, and sometimes waits for it.
fn start(rng: &mut Random, operation: u16, code: &mut Vec<Instruction>) {
    code.push(Instruction::Spawn {
        into: STARTED,
        operation,
        argument: 0.into(),
    });
    if rng.percent(50) {
        let thread = register(STARTED);
        code.push(Instruction::Join { thread });
    }
}

fn register(r: u16) -> Expression {
    Operand::Register(r).into()
}

/// Folds what was read into the result, so that histories tell values apart.
fn accumulate(code: &mut Vec<Instruction>) {
    let value = Expression {
        first: Operand::Register(ACCUMULATOR),
        rest: vec![
            (Operator::Times, Operand::Constant(3)),
            (Operator::Plus, Operand::Register(0)),
        ],
    };
    code.push(Instruction::Set {
        into: ACCUMULATOR,
        value,
    });
}

fn operation(rng: &mut Random, shape: Shape) -> Operation {
    let mut code = Vec::new();
    let count = if rng.percent(12) {
        0
    } else {
        1 + rng.below(shape.accesses)
    };
    let held = (shape.locks && rng.percent(50)).then(|| lock(rng, shape));
    if let Some(at) = held {
        code.push(Instruction::Lock { at: at.into() });
    }
    // A second lock inside the first: deadlocks happen.
    let inner = held.and_then(|outer| {
        let other = lock(rng, shape);
        (other != outer && rng.percent(50)).then_some(other)
    });
    if let Some(at) = inner {
        code.push(Instruction::Lock { at: at.into() });
    }
    for _ in 0..count {
        access(rng, shape, &mut code);
        if rng.percent(25) {
            // Sometimes what was read decides whether the rest happens.
            let to = code.len() + 2;
            let condition = register(ACCUMULATOR);
            code.push(Instruction::Jump { condition, to });
            let value = small(rng, 1, 3);
            code.push(Instruction::Write {
                at: cell(rng, shape),
                value,
                order: Ordering::SeqCst,
            });
        }
    }
    if shape.spawns && rng.percent(60) {
        let operation = rng.below(2) as u16;
        start(rng, operation, &mut code);
    }
    for at in [inner, held].into_iter().flatten() {
        code.push(Instruction::Unlock { at: at.into() });
    }
    if shape.exits && rng.percent(40) {
        let to = code.len() + 2;
        let condition = if rng.percent(50) {
            register(ACCUMULATOR)
        } else {
            0.into()
        };
        code.push(Instruction::Jump { condition, to });
        code.push(Instruction::Exit);
    }
    let result = if rng.percent(20) {
        Result::Unit
    } else {
        Result::Int(register(ACCUMULATOR))
    };
    code.push(Instruction::Return { result });
    Operation { registers: 6, code }
}

fn small(rng: &mut Random, from: usize, to: usize) -> Expression {
    ((from + rng.below(to - from)) as i64).into()
}

fn cell(rng: &mut Random, shape: Shape) -> Expression {
    ((1 + rng.below(shape.cells)) as i64).into()
}

fn lock(rng: &mut Random, shape: Shape) -> i64 {
    (shape.cells + (1 + rng.below(2))) as i64
}

fn access(rng: &mut Random, shape: Shape, code: &mut Vec<Instruction>) {
    let value = small(rng, 0, 3);
    let old = small(rng, 0, 3);
    let at = cell(rng, shape);
    if shape.additions && rng.percent(40) {
        code.push(Instruction::FetchAdd {
            into: None,
            at,
            value,
            order: Ordering::SeqCst,
        });
        return;
    }
    match rng.below(20) {
        0..3 if shape.atomics => {
            code.push(Instruction::Cas {
                into: 0,
                found: None,
                at,
                expected: old,
                new: value,
                order: Ordering::SeqCst,
                failure: Ordering::SeqCst,
            });
            accumulate(code);
        }
        3..5 if shape.atomics => {
            code.push(Instruction::FetchAdd {
                into: Some(0),
                at,
                value,
                order: Ordering::SeqCst,
            });
            accumulate(code);
        }
        5..8 if shape.dcas && shape.cells > 1 => {
            code.push(Instruction::Dcas {
                into: 0,
                at: [1.into(), 2.into()],
                expected: [old, small(rng, 0, 2)],
                new: [value, small(rng, 0, 3)],
            });
            accumulate(code);
        }
        8 if shape.locks => {
            let at: Expression = lock(rng, shape).into();
            code.push(Instruction::TryLock {
                into: 0,
                at: at.clone(),
            });
            accumulate(code);
            let to = code.len() + 2;
            let condition = Expression {
                first: Operand::Register(0),
                rest: vec![(Operator::Equal, Operand::Constant(0))],
            };
            code.push(Instruction::Jump { condition, to });
            code.push(Instruction::Unlock { at });
        }
        8 | 9 if shape.spins && rng.percent(50) => {
            // Waits until one of two cells changes.
            let start = code.len();
            let both = Expression {
                first: Operand::Register(0),
                rest: vec![(Operator::Plus, Operand::Register(2))],
            };
            code.push(Instruction::Read {
                into: 0,
                at,
                order: Ordering::SeqCst,
            });
            code.push(Instruction::Read {
                into: 2,
                at: cell(rng, shape),
                order: Ordering::SeqCst,
            });
            code.push(Instruction::Jump {
                condition: both,
                to: start + 4,
            });
            code.push(Instruction::Spin { to: start });
            accumulate(code);
        }
        9 if shape.spins => {
            let start = code.len();
            code.push(Instruction::Read {
                into: 0,
                at,
                order: Ordering::SeqCst,
            });
            code.push(Instruction::Jump {
                condition: register(0),
                to: start + 3,
            });
            code.push(Instruction::Spin { to: start });
        }
        10..12 if shape.choices => {
            code.push(Instruction::Choose { into: 0, ways: 2 });
            accumulate(code);
        }
        16..19 if shape.retries => retry(rng, at, code),
        12..16 => code.push(Instruction::Write {
            at,
            value,
            order: Ordering::SeqCst,
        }),
        _ => {
            code.push(Instruction::Read {
                into: 0,
                at,
                order: Ordering::SeqCst,
            });
            accumulate(code);
        }
    }
}

/// Adds to a cell by a compare-exchange that is tried until it succeeds: it reads again, or goes on with what the exchange found, or waits for zero; between
/// reading and trying it may look at another cell, and it may give up.
fn retry(rng: &mut Random, at: Expression, code: &mut Vec<Instruction>) {
    const TRIES: u16 = 2;
    let sum = |r: u16, n: i64| Expression {
        first: Operand::Register(r),
        rest: vec![(Operator::Plus, Operand::Constant(n))],
    };
    let added = 1 + rng.below(2) as i64;
    // One that helps others when it fails does so at a cell of which no such loop waits for a change.
    let helps = rng.percent(25);
    let at = if helps { 1.into() } else { at };
    let (reloads, waits, gives_up) = (rng.percent(60), rng.percent(20), rng.percent(15));
    code.push(Instruction::Set {
        into: TRIES,
        value: 0.into(),
    });
    let start = code.len();
    code.push(Instruction::Read {
        into: 0,
        at: at.clone(),
        order: Ordering::SeqCst,
    });
    if waits {
        let (condition, to) = (register(0), code.len() + 2);
        let free = Expression {
            rest: vec![(Operator::Equal, Operand::Constant(0))],
            ..condition
        };
        code.push(Instruction::Jump {
            condition: free,
            to,
        });
        code.push(Instruction::Spin { to: start });
    }
    let again = if reloads || waits { start } else { code.len() };
    if rng.percent(30) {
        // What it reads beside decides nothing, but is read.
        code.push(Instruction::Read {
            into: 4,
            at: at.clone(),
            order: Ordering::SeqCst,
        });
    }
    code.push(Instruction::Cas {
        into: 5,
        found: (!reloads).then_some(4),
        at,
        expected: register(0),
        new: sum(0, added),
        order: Ordering::SeqCst,
        failure: Ordering::SeqCst,
    });
    let mut failed = Vec::new();
    if !reloads {
        failed.push(Instruction::Set {
            into: 0,
            value: register(4),
        });
    }
    if helps {
        failed.push(Instruction::Write {
            at: 2.into(),
            value: small(rng, 0, 3),
            order: Ordering::SeqCst,
        });
    }
    if gives_up {
        failed.push(Instruction::Set {
            into: TRIES,
            value: sum(TRIES, 1),
        });
    }
    let enough = Expression {
        first: Operand::Register(TRIES),
        rest: vec![(Operator::Less, Operand::Constant(2))],
    };
    failed.push(Instruction::Jump {
        condition: if gives_up { enough } else { 1.into() },
        to: again,
    });
    code.push(Instruction::Jump {
        condition: register(5),
        to: code.len() + 1 + failed.len(),
    });
    code.extend(failed);
    accumulate(code);
}
