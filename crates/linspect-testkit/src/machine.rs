//! One state of a running module, and one step of one thread.
//!
//! A step makes one access that others can see and runs on to just before the next one. The call of an operation belongs to its first step, its return to its
//! last: that is the strongest order in real time, and whatever else could be recorded is implied by it. An operation that accesses nothing is a step of its
//! own.

use crate::client::{Call, Client};
use crate::code::{Code, Instruction};
use crate::language::{
    Guard, HANDLES, INTEGERS, Kind, Link, Operand, POINTERS, Place, Statement, Test,
};

/// A part of the source that is one step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Section {
    /// In this function.
    pub function: u8,
    /// Its first line.
    pub first: u32,
    /// Its last line.
    pub last: u32,
}

/// What a machine is like.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// A thread that frees a cell gets it back when it asks for a new one, last freed first.
    pub reuse: bool,
    /// A pointer to a cell that was freed stays a bad pointer when the cell has been taken again.
    pub generations: bool,
    /// These are one step each. One that would have to wait inside is not entered.
    pub sections: Vec<Section>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            reuse: true,
            generations: false,
            sections: Vec::new(),
        }
    }
}

/// What no right program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// An assertion does not hold.
    Assertion,
    /// An access to a freed cell.
    UseAfterFree,
    /// A freed cell is freed.
    BadFree,
    /// An access through a pointer to nothing.
    Null,
    /// Two threads access a plain variable, one of them writes, and nothing orders the two.
    Race,
    /// The module means nothing: it goes round without an access, or joins what was never started.
    Meaningless,
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// It was made.
    Done,
    /// It cannot be made now; the state is spoilt.
    Blocked,
    /// It went wrong.
    Wrong(Fault),
}

/// What can be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Location {
    /// An atomic variable.
    Variable(u8),
    /// A plain variable.
    Plain(u8),
    /// A shared pointer.
    Root(u8),
    /// A cell, as a whole.
    Cell(u16),
    /// A mutex.
    Mutex(u8),
    /// A read-write lock.
    RwLock(u8),
    /// A condition variable.
    Condition(u8),
    /// A thread: its start and its end.
    Thread(u8),
    /// The process: its end.
    Process,
}

/// An access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Access {
    /// To what.
    pub location: Location,
    /// Whether others see it.
    pub writes: bool,
}

/// A pointer as it is kept: address 0 is nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Word {
    address: u16,
    generation: u8,
    tag: u8,
}

impl Word {
    fn same(self, other: Self) -> bool {
        (self.address, self.tag) == (other.address, other.tag)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Cell {
    address: u16,
    generation: u8,
    live: bool,
    value: i64,
    next: Word,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    function: u8,
    at: u16,
    integers: [i64; INTEGERS],
    pointers: [Word; POINTERS],
    handles: [u8; HANDLES],
    /// Of its operations, the one it is in.
    operation: u8,
    called: bool,
    done: bool,
    /// Freed by it, last freed last.
    free: Vec<u16>,
    /// How many addresses it had.
    addresses: u8,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct RwLock {
    writer: Option<u8>,
    readers: Vec<u8>,
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
    variables: Vec<i64>,
    plains: Vec<i64>,
    roots: Vec<Word>,
    cells: Vec<Cell>,
    mutexes: Vec<Option<u8>>,
    rwlocks: Vec<RwLock>,
    waiting: Vec<Vec<u8>>,
    threads: Vec<Thread>,
    /// The operations in the order of the client.
    pub operations: Vec<Operation>,
    /// Whether the process has ended.
    over: bool,
}

/// How long a thread may run without an access.
const PATIENCE: usize = 2_000;

/// A module that runs, with a client if it is an object.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    code: &'a Code<'a>,
    rules: &'a Rules,
    /// The operations of the client: before, of the threads, after.
    calls: Vec<Call>,
    /// Per thread, which of them are its own. The first thread runs what comes before and after.
    own: Vec<Vec<usize>>,
    before: usize,
}

impl<'a> Run<'a> {
    /// What runs; a program has no client.
    pub fn new(code: &'a Code<'a>, client: &Client, rules: &'a Rules) -> Self {
        let mut calls = client.before.clone();
        let mut own = vec![(0..client.before.len()).collect::<Vec<_>>()];
        for thread in &client.threads {
            own.push((calls.len()..calls.len() + thread.len()).collect());
            calls.extend(thread.iter().cloned());
        }
        let suffix = calls.len()..calls.len() + client.after.len();
        own[0].extend(suffix);
        calls.extend(client.after.iter().cloned());
        Self {
            code,
            rules,
            calls,
            own,
            before: client.before.len(),
        }
    }

    /// The state in which threads begin: what runs before them is over. Nothing if it waits or goes wrong.
    pub fn start(&self) -> Option<State> {
        let module = self.code.module;
        let mut state = State {
            variables: module.variables.clone(),
            plains: vec![0; module.plains],
            roots: vec![Word::default(); module.roots],
            cells: Vec::new(),
            mutexes: vec![None; module.mutexes],
            rwlocks: vec![RwLock::default(); module.rwlocks],
            waiting: vec![Vec::new(); module.conditions.len()],
            threads: Vec::new(),
            operations: vec![Operation::default(); self.calls.len()],
            over: false,
        };
        match module.kind {
            Kind::Program => {
                self.begin(&mut state, 0, 0).ok()?;
            }
            Kind::Object => {
                for _ in &self.own {
                    state.threads.push(Thread::new(0, 0));
                }
                self.next_call(&mut state, 0).ok()?;
                while usize::from(state.threads[0].operation) < self.before {
                    if self.step(&mut state, 0, &mut Vec::new()) != Stepped::Done {
                        return None;
                    }
                }
                for thread in 1..self.own.len() {
                    self.next_call(&mut state, thread).ok()?;
                }
            }
        }
        Some(state)
    }

    /// Whether everything has ended.
    pub fn is_over(&self, state: &State) -> bool {
        state.over || state.threads.iter().all(|t| t.done)
    }

    /// The threads that have something left to do, whether they can or not.
    pub fn threads(&self, state: &State) -> Vec<usize> {
        if self.is_over(state) {
            return Vec::new();
        }
        let is_alone = self.code.module.kind == Kind::Object;
        let others = state.threads.iter().skip(1).any(|t| !t.done);
        let may = |t: &usize| !(state.threads[*t].done || (*t == 0 && is_alone && others));
        (0..state.threads.len()).filter(may).collect()
    }

    /// The operations that are not over of threads that are not, one each.
    pub fn pending(&self, state: &State) -> Vec<usize> {
        let own = |t: usize| self.own[t][usize::from(state.threads[t].operation)];
        match self.code.module.kind {
            Kind::Object => self.threads(state).into_iter().map(own).collect(),
            Kind::Program => Vec::new(),
        }
    }

    /// Whether two threads are about to access the same plain variable, one of them to write it. A program in which accesses are sequentially consistent has a
    /// data race if and only if it comes to such a state (Boehm, Adve: "Foundations of the C++ Concurrency Memory Model", PLDI 2008).
    pub fn races(&self, state: &State) -> bool {
        let next = |t: usize| {
            let thread = &state.threads[t];
            let flat = &self.code.functions[usize::from(thread.function)];
            match &flat.instructions[usize::from(thread.at)] {
                Instruction::Do(Statement::Get(_, plain)) => Some((*plain, false)),
                Instruction::Do(Statement::Put(plain, _)) => Some((*plain, true)),
                _ => None,
            }
        };
        let all: Vec<(u8, bool)> = self.threads(state).into_iter().filter_map(next).collect();
        let conflict = |a: &(u8, bool), b: &(u8, bool)| a.0 == b.0 && (a.1 || b.1);
        (1..all.len()).any(|i| all[..i].iter().any(|a| conflict(a, &all[i])))
    }

    /// The line at which a thread stands, and its function.
    fn place(&self, state: &State, thread: usize) -> (u8, u32) {
        let t = &state.threads[thread];
        let flat = &self.code.functions[usize::from(t.function)];
        (t.function, flat.lines[usize::from(t.at)])
    }

    fn section(&self, (function, line): (u8, u32)) -> Option<&Section> {
        let contains = |s: &&Section| s.function == function && (s.first..=s.last).contains(&line);
        self.rules.sections.iter().find(contains)
    }

    /// One step of `thread`; what it accesses is added to `accesses`.
    pub fn step(&self, state: &mut State, thread: usize, accesses: &mut Vec<Access>) -> Stepped {
        let section = self.section(self.place(state, thread)).cloned();
        let operation = state.threads[thread].operation;
        for _ in 0..PATIENCE {
            self.call(state, thread);
            match self.visible(state, thread, accesses) {
                Ok(true) => {}
                Ok(false) => return Stepped::Blocked,
                Err(fault) => return Stepped::Wrong(fault),
            }
            if state.over || state.threads[thread].done {
                return Stepped::Done;
            }
            match self.run_on(state, thread, section.as_ref()) {
                Ok(true) if state.threads[thread].operation == operation => {}
                Ok(_) => return Stepped::Done,
                Err(fault) => return Stepped::Wrong(fault),
            }
        }
        // It goes round inside a section.
        Stepped::Blocked
    }

    /// Notes the call of the operation that is about to begin.
    fn call(&self, state: &mut State, thread: usize) {
        if self.code.module.kind == Kind::Program || state.threads[thread].called {
            return;
        }
        state.threads[thread].called = true;
        let returned = |(i, o): (usize, &Operation)| u32::from(o.result.is_some()) << i;
        let after = state.operations.iter().enumerate().map(returned).sum();
        let index = self.own[thread][usize::from(state.threads[thread].operation)];
        state.operations[index].after = after;
    }

    /// Runs what nobody sees, up to the next access. Whether the thread is still in `section` then.
    fn run_on(
        &self,
        state: &mut State,
        thread: usize,
        section: Option<&Section>,
    ) -> Result<bool, Fault> {
        let mut inside = section.is_some();
        for _ in 0..PATIENCE {
            let place = self.place(state, thread);
            inside &= self.section(place) == section;
            let t = &mut state.threads[thread];
            let flat = &self.code.functions[usize::from(t.function)];
            match &flat.instructions[usize::from(t.at)] {
                Instruction::Jump(to) => t.at = *to as u16,
                Instruction::Unless(test, to) => {
                    t.at = if t.holds(*test) { t.at + 1 } else { *to as u16 };
                }
                Instruction::Do(Statement::Set(local, a, b)) => {
                    t.integers[usize::from(*local)] = t.value(*a) + t.value(*b);
                    t.at += 1;
                }
                Instruction::Do(Statement::Tag(pointer, tag)) => {
                    t.pointers[usize::from(*pointer)].tag = *tag;
                    t.at += 1;
                }
                Instruction::Do(Statement::Assert(test)) => {
                    if !t.holds(*test) {
                        return Err(Fault::Assertion);
                    }
                    t.at += 1;
                }
                // The end of the process is a step of its own: others may come before it.
                Instruction::Return
                    if t.called || (self.code.module.kind == Kind::Program && thread != 0) =>
                {
                    self.end(state, thread)?;
                    return Ok(false);
                }
                _ => return Ok(inside),
            }
        }
        Err(Fault::Meaningless)
    }

    /// The function of a thread has ended.
    fn end(&self, state: &mut State, thread: usize) -> Result<(), Fault> {
        if self.code.module.kind == Kind::Program {
            state.threads[thread].done = true;
            state.over |= thread == 0;
            return Ok(());
        }
        let t = &mut state.threads[thread];
        let function = &self.code.module.functions[usize::from(t.function)];
        let index = self.own[thread][usize::from(t.operation)];
        state.operations[index].result = Some(t.value(function.result));
        t.operation += 1;
        t.called = false;
        self.next_call(state, thread)
    }

    /// Puts a thread before the first access of its next operation.
    fn next_call(&self, state: &mut State, thread: usize) -> Result<(), Fault> {
        let t = &mut state.threads[thread];
        match self.own[thread].get(usize::from(t.operation)) {
            None => t.done = true,
            Some(&index) => {
                let call = &self.calls[index];
                t.enter(call.function, call.argument.unwrap_or(0));
                self.run_on(state, thread, None)?;
            }
        }
        Ok(())
    }

    /// Begins a thread of a program.
    fn begin(&self, state: &mut State, function: u8, argument: i64) -> Result<u8, Fault> {
        state.threads.push(Thread::new(function, argument));
        let thread = state.threads.len() - 1;
        self.run_on(state, thread, None)?;
        Ok(thread as u8)
    }

    /// Makes the access at which a thread stands, if it can be made now.
    fn visible(
        &self,
        state: &mut State,
        thread: usize,
        accesses: &mut Vec<Access>,
    ) -> Result<bool, Fault> {
        let (function, at) = (state.threads[thread].function, state.threads[thread].at);
        let flat = &self.code.functions[usize::from(function)];
        let mut next = at + 1;
        let mut touch = |location, writes| accesses.push(Access { location, writes });
        let me = thread as u8;
        match &flat.instructions[usize::from(at)] {
            Instruction::Return => return self.end(state, thread).map(|()| true),
            Instruction::Acquire(guard, otherwise) => match *guard {
                Guard::Mutex(m) | Guard::Try(m) => {
                    let mutex = &mut state.mutexes[usize::from(m)];
                    touch(Location::Mutex(m), true);
                    match (*mutex, guard) {
                        (None, _) => *mutex = Some(me),
                        (Some(_), Guard::Try(_)) => next = *otherwise as u16,
                        (Some(_), _) => return Ok(false),
                    }
                }
                Guard::Read(l) => {
                    let lock = &mut state.rwlocks[usize::from(l)];
                    touch(Location::RwLock(l), true);
                    if lock.writer.is_some() {
                        return Ok(false);
                    }
                    lock.readers.push(me);
                    lock.readers.sort_unstable();
                }
                Guard::Write(l) => {
                    let lock = &mut state.rwlocks[usize::from(l)];
                    touch(Location::RwLock(l), true);
                    if lock.writer.is_some() || !lock.readers.is_empty() {
                        return Ok(false);
                    }
                    lock.writer = Some(me);
                }
            },
            Instruction::Release(guard) => match *guard {
                Guard::Mutex(m) | Guard::Try(m) => {
                    touch(Location::Mutex(m), true);
                    state.mutexes[usize::from(m)] = None;
                }
                Guard::Read(l) => {
                    touch(Location::RwLock(l), true);
                    let readers = &mut state.rwlocks[usize::from(l)].readers;
                    readers.retain(|&r| r != me);
                }
                Guard::Write(l) => {
                    touch(Location::RwLock(l), true);
                    state.rwlocks[usize::from(l)].writer = None;
                }
            },
            Instruction::Woken(condition) => {
                let m = self.code.module.conditions[usize::from(*condition)];
                touch(Location::Mutex(m), true);
                let mutex = &mut state.mutexes[usize::from(m)];
                if mutex.is_some() || state.waiting[usize::from(*condition)].contains(&me) {
                    return Ok(false);
                }
                *mutex = Some(me);
            }
            Instruction::Do(Statement::Spin(place, until)) => {
                let value = *state.integer(thread, *place, self.rules)?;
                touch(state.location(thread, *place), false);
                if value != *until {
                    next = at;
                }
            }
            Instruction::Do(statement) => {
                return self.statement(state, thread, statement, accesses);
            }
            hidden => unreachable!("{hidden:?} is no access"),
        }
        state.threads[thread].at = next;
        Ok(true)
    }

    /// A statement that accesses something.
    fn statement(
        &self,
        state: &mut State,
        thread: usize,
        statement: &Statement,
        accesses: &mut Vec<Access>,
    ) -> Result<bool, Fault> {
        let rules = self.rules;
        let mut touch = |location, writes| accesses.push(Access { location, writes });
        match statement {
            Statement::Load(local, place) => {
                let value = *state.integer(thread, *place, rules)?;
                touch(state.location(thread, *place), false);
                state.set(thread, *local, value);
            }
            Statement::Store(place, value) => {
                let value = state.threads[thread].value(*value);
                *state.integer(thread, *place, rules)? = value;
                touch(state.location(thread, *place), true);
            }
            Statement::Add(local, place, value) => {
                let value = state.threads[thread].value(*value);
                let integer = state.integer(thread, *place, rules)?;
                let old = *integer;
                *integer += value;
                touch(state.location(thread, *place), true);
                state.set(thread, *local, old);
            }
            Statement::Exchange(local, place, value) => {
                let value = state.threads[thread].value(*value);
                let old = std::mem::replace(state.integer(thread, *place, rules)?, value);
                touch(state.location(thread, *place), true);
                state.set(thread, *local, old);
            }
            Statement::Compare(local, place, old, new) => {
                let t = &state.threads[thread];
                let (old, new) = (t.value(*old), t.value(*new));
                let integer = state.integer(thread, *place, rules)?;
                let same = *integer == old;
                if same {
                    *integer = new;
                }
                touch(state.location(thread, *place), same);
                state.set(thread, *local, i64::from(same));
            }
            Statement::Get(local, plain) => {
                let value = state.plains[usize::from(*plain)];
                touch(Location::Plain(*plain), false);
                state.set(thread, *local, value);
            }
            Statement::Put(plain, value) => {
                state.plains[usize::from(*plain)] = state.threads[thread].value(*value);
                touch(Location::Plain(*plain), true);
            }
            Statement::Follow(pointer, link) => {
                let word = *state.pointer(thread, *link, rules)?;
                touch(state.link(thread, *link), false);
                state.threads[thread].pointers[usize::from(*pointer)] = word;
            }
            Statement::Point(link, to) => {
                let to = state.threads[thread].word(*to);
                *state.pointer(thread, *link, rules)? = to;
                touch(state.link(thread, *link), true);
            }
            Statement::Take(pointer, link, to) => {
                let to = state.threads[thread].word(*to);
                let word = std::mem::replace(state.pointer(thread, *link, rules)?, to);
                touch(state.link(thread, *link), true);
                state.threads[thread].pointers[usize::from(*pointer)] = word;
            }
            Statement::Swing(local, link, old, new) => {
                let t = &state.threads[thread];
                let (old, new) = (t.word(Some(*old)), t.word(*new));
                let word = state.pointer(thread, *link, rules)?;
                let same = word.same(old);
                if same {
                    *word = new;
                }
                touch(state.link(thread, *link), same);
                state.set(thread, *local, i64::from(same));
            }
            Statement::New(pointer, value) => {
                let value = state.threads[thread].value(*value);
                let word = state.allocate(thread, value, rules);
                touch(Location::Cell(word.address), true);
                state.threads[thread].pointers[usize::from(*pointer)] = word;
            }
            Statement::Free(pointer) => {
                let word = state.threads[thread].word(Some(*pointer));
                if word.address != 0 {
                    touch(Location::Cell(word.address), true);
                    state.release(thread, word, rules)?;
                }
            }
            Statement::Wait(condition) => {
                let m = self.code.module.conditions[usize::from(*condition)];
                touch(Location::Mutex(m), true);
                touch(Location::Condition(*condition), true);
                if state.mutexes[usize::from(m)] != Some(thread as u8) {
                    return Err(Fault::Meaningless);
                }
                state.mutexes[usize::from(m)] = None;
                state.waiting[usize::from(*condition)].push(thread as u8);
            }
            Statement::Notify(condition, all) => {
                touch(Location::Condition(*condition), true);
                let waiting = &mut state.waiting[usize::from(*condition)];
                let woken = if *all {
                    waiting.len()
                } else {
                    waiting.len().min(1)
                };
                waiting.drain(..woken);
            }
            Statement::Start(handle, function, argument) => {
                let argument = state.threads[thread].value(*argument);
                let started = self.begin(state, *function, argument)?;
                touch(Location::Thread(started), true);
                state.threads[thread].handles[usize::from(*handle)] = started;
            }
            Statement::Join(handle) => {
                let started = state.threads[thread].handles[usize::from(*handle)];
                touch(Location::Thread(started), true);
                if started == 0 {
                    return Err(Fault::Meaningless);
                }
                if !state.threads[usize::from(started)].done {
                    return Ok(false);
                }
                state.threads[thread].handles[usize::from(*handle)] = 0;
            }
            Statement::Exit => {
                touch(Location::Process, true);
                state.over = true;
            }
            hidden => unreachable!("{hidden:?} is no access"),
        }
        state.threads[thread].at += 1;
        Ok(true)
    }
}

impl Thread {
    fn new(function: u8, argument: i64) -> Self {
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
    fn enter(&mut self, function: u8, argument: i64) {
        self.function = function;
        self.at = 0;
        self.integers = [0; INTEGERS];
        self.integers[0] = argument;
        self.pointers = [Word::default(); POINTERS];
        self.handles = [0; HANDLES];
    }

    fn value(&self, operand: Operand) -> i64 {
        match operand {
            Operand::Number(number) => number,
            Operand::Local(local) => self.integers[usize::from(local)],
        }
    }

    fn word(&self, pointer: Option<u8>) -> Word {
        pointer.map_or_else(Word::default, |p| self.pointers[usize::from(p)])
    }

    fn holds(&self, test: Test) -> bool {
        match test {
            Test::Equal(a, b) => self.value(a) == self.value(b),
            Test::Differ(a, b) => self.value(a) != self.value(b),
            Test::Null(p) => self.word(Some(p)).address == 0,
            Test::Some(p) => self.word(Some(p)).address != 0,
        }
    }
}

impl State {
    fn set(&mut self, thread: usize, local: u8, value: i64) {
        self.threads[thread].integers[usize::from(local)] = value;
    }

    fn cell(&mut self, word: Word, rules: &Rules) -> Result<&mut Cell, Fault> {
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

    fn integer(&mut self, thread: usize, place: Place, rules: &Rules) -> Result<&mut i64, Fault> {
        match place {
            Place::Variable(v) => Ok(&mut self.variables[usize::from(v)]),
            Place::Value(p) => {
                let word = self.threads[thread].word(Some(p));
                self.cell(word, rules).map(|c| &mut c.value)
            }
        }
    }

    fn pointer(&mut self, thread: usize, link: Link, rules: &Rules) -> Result<&mut Word, Fault> {
        match link {
            Link::Root(r) => Ok(&mut self.roots[usize::from(r)]),
            Link::Next(p) => {
                let word = self.threads[thread].word(Some(p));
                self.cell(word, rules).map(|c| &mut c.next)
            }
        }
    }

    fn location(&self, thread: usize, place: Place) -> Location {
        match place {
            Place::Variable(v) => Location::Variable(v),
            Place::Value(p) => Location::Cell(self.threads[thread].word(Some(p)).address),
        }
    }

    fn link(&self, thread: usize, link: Link) -> Location {
        match link {
            Link::Root(r) => Location::Root(r),
            Link::Next(p) => Location::Cell(self.threads[thread].word(Some(p)).address),
        }
    }

    fn allocate(&mut self, thread: usize, value: i64, rules: &Rules) -> Word {
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

    fn release(&mut self, thread: usize, word: Word, rules: &Rules) -> Result<(), Fault> {
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
