//! Draws programs: two or three threads with a few statements each. Half of them hand a plain variable over, so that a data race depends on the orderings.

use super::graphs::Executions;
use super::{Operand, Order, Outcome, Program, REGISTERS, Register, Statement};
use crate::random::Random;

/// How often an outcome that nothing allows is put together.
const TRIES: usize = 50;

const LOADS: [Order; 3] = [Order::Relaxed, Order::Acquire, Order::SeqCst];
const STORES: [Order; 3] = [Order::Relaxed, Order::Release, Order::SeqCst];
const UPDATES: [Order; 5] = [
    Order::Relaxed,
    Order::Acquire,
    Order::Release,
    Order::AcqRel,
    Order::SeqCst,
];

/// A random program.
pub fn program(random: &mut Random) -> Program {
    let threads = random.pick(&[2, 2, 3]);
    let mut drawing = Drawing {
        atomics: random.pick(&[1, 2, 2, 3]),
        plains: random.pick(&[0, 1]),
        mutexes: random.pick(&[0, 0, 0, 1]),
        pointers: random.pick(&[0, 0, 1]),
        cells: 0,
        waits: random.chance(20),
        random,
        register: 0,
        gave_up: false,
    };
    let longest = if threads == 2 { 4 } else { 3 };
    let mut all: Vec<Vec<Statement>> = (0..threads)
        .map(|_| {
            (drawing.register, drawing.gave_up) = (0, false);
            let length = drawing.random.between(1, longest);
            (0..length).map(|_| drawing.statement(true)).collect()
        })
        .collect();
    if drawing.plains > 0 {
        drawing.hand_over(&mut all);
    }
    Program {
        atomics: drawing.atomics,
        plains: drawing.plains,
        pointers: drawing.pointers,
        cells: usize::from(drawing.cells),
        mutexes: drawing.mutexes,
        threads: all,
    }
}

/// A random object of two operations, and which of them each thread of a client calls. It has neither plain variables nor anything that waits or may fail without reason.
pub fn object(random: &mut Random) -> (Program, Vec<Vec<usize>>) {
    let mut drawing = Drawing {
        atomics: random.pick(&[1, 2, 2]),
        plains: 0,
        mutexes: random.pick(&[0, 0, 0, 1]),
        pointers: 0,
        cells: 0,
        waits: false,
        random,
        register: 0,
        gave_up: true,
    };
    let operations = (0..2).map(|_| {
        drawing.register = 0;
        let length = drawing.random.between(1, 3);
        (0..length).map(|_| drawing.statement(true)).collect()
    });
    let threads = operations.collect();
    let object = Program {
        atomics: drawing.atomics,
        plains: 0,
        pointers: 0,
        cells: 0,
        mutexes: drawing.mutexes,
        threads,
    };
    let lengths = random.pick(&[&[1, 1][..], &[2, 1], &[2, 2], &[1, 1, 1]]);
    let calls = lengths
        .iter()
        .map(|n| (0..*n).map(|_| random.below(2)).collect());
    (object, calls.collect())
}

struct Drawing<'a> {
    atomics: usize,
    plains: usize,
    mutexes: usize,
    pointers: usize,
    cells: u8,
    waits: bool,
    random: &'a mut Random,
    /// The next free register.
    register: Register,
    /// Whether the thread has an exchange that may fail without reason.
    gave_up: bool,
}

impl Drawing<'_> {
    fn atomic(&mut self) -> u8 {
        self.random.below(self.atomics) as u8
    }

    fn value(&mut self) -> i64 {
        self.random.between(1, 2) as i64
    }

    /// A register that is not used yet, or the last one.
    fn fresh(&mut self) -> Register {
        let fresh = self.register;
        self.register = (self.register + 1).min(REGISTERS as u8 - 1);
        fresh
    }

    fn operand(&mut self) -> Operand {
        match self.register {
            1.. if self.random.chance(15) => Operand::Register(self.register - 1),
            _ => Operand::Number(self.value()),
        }
    }

    fn statement(&mut self, outer: bool) -> Statement {
        let place = self.atomic();
        if self.pointers > 0 && self.random.chance(35) {
            return match self.random.below(10) {
                0..5 if self.cells < 3 => {
                    self.cells += 1;
                    let order = self.random.pick(&STORES);
                    Statement::Publish(0, self.cells - 1, self.value(), order)
                }
                0..9 => {
                    let order = self.random.pick(&LOADS);
                    Statement::Follow(self.fresh(), 0, order)
                }
                _ => Statement::Overwrite(0, self.value() + 1, self.random.pick(&LOADS)),
            };
        }
        match self.random.below(100) {
            0..28 => {
                let order = self.random.pick(&LOADS);
                Statement::Load(self.fresh(), place, order)
            }
            28..58 => Statement::Store(place, self.operand(), self.random.pick(&STORES)),
            58..62 => {
                let (number, order) = (self.value(), self.random.pick(&UPDATES));
                Statement::Swing(self.fresh(), place, number, order)
            }
            62..66 => {
                let (number, order) = (self.value(), self.random.pick(&UPDATES));
                Statement::Add(self.fresh(), place, number, order)
            }
            66..72 => {
                let (number, order) = (self.value(), self.random.pick(&UPDATES));
                Statement::Exchange(self.fresh(), place, number, order)
            }
            72..80 => {
                let (expected, new) = (self.random.below(2) as i64, self.value());
                let (order, failure) = (self.random.pick(&UPDATES), self.random.pick(&LOADS));
                let register = self.fresh();
                if !self.gave_up && self.random.chance(40) {
                    self.gave_up = true;
                    return Statement::CompareWeak(register, place, expected, new, order, failure);
                }
                Statement::Compare(register, place, expected, new, order, failure)
            }
            80..88 => Statement::Fence(self.random.pick(&UPDATES[1..])),
            88..92 if outer && self.register > 0 => {
                let (register, value) = (self.register - 1, self.random.below(2) as i64);
                Statement::If(register, value, vec![self.statement(false)])
            }
            92..96 if outer && self.mutexes > 0 => {
                let length = self.random.between(1, 2);
                Statement::Lock(0, (0..length).map(|_| self.statement(false)).collect())
            }
            96.. if outer && self.waits => {
                Statement::Await(place, self.value(), self.random.pick(&LOADS))
            }
            _ => Statement::Store(place, self.operand(), self.random.pick(&STORES)),
        }
    }

    /// Lets the first thread write a plain variable before something, and another one read or write it after something.
    fn hand_over(&mut self, threads: &mut [Vec<Statement>]) {
        let value = self.value();
        let at = self.random.below(threads[0].len());
        threads[0].insert(at, Statement::Put(0, Operand::Number(value)));
        let other = self.random.between(1, threads.len() - 1);
        let thread = &mut threads[other];
        let place = self.atomic();
        let register = REGISTERS as u8 - 2;
        let access = match self.random.chance(75) {
            true => Statement::Get(REGISTERS as u8 - 1, 0),
            false => Statement::Put(0, Operand::Number(value + 1)),
        };
        thread.truncate(2);
        thread.push(Statement::Load(register, place, self.random.pick(&LOADS)));
        if self.random.chance(25) {
            let order = self.random.pick(&UPDATES[1..]);
            thread.push(Statement::Fence(order));
        }
        let awaited = self.value();
        thread.push(Statement::If(register, awaited, vec![access]));
    }
}

/// An outcome to ask about: one that weaker orderings alone allow, or one that is put together of parts of possible ones and that nothing allows. Nothing if there is neither.
pub fn outcome(random: &mut Random, executions: &Executions) -> Option<Outcome> {
    let possible: Vec<&Outcome> = executions.outcomes.keys().collect();
    let is_weak = |o: &&Outcome| !executions.sequential.contains_key(*o);
    let weak: Vec<&Outcome> = possible.iter().copied().filter(is_weak).collect();
    if !weak.is_empty() && random.chance(50) {
        return Some(random.pick(&weak).clone());
    }
    if possible.is_empty() {
        return None;
    }
    let mut tries = (0..TRIES).map(|_| {
        let (mut outcome, other) = (random.pick(&possible).clone(), random.pick(&possible));
        let thread = random.below(outcome.registers.len());
        outcome.registers[thread] = other.registers[thread];
        if random.chance(30) {
            outcome.finally.clone_from(&other.finally);
        }
        outcome
    });
    tries.find(|o| !executions.outcomes.contains_key(o))
}
