//! A module as flat instructions, each with the source line it stands in.

use crate::language::{Block, Guard, Module, Statement, Test};

/// One instruction.
#[derive(Clone, Debug)]
pub enum Instruction {
    /// A statement without blocks.
    Do(Statement),
    /// Goes on there.
    Jump(usize),
    /// Goes on there unless the condition holds.
    Unless(Test, usize),
    /// Takes the lock; the place to go on at if a [`Guard::Try`] fails.
    Acquire(Guard, usize),
    /// Gives it back.
    Release(Guard),
    /// Takes the mutex of a condition variable again, once woken.
    Woken(u8),
    /// The end of the function.
    Return,
}

/// The lines of a function's statements in some source: the first and the last of each, in the order in which they begin.
pub type Lines = Vec<(u32, u32)>;

/// The instructions of a function.
#[derive(Clone, Debug, Default)]
pub struct Flat {
    /// What to do.
    pub instructions: Vec<Instruction>,
    /// The line of each.
    pub lines: Vec<u32>,
}

/// A module with its instructions.
#[derive(Clone, Debug)]
pub struct Code<'a> {
    /// The module.
    pub module: &'a Module,
    /// Its functions.
    pub functions: Vec<Flat>,
}

struct Flattening<'a> {
    flat: Flat,
    lines: &'a Lines,
    next: usize,
    /// Per loop around, the jumps that leave it.
    leaving: Vec<Vec<usize>>,
}

impl Flattening<'_> {
    fn add(&mut self, instruction: Instruction, line: u32) -> usize {
        self.flat.instructions.push(instruction);
        self.flat.lines.push(line);
        self.flat.instructions.len() - 1
    }

    fn land(&mut self, jump: usize) {
        let here = self.flat.instructions.len();
        match &mut self.flat.instructions[jump] {
            Instruction::Jump(to) | Instruction::Unless(_, to) | Instruction::Acquire(_, to) => {
                *to = here;
            }
            other => unreachable!("{other:?} does not jump"),
        }
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let (first, last) = self.lines.get(self.next).copied().unwrap_or_default();
        self.next += 1;
        match statement {
            Statement::If(test, yes, no) => {
                let skip = self.add(Instruction::Unless(*test, 0), first);
                self.block(yes);
                let end = self.add(Instruction::Jump(0), last);
                self.land(skip);
                self.block(no);
                self.land(end);
            }
            Statement::Loop(body) => {
                let top = self.flat.instructions.len();
                self.leaving.push(Vec::new());
                self.block(body);
                self.add(Instruction::Jump(top), first);
                for jump in self.leaving.pop().expect("the loop was just begun") {
                    self.land(jump);
                }
            }
            Statement::Break(test) => {
                let stay = self.add(Instruction::Unless(*test, 0), first);
                let leave = self.add(Instruction::Jump(0), first);
                self.land(stay);
                let innermost = self.leaving.last_mut();
                innermost.expect("a break stands in a loop").push(leave);
            }
            Statement::Region(guard, body) => {
                let acquire = self.add(Instruction::Acquire(*guard, 0), first);
                self.block(body);
                self.add(Instruction::Release(*guard), last);
                self.land(acquire);
            }
            Statement::Wait(condition) => {
                self.add(Instruction::Do(statement.clone()), first);
                self.add(Instruction::Woken(*condition), first);
            }
            simple => {
                self.add(Instruction::Do(simple.clone()), first);
            }
        }
    }
}

impl<'a> Code<'a> {
    /// The instructions of `module`, with the lines that each function's statements have somewhere.
    pub fn new(module: &'a Module, lines: &[Lines]) -> Self {
        let none = Lines::new();
        let functions = module.functions.iter().enumerate().map(|(i, function)| {
            let mut flattening = Flattening {
                flat: Flat::default(),
                lines: lines.get(i).unwrap_or(&none),
                next: 0,
                leaving: Vec::new(),
            };
            flattening.block(&function.body);
            flattening.add(Instruction::Return, u32::MAX);
            flattening.flat
        });
        Self {
            module,
            functions: functions.collect(),
        }
    }
}
