//! One state of a running module, and one step of one thread.
//!
//! A step makes one access that others can see and runs on to just before the next one. The call of an operation belongs to its first step, its return to its
//! last: that is the strongest order in real time, and whatever else could be recorded is implied by it. An operation that accesses nothing is a step of its
//! own.

mod access;
mod state;

pub use access::{Access, Location};
pub use state::{Operation, State};

use crate::client::{Call, Client};
use crate::code::{Code, Instruction};
use crate::language::{Kind, Statement};
use state::{RwLock, Thread, Word};

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
}
