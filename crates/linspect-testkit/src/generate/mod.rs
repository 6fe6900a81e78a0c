//! Random modules: idioms of concurrent code, then changes that break some of them.

mod idioms;
mod program;

use crate::client::{Call, Client, calls};
use crate::language::{
    Block, Encoding, Function, INTEGERS, Kind, Module, Operand, Place, Statement, Test,
};
use crate::random::Random;

/// What a module is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Atomic variables: loads, stores, read-modify-writes, compare-exchange loops.
    Atomics,
    /// Mutexes, some of them only tried, around plain variables.
    Mutexes,
    /// Read-write locks around plain variables.
    RwLocks,
    /// Condition variables.
    Conditions,
    /// Loops that wait for a value.
    Spins,
    /// Cells on the heap, freed and taken again.
    Heap,
    /// The same, the pointers to them shifted, marked or turned.
    Hidden,
    /// Plain variables, some of them protected, handed over or raced for.
    Races,
}

/// What programs do beside their theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Manners {
    /// Threads start threads.
    pub nested: bool,
    /// `main` may end before its threads, and anybody may end the process.
    pub early: bool,
    /// Assertions may stand in any function, not only in `main`.
    pub asserts: bool,
}

/// Draws a module.
struct Maker<'a> {
    random: &'a mut Random,
    theme: Theme,
    module: Module,
    /// Whether assertions may stand here.
    asserts: bool,
}

/// A random object.
pub fn object(random: &mut Random, theme: Theme, asserts: bool) -> Module {
    let mut maker = Maker::new(random, Kind::Object, theme);
    maker.asserts = asserts;
    let functions = maker.random.between(2, 3);
    for _ in 0..functions {
        let body = maker.body();
        let arguments = match maker.random.below(3) {
            0 => vec![1, 2],
            1 => vec![1],
            _ => Vec::new(),
        };
        let result = Operand::Local(maker.random.below(INTEGERS) as u8);
        maker.module.functions.push(Function {
            body,
            result,
            arguments,
        });
    }
    maker.module
}

/// A random program.
pub fn program(random: &mut Random, theme: Theme, manners: Manners) -> Module {
    let mut maker = Maker::new(random, Kind::Program, theme);
    maker.program(manners);
    maker.module
}

/// A random client of an object: `lengths` are those of its threads.
pub fn client(
    random: &mut Random,
    module: &Module,
    before: usize,
    lengths: &[usize],
    after: usize,
) -> Client {
    let calls = calls(module);
    let mut draw = |n: usize| -> Vec<Call> {
        (0..n)
            .map(|_| calls[random.below(calls.len())].clone())
            .collect()
    };
    Client {
        before: draw(before),
        threads: lengths.iter().map(|&n| draw(n)).collect(),
        after: draw(after),
    }
}

impl<'a> Maker<'a> {
    fn new(random: &'a mut Random, kind: Kind, theme: Theme) -> Self {
        let locks = matches!(theme, Theme::Mutexes | Theme::Conditions | Theme::Races);
        let mutexes = if locks { random.between(1, 2) } else { 0 };
        let heap = matches!(theme, Theme::Heap | Theme::Hidden);
        let variables = random.between(1, 2);
        let module = Module {
            kind,
            variables: (0..variables).map(|_| random.below(2) as i64).collect(),
            plains: match theme {
                Theme::Mutexes | Theme::Conditions | Theme::RwLocks | Theme::Races => 2,
                _ => 0,
            },
            roots: if heap { random.between(1, 2) } else { 0 },
            mutexes,
            rwlocks: usize::from(theme == Theme::RwLocks),
            conditions: match theme {
                Theme::Conditions => vec![random.below(mutexes) as u8],
                _ => Vec::new(),
            },
            encoding: match theme {
                Theme::Hidden => {
                    random.pick(&[Encoding::Shifted, Encoding::Marked, Encoding::Flipped])
                }
                _ => Encoding::Plain,
            },
            functions: Vec::new(),
        };
        Self {
            random,
            theme,
            module,
            asserts: false,
        }
    }

    /// A body of a function: idioms of the theme, perhaps broken.
    fn body(&mut self) -> Block {
        let mut body = Block::new();
        for _ in 0..self.random.between(1, 2) {
            body.extend(self.idiom());
        }
        if self.asserts && self.random.chance(30) {
            let test = self.test();
            body.push(Statement::Assert(test));
        }
        for _ in 0..2 {
            if self.random.chance(35) {
                self.change(&mut body);
            }
        }
        body
    }

    fn local(&mut self) -> u8 {
        self.random.below(INTEGERS) as u8
    }

    fn operand(&mut self) -> Operand {
        match self.random.chance(50) {
            true => Operand::Local(self.local()),
            false => Operand::Number(self.random.below(3) as i64),
        }
    }

    fn test(&mut self) -> Test {
        let local = Operand::Local(self.local());
        let other = self.operand();
        match self.random.chance(50) {
            true => Test::Equal(local, other),
            false => Test::Differ(local, other),
        }
    }

    fn variable(&mut self) -> Place {
        Place::Variable(self.random.below(self.module.variables.len()) as u8)
    }

    /// A few accesses to atomic variables.
    fn accesses(&mut self) -> Block {
        let n = self.random.between(1, 3);
        (0..n).map(|_| self.access()).collect()
    }

    fn access(&mut self) -> Statement {
        let (local, place) = (self.local(), self.variable());
        match self.random.below(10) {
            0..=2 => Statement::Load(local, place),
            3 | 4 => Statement::Store(place, self.operand()),
            5 => Statement::Add(local, place, Operand::Number(1)),
            6 => Statement::Exchange(local, place, self.operand()),
            7 => {
                let (old, new) = (self.operand(), self.operand());
                Statement::Compare(local, place, old, new)
            }
            8 => {
                let (a, b) = (self.operand(), self.operand());
                Statement::Set(local, a, b)
            }
            _ => {
                let test = self.test();
                let yes = self.accesses();
                let no = match self.random.chance(30) {
                    true => self.accesses(),
                    false => Block::new(),
                };
                Statement::If(test, yes, no)
            }
        }
    }

    /// Breaks something, or changes its order: a statement less, twice, or later.
    fn change(&mut self, block: &mut Block) {
        if block.is_empty() {
            return;
        }
        let at = self.random.below(block.len());
        match &mut block[at] {
            Statement::If(_, inside, _) | Statement::Region(_, inside)
                if self.random.chance(60) =>
            {
                self.change(inside);
            }
            Statement::Loop(inside) if self.random.chance(80) => {
                // A loop keeps its first access, so that it never goes round without one.
                let mut rest = inside.split_off(1);
                self.change(&mut rest);
                inside.extend(rest);
            }
            _ => match self.random.below(4) {
                0 if !matches!(block[at], Statement::Start(..) | Statement::Break(_)) => {
                    block.remove(at);
                }
                1 if at + 1 < block.len() => block.swap(at, at + 1),
                2 if matches!(block[at], Statement::Free(_) | Statement::Notify(..)) => {
                    let again = block[at].clone();
                    block.insert(at, again);
                }
                _ => {
                    let access = self.access();
                    block.insert(at, access);
                }
            },
        }
    }
}
