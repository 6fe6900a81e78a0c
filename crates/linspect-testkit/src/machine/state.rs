//! A state of a running module: its variables, cells and locks, and how far each thread is.

use super::{Fault, Location, Rules};
use crate::language::{HANDLES, INTEGERS, Link, Operand, POINTERS, Place, Test};

/// A pointer as it is kept: address 0 is nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Word {
    pub(super) address: u16,
    pub(super) generation: u8,
    pub(super) tag: u8,
}

impl Word {
    pub(super) fn same(self, other: Self) -> bool {
        (self.address, self.tag) == (other.address, other.tag)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cell {
    pub(super) address: u16,
    pub(super) generation: u8,
    pub(super) live: bool,
    pub(super) value: i64,
    pub(super) next: Word,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Thread {
    pub(super) function: u8,
    pub(super) at: u16,
    pub(super) integers: [i64; INTEGERS],
    pub(super) pointers: [Word; POINTERS],
    pub(super) handles: [u8; HANDLES],
    /// Of its operations, the one it is in.
    pub(super) operation: u8,
    pub(super) called: bool,
    pub(super) done: bool,
    /// Freed by it, last freed last.
    pub(super) free: Vec<u16>,
    /// How many addresses it had.
    pub(super) addresses: u8,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct RwLock {
    pub(super) writer: Option<u8>,
    pub(super) readers: Vec<u8>,
}

/// What is known of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Operation {
    /// The operations that had returned when it was called, as bits.
    pub after: u32,
    /// What it returned.
    pub result: Option<i64>,
}

/// A state of the whole.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) variables: Vec<i64>,
    pub(super) plains: Vec<i64>,
    pub(super) roots: Vec<Word>,
    pub(super) cells: Vec<Cell>,
    pub(super) mutexes: Vec<Option<u8>>,
    pub(super) rwlocks: Vec<RwLock>,
    pub(super) waiting: Vec<Vec<u8>>,
    pub(super) threads: Vec<Thread>,
    /// The operations in the order of the client.
    pub operations: Vec<Operation>,
    /// Whether the process has ended.
    pub(super) over: bool,
}

impl Thread {
    pub(super) fn new(function: u8, argument: i64) -> Self {
        let mut thread = Self {
            function,
            at: 0,
            integers: [0; INTEGERS],
            pointers: [Word::default(); POINTERS],
            handles: [0; HANDLES],
            operation: 0,
            called: false,
            done: false,
            free: Vec::new(),
            addresses: 0,
        };
        thread.enter(function, argument);
        thread
    }

    /// Begins a function.
    pub(super) fn enter(&mut self, function: u8, argument: i64) {
        self.function = function;
        self.at = 0;
        self.integers = [0; INTEGERS];
        self.integers[0] = argument;
        self.pointers = [Word::default(); POINTERS];
        self.handles = [0; HANDLES];
    }

    pub(super) fn value(&self, operand: Operand) -> i64 {
        match operand {
            Operand::Number(number) => number,
            Operand::Local(local) => self.integers[usize::from(local)],
        }
    }

    pub(super) fn word(&self, pointer: Option<u8>) -> Word {
        pointer.map_or_else(Word::default, |p| self.pointers[usize::from(p)])
    }

    pub(super) fn holds(&self, test: Test) -> bool {
        match test {
            Test::Equal(a, b) => self.value(a) == self.value(b),
            Test::Differ(a, b) => self.value(a) != self.value(b),
            Test::Null(p) => self.word(Some(p)).address == 0,
            Test::Some(p) => self.word(Some(p)).address != 0,
        }
    }
}

impl State {
    pub(super) fn set(&mut self, thread: usize, local: u8, value: i64) {
        self.threads[thread].integers[usize::from(local)] = value;
    }

    pub(super) fn cell(&mut self, word: Word, rules: &Rules) -> Result<&mut Cell, Fault> {
        if word.address == 0 {
            return Err(Fault::Null);
        }
        let found = self.cells.iter_mut().find(|c| c.address == word.address);
        let cell = found.expect("every address was handed out");
        let stale = rules.generations && cell.generation != word.generation;
        if !cell.live || stale {
            return Err(Fault::UseAfterFree);
        }
        Ok(cell)
    }

    pub(super) fn integer(
        &mut self,
        thread: usize,
        place: Place,
        rules: &Rules,
    ) -> Result<&mut i64, Fault> {
        match place {
            Place::Variable(v) => Ok(&mut self.variables[usize::from(v)]),
            Place::Value(p) => {
                let word = self.threads[thread].word(Some(p));
                self.cell(word, rules).map(|c| &mut c.value)
            }
        }
    }

    pub(super) fn pointer(
        &mut self,
        thread: usize,
        link: Link,
        rules: &Rules,
    ) -> Result<&mut Word, Fault> {
        match link {
            Link::Root(r) => Ok(&mut self.roots[usize::from(r)]),
            Link::Next(p) => {
                let word = self.threads[thread].word(Some(p));
                self.cell(word, rules).map(|c| &mut c.next)
            }
        }
    }

    pub(super) fn location(&self, thread: usize, place: Place) -> Location {
        match place {
            Place::Variable(v) => Location::Variable(v),
            Place::Value(p) => Location::Cell(self.threads[thread].word(Some(p)).address),
        }
    }

    pub(super) fn link(&self, thread: usize, link: Link) -> Location {
        match link {
            Link::Root(r) => Location::Root(r),
            Link::Next(p) => Location::Cell(self.threads[thread].word(Some(p)).address),
        }
    }

    pub(super) fn allocate(&mut self, thread: usize, value: i64, rules: &Rules) -> Word {
        let t = &mut self.threads[thread];
        if let Some(address) = t.free.pop() {
            let found = self.cells.iter_mut().find(|c| c.address == address);
            let cell = found.expect("every address was handed out");
            cell.generation += u8::from(rules.generations);
            cell.live = true;
            cell.value = value;
            cell.next = Word::default();
            return Word {
                address,
                generation: cell.generation,
                tag: 0,
            };
        }
        t.addresses += 1;
        let address = thread as u16 * 100 + u16::from(t.addresses);
        let cell = Cell {
            address,
            generation: 0,
            live: true,
            value,
            next: Word::default(),
        };
        let at = self.cells.partition_point(|c| c.address < address);
        self.cells.insert(at, cell);
        Word {
            address,
            ..Word::default()
        }
    }

    pub(super) fn release(
        &mut self,
        thread: usize,
        word: Word,
        rules: &Rules,
    ) -> Result<(), Fault> {
        let cell = self.cell(word, rules).map_err(|_| Fault::BadFree)?;
        cell.live = false;
        cell.value = 0;
        cell.next = Word::default();
        if rules.reuse {
            self.threads[thread].free.push(word.address);
        }
        Ok(())
    }
}
