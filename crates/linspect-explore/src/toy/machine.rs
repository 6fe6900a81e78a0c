//! Runs toy programs one step at a time.

use super::program::{Expression, Instruction, Operand, Operator, Program, Result as Returns};
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::execution::{
    Access, Action, Activation, Ending, Fault, FaultKind, Location, Ordering, SiteId, Step,
};
use linspect_core::machine::{Blocked, Machine, Site, StartError, Status, Subject};
use linspect_core::schedule::{Choice, ThreadId};
use linspect_core::value::Value;
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How much local code may run between two visible accesses.
const LOCAL_LIMIT: usize = 10_000;
/// How many steps one operation of a sequential part may take.
const SEQUENTIAL_LIMIT: usize = 100_000;
/// How many threads a client may have, spawned ones included.
const MAX_THREADS: usize = 8;

/// How many cells an allocation has.
const CELLS: u32 = 8;

/// A running toy client.
#[derive(Clone, Debug)]
pub struct ToyMachine {
    program: Arc<Program>,
    client: Arc<Client>,
    prefix: Arc<[Ending]>,
    state: State,
}

/// Everything that steps change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    memory: Vec<i64>,
    threads: Vec<Thread>,
    /// Who waits at which condition, longest first.
    waiters: Vec<(i64, ThreadId)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    id: ThreadId,
    /// Position of the running operation in the client's thread; its length when done.
    index: u16,
    /// Which operation runs; a spawned thread runs just one.
    operation: Option<u16>,
    spawned: bool,
    argument: i64,
    /// Whether the running operation has taken its first step.
    called: bool,
    at: usize,
    registers: SmallVec<[i64; 8]>,
    allocated: usize,
    woken: Waiting,
    round: Round,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Waiting {
    No,
    /// In the queue of a condition.
    Condition(i64),
    /// Woken, must take this lock again.
    Relock(i64),
}

/// The current round of a spin loop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Round {
    /// Where the last `spin` stood and what the registers were there.
    last: Option<(usize, SmallVec<[i64; 8]>)>,
    /// What was read since, and its value.
    read: Vec<(i64, i64)>,
    /// The loop came round unchanged: it waits while what it read stays the same.
    waits: bool,
}

impl Subject for Program {
    type Machine = ToyMachine;

    fn operations(&self) -> &[Declared] {
        &self.declared
    }

    fn start(&self, client: &Client) -> Result<ToyMachine, StartError> {
        let mut memory = Vec::with_capacity(1 + self.cells.len());
        memory.push(0);
        memory.extend_from_slice(&self.cells);
        if self.arena > 0 {
            memory.resize(memory.len() + self.arena * (MAX_THREADS + 2), 0);
        }
        let mut machine = ToyMachine {
            program: Arc::new(self.clone()),
            client: Arc::new(client.clone()),
            prefix: Arc::from([]),
            state: State {
                memory,
                threads: Vec::new(),
                waiters: Vec::new(),
            },
        };
        machine.prefix = match machine.sequential(&client.before, MAX_THREADS as ThreadId) {
            Ok(endings) if endings.len() < client.before.len() => {
                let index = endings.len();
                return Err(StartError::PrefixBlocks { index });
            }
            Ok(endings) => endings.into(),
            Err((index, fault)) => return Err(StartError::Prefix { index, fault }),
        };
        for id in 0..client.threads.len() {
            let mut thread = Thread::new(id as ThreadId);
            machine
                .begin(&mut thread)
                .and_then(|()| machine.run_local(&mut thread).map(drop))
                .map_err(StartError::Constructor)?;
            machine.state.threads.push(thread);
        }
        Ok(machine)
    }

    fn site(&self, site: SiteId) -> Site {
        let (operation, line) = (site as usize >> 16, site & 0xffff);
        Site {
            file: self.name.clone(),
            line: line + 1,
            function: self.declared[operation].name.clone(),
            ..Site::default()
        }
    }

    fn fingerprint(&self) -> u64 {
        let mut hasher = FxHasher::default();
        format!("{:?}", (&self.cells, &self.operations)).hash(&mut hasher);
        hasher.finish()
    }
}

impl Thread {
    fn new(id: ThreadId) -> Self {
        Self {
            id,
            index: 0,
            operation: None,
            spawned: false,
            argument: 0,
            called: false,
            at: 0,
            registers: SmallVec::new(),
            allocated: 0,
            woken: Waiting::No,
            round: Round::default(),
        }
    }

    fn get(&self, operand: Operand) -> i64 {
        match operand {
            Operand::Constant(n) => n,
            Operand::Register(r) => self.registers[usize::from(r)],
            Operand::Argument => self.argument,
            // The sequential parts use the structures of thread 0.
            Operand::Thread if usize::from(self.id) >= MAX_THREADS => 0,
            Operand::Thread => i64::from(self.id),
        }
    }

    fn eval(&self, expression: &Expression) -> i64 {
        let mut value = self.get(expression.first);
        for &(operator, operand) in &expression.rest {
            let right = self.get(operand);
            value = match operator {
                Operator::Plus => value.wrapping_add(right),
                Operator::Minus => value.wrapping_sub(right),
                Operator::Times => value.wrapping_mul(right),
                Operator::Modulo => value.checked_rem_euclid(right).unwrap_or(0),
                Operator::Equal => i64::from(value == right),
                Operator::Unequal => i64::from(value != right),
                Operator::Less => i64::from(value < right),
            };
        }
        value
    }

    fn activation(&self) -> Activation {
        Activation {
            thread: self.id,
            index: self.index,
        }
    }

    fn site(&self) -> SiteId {
        (u32::from(self.operation.unwrap_or_default()) << 16) | self.at as u32
    }

    fn fault(&self, kind: FaultKind, message: String) -> Fault {
        Fault {
            kind,
            message,
            site: self.site(),
            related: None,
        }
    }
}

/// Neighbouring cells share an allocation, as the fields of a node do.
fn location(at: i64) -> Location {
    let at = u32::try_from(at).unwrap_or(0);
    Location {
        allocation: at / CELLS,
        offset: at % CELLS,
        size: 1,
    }
}

impl ToyMachine {
    /// Starts the next operation of the client's thread, if there is one.
    fn begin(&self, thread: &mut Thread) -> Result<(), Fault> {
        let next = (!thread.spawned)
            .then(|| self.client.threads.get(usize::from(thread.id)))
            .flatten()
            .and_then(|operations| operations.get(usize::from(thread.index)));
        thread.called = false;
        match next {
            Some(invocation) => self.enter(thread, invocation),
            None => {
                thread.operation = None;
                thread.registers.clear();
                thread.round = Round::default();
                Ok(())
            }
        }
    }

    fn enter(&self, thread: &mut Thread, invocation: &Invocation) -> Result<(), Fault> {
        let argument = match &invocation.argument {
            Value::Int(n) => *n,
            Value::Unit => 0,
            other => return Err(thread.fault(FaultKind::Unsupported, format!("argument {other}"))),
        };
        self.enter_code(thread, invocation.operation, argument);
        Ok(())
    }

    fn enter_code(&self, thread: &mut Thread, operation: u16, argument: i64) {
        let code = &self.program.operations[usize::from(operation)];
        thread.operation = Some(operation);
        thread.argument = argument;
        thread.at = 0;
        thread.registers.clear();
        thread.registers.resize(code.registers, 0);
        thread.round = Round::default();
    }

    fn instruction<'p>(program: &'p Program, thread: &Thread) -> &'p Instruction {
        let operation = usize::from(thread.operation.expect("a live thread runs an operation"));
        &program.operations[operation].code[thread.at]
    }

    fn check(&self, thread: &Thread, at: i64) -> Result<usize, Fault> {
        match usize::try_from(at) {
            Ok(cell) if cell > 0 && cell < self.state.memory.len() => Ok(cell),
            _ => Err(thread.fault(FaultKind::OutOfBounds, format!("there is no cell {at}"))),
        }
    }

    /// Runs local code up to the next visible instruction or return; true if it stands at a return.
    fn run_local(&mut self, thread: &mut Thread) -> Result<bool, Fault> {
        let program = self.program.clone();
        if thread.operation.is_none() {
            return Ok(false);
        }
        for _ in 0..LOCAL_LIMIT {
            let instruction = Self::instruction(&program, thread);
            let mut next = thread.at + 1;
            match instruction {
                Instruction::Return { .. } => return Ok(true),
                visible if visible.is_visible() => return Ok(false),
                Instruction::Alloc { into, cells } => {
                    let start = 1
                        + program.cells.len()
                        + program.arena * usize::from(thread.id)
                        + thread.allocated;
                    thread.allocated += cells;
                    if thread.allocated > program.arena {
                        let message = "the arena is used up".to_owned();
                        return Err(thread.fault(FaultKind::Unsupported, message));
                    }
                    thread.registers[usize::from(*into)] = start as i64;
                }
                Instruction::Init { at, value } => {
                    let cell = self.check(thread, thread.eval(at))?;
                    self.state.memory[cell] = thread.eval(value);
                }
                Instruction::Set { into, value } => {
                    thread.registers[usize::from(*into)] = thread.eval(value);
                }
                Instruction::Jump { condition, to } => {
                    if thread.eval(condition) != 0 {
                        next = *to;
                    }
                }
                Instruction::Spin { to } => {
                    spin(thread);
                    next = *to;
                }
                Instruction::Assert { condition } => {
                    if thread.eval(condition) == 0 {
                        let message = "the assertion does not hold".to_owned();
                        return Err(thread.fault(FaultKind::Assertion, message));
                    }
                }
                _ => unreachable!("visible instructions were taken above"),
            }
            thread.at = next;
        }
        let message = "local code without end".to_owned();
        Err(thread.fault(FaultKind::Unsupported, message))
    }

    /// The visible part of a step.
    fn perform(&mut self, thread: &mut Thread, branch: u8, step: &mut Step) -> Result<(), Fault> {
        let program = self.program.clone();
        if let Waiting::Relock(at) = thread.woken {
            thread.woken = Waiting::No;
            self.access(
                thread,
                step,
                Action::Lock,
                at,
                Some(i64::from(thread.id) + 1),
            )?;
            thread.at += 1;
            return Ok(());
        }
        if std::mem::take(&mut thread.round.waits) {
            thread.round.read.clear();
        }
        let instruction = Self::instruction(&program, thread);
        let holder = i64::from(thread.id) + 1;
        match instruction {
            Instruction::Read { into, at } => {
                let seen = self.access(thread, step, Action::Read, thread.eval(at), None)?;
                thread.registers[usize::from(*into)] = seen;
            }
            Instruction::Write { at, value } => {
                let value = thread.eval(value);
                self.access(thread, step, Action::Write, thread.eval(at), Some(value))?;
            }
            Instruction::Cas {
                into,
                at,
                expected,
                new,
            } => {
                let at = thread.eval(at);
                let ok = self.state.memory[self.check(thread, at)?] == thread.eval(expected);
                let (action, new) = if ok {
                    (Action::CasOk, Some(thread.eval(new)))
                } else {
                    (Action::CasFail, None)
                };
                self.access(thread, step, action, at, new)?;
                thread.registers[usize::from(*into)] = i64::from(ok);
            }
            Instruction::Dcas {
                into,
                at,
                expected,
                new,
            } => {
                let mut ok = true;
                for (at, expected) in at.iter().zip(expected) {
                    let cell = self.check(thread, thread.eval(at))?;
                    ok &= self.state.memory[cell] == thread.eval(expected);
                }
                for (at, new) in at.iter().zip(new) {
                    let at = thread.eval(at);
                    let old = self.state.memory[self.check(thread, at)?];
                    let new = if ok { thread.eval(new) } else { old };
                    // Counting the failure as a write is the safe side: its outcome depends on two cells.
                    self.access(thread, step, Action::Update, at, Some(new))?;
                }
                thread.registers[usize::from(*into)] = i64::from(ok);
            }
            Instruction::FetchAdd { into, at, value } => {
                let at = thread.eval(at);
                let old = self.state.memory[self.check(thread, at)?];
                let new = old.wrapping_add(thread.eval(value));
                self.access(thread, step, Action::Update, at, Some(new))?;
                thread.registers[usize::from(*into)] = old;
            }
            Instruction::Swap { into, at, value } => {
                let value = thread.eval(value);
                let old =
                    self.access(thread, step, Action::Update, thread.eval(at), Some(value))?;
                thread.registers[usize::from(*into)] = old;
            }
            Instruction::Lock { at } => {
                self.access(thread, step, Action::Lock, thread.eval(at), Some(holder))?;
            }
            Instruction::Unlock { at } => {
                let at = thread.eval(at);
                if self.state.memory[self.check(thread, at)?] != holder {
                    let message = "unlocks what it has not locked".to_owned();
                    return Err(thread.fault(FaultKind::Misuse, message));
                }
                self.access(thread, step, Action::Unlock, at, Some(0))?;
            }
            Instruction::TryLock { into, at } => {
                let at = thread.eval(at);
                let free = self.state.memory[self.check(thread, at)?] == 0;
                let (action, new) = if free {
                    (Action::Lock, Some(holder))
                } else {
                    (Action::LockFail, None)
                };
                self.access(thread, step, action, at, new)?;
                thread.registers[usize::from(*into)] = i64::from(free);
            }
            Instruction::Wait { condition, lock } => {
                let (condition, lock) = (thread.eval(condition), thread.eval(lock));
                self.access(thread, step, Action::Wait, condition, None)?;
                self.access(thread, step, Action::Unlock, lock, Some(0))?;
                self.state.waiters.push((condition, thread.id));
                thread.woken = Waiting::Condition(lock);
                return Ok(());
            }
            Instruction::Wake { condition } => {
                let at = thread.eval(condition);
                self.access(thread, step, Action::Wake, at, None)?;
                if let Some(first) = self.state.waiters.iter().position(|w| w.0 == at) {
                    let (_, id) = self.state.waiters.remove(first);
                    let sleeper = &mut self.state.threads[usize::from(id)];
                    if let Waiting::Condition(lock) = sleeper.woken {
                        sleeper.woken = Waiting::Relock(lock);
                    }
                }
            }
            Instruction::Spawn {
                into,
                operation,
                argument,
            } => {
                let id = self.state.threads.len();
                if id >= MAX_THREADS {
                    let message = format!("more than {MAX_THREADS} threads");
                    return Err(thread.fault(FaultKind::Unsupported, message));
                }
                let mut child = Thread::new(id as ThreadId);
                child.spawned = true;
                self.enter_code(&mut child, *operation, thread.eval(argument));
                self.run_local(&mut child)?;
                self.state.threads.push(child);
                thread.registers[usize::from(*into)] = id as i64;
                step.other = Some(id as ThreadId);
            }
            Instruction::Join { thread: other } => {
                step.other = Some(thread.eval(other) as ThreadId);
            }
            Instruction::Choose { into, .. } => {
                thread.registers[usize::from(*into)] = i64::from(branch);
            }
            local => unreachable!("{local:?} is local"),
        }
        thread.at += 1;
        Ok(())
    }

    fn access(
        &mut self,
        thread: &mut Thread,
        step: &mut Step,
        action: Action,
        at: i64,
        new: Option<i64>,
    ) -> Result<i64, Fault> {
        let cell = self.check(thread, at)?;
        let old = self.state.memory[cell];
        match new {
            Some(value) => {
                self.state.memory[cell] = value;
                thread.round = Round::default();
            }
            // Only loops that have spun once are watched.
            None if thread.round.last.is_some() => thread.round.read.push((at, old)),
            None => {}
        }
        step.accesses.push(Access {
            action,
            location: location(at),
            read: old as u64,
            written: new.unwrap_or(old) as u64,
            ordering: Ordering::SeqCst,
            site: thread.site(),
        });
        Ok(old)
    }

    /// After the visible part: local code, the return if the operation ends there, the next operation's local beginning.
    fn settle(&mut self, thread: &mut Thread, step: &mut Step) -> Result<(), Fault> {
        if thread.woken != Waiting::No || !self.run_local(thread)? {
            return Ok(());
        }
        let Instruction::Return { result } = Self::instruction(&self.program, thread) else {
            unreachable!("run_local said so")
        };
        let value = match result {
            Returns::Int(e) => Value::Int(thread.eval(e)),
            Returns::Bool(e) => Value::Bool(thread.eval(e) != 0),
            Returns::Unit => Value::Unit,
            Returns::Nil => Value::Nil,
        };
        if !thread.spawned {
            step.returned = Some((thread.activation(), Ending::Returned(value)));
        }
        thread.index += 1;
        self.begin(thread)?;
        self.run_local(thread)?;
        Ok(())
    }

    /// Runs operations one after the other, up to the first that blocks; gives the position of the one that failed.
    fn sequential(
        &mut self,
        operations: &[Invocation],
        id: ThreadId,
    ) -> Result<Vec<Ending>, (usize, Fault)> {
        let mut endings = Vec::new();
        let mut thread = Thread::new(id);
        for (index, invocation) in operations.iter().enumerate() {
            let failed = |fault| (index, fault);
            self.enter(&mut thread, invocation).map_err(failed)?;
            self.run_local(&mut thread).map_err(failed)?;
            let mut left = SEQUENTIAL_LIMIT;
            loop {
                if left == 0 || self.stand(&thread) != Status::Ready {
                    return Ok(endings);
                }
                left -= 1;
                let mut step = empty_step(Choice::of(id));
                if self.is_visible(&thread) {
                    self.perform(&mut thread, 0, &mut step).map_err(failed)?;
                }
                self.settle(&mut thread, &mut step).map_err(failed)?;
                if let Some((_, ending)) = step.returned {
                    endings.push(ending);
                    break;
                }
            }
        }
        Ok(endings)
    }

    fn is_visible(&self, thread: &Thread) -> bool {
        Self::instruction(&self.program, thread).is_visible()
    }

    fn is_unchanged(&self, round: &Round) -> bool {
        let mut read = round.read.iter();
        read.all(|&(at, value)| self.state.memory[at as usize] == value)
    }

    fn stand(&self, thread: &Thread) -> Status {
        let held = |at: i64| match self.state.memory.get(at as usize) {
            Some(&holder) if holder != 0 => Status::Blocked(Blocked::Lock {
                location: location(at),
                holder: Some((holder - 1) as ThreadId),
            }),
            _ => Status::Ready,
        };
        if thread.operation.is_none() {
            return Status::Done;
        }
        match (thread.woken, Self::instruction(&self.program, thread)) {
            (Waiting::Condition(_), Instruction::Wait { condition, .. }) => {
                Status::Blocked(Blocked::Wait(location(thread.eval(condition))))
            }
            (Waiting::Relock(at), _) => held(at),
            _ if thread.round.waits && self.is_unchanged(&thread.round) => {
                let read = thread.round.read.iter();
                Status::Blocked(Blocked::Spin(read.map(|&(at, _)| location(at)).collect()))
            }
            (_, Instruction::Lock { at }) => held(thread.eval(at)),
            (_, Instruction::Join { thread: other }) => {
                let other = thread.eval(other) as ThreadId;
                match self.state.threads.get(usize::from(other)) {
                    Some(t) if t.operation.is_some() => Status::Blocked(Blocked::Join(other)),
                    _ => Status::Ready,
                }
            }
            _ => Status::Ready,
        }
    }
}

/// The end of a round of a spin loop.
fn spin(thread: &mut Thread) {
    let here = (thread.at, thread.registers.clone());
    if thread.round.last.as_ref() == Some(&here) {
        thread.round.waits = true;
    } else {
        thread.round = Round {
            last: Some(here),
            ..Round::default()
        };
    }
}

fn empty_step(choice: Choice) -> Step {
    Step {
        choice,
        called: None,
        invocation: None,
        accesses: SmallVec::new(),
        returned: None,
        other: None,
        fault: None,
    }
}

impl Machine for ToyMachine {
    type Snapshot = State;

    fn threads(&self) -> usize {
        self.state.threads.len()
    }

    fn status(&self, thread: ThreadId) -> Status {
        self.stand(&self.state.threads[usize::from(thread)])
    }

    fn alternatives(&self, thread: ThreadId) -> u8 {
        let thread = &self.state.threads[usize::from(thread)];
        match thread
            .operation
            .map(|_| Self::instruction(&self.program, thread))
        {
            Some(Instruction::Choose { ways, .. }) => *ways,
            _ => 1,
        }
    }

    fn next_site(&self, thread: ThreadId) -> Option<SiteId> {
        let thread = &self.state.threads[usize::from(thread)];
        (thread.operation.is_some() && self.is_visible(thread)).then(|| thread.site())
    }

    fn step(&mut self, choice: Choice) -> Step {
        assert_eq!(self.status(choice.thread), Status::Ready, "{choice:?}");
        let mut step = empty_step(choice);
        let slot = usize::from(choice.thread);
        // Out of the list while it runs; a stand-in keeps the others' positions.
        let mut thread =
            std::mem::replace(&mut self.state.threads[slot], Thread::new(choice.thread));
        if !thread.called && !thread.spawned {
            step.called = Some(thread.activation());
        }
        thread.called = true;
        let visible = self.is_visible(&thread);
        let outcome = if visible {
            self.perform(&mut thread, choice.branch, &mut step)
        } else {
            Ok(())
        };
        let outcome = outcome.and_then(|()| self.settle(&mut thread, &mut step));
        step.fault = outcome.err();
        self.state.threads[slot] = thread;
        step
    }

    fn snapshot(&mut self) -> State {
        self.state.clone()
    }

    fn restore(&mut self, snapshot: &State) {
        self.state.clone_from(snapshot);
    }

    fn prefix(&self) -> &[Ending] {
        &self.prefix
    }

    fn finish(&mut self) -> Result<Vec<Ending>, Fault> {
        let client = self.client.clone();
        self.sequential(&client.after, MAX_THREADS as ThreadId + 1)
            .map_err(|(_, fault)| fault)
    }

    fn fingerprint(&mut self) -> u128 {
        let mut low = FxHasher::default();
        self.state.hash(&mut low);
        let mut high = FxHasher::default();
        (0x9e37_79b9_u32, &self.state).hash(&mut high);
        (u128::from(high.finish()) << 64) | u128::from(low.finish())
    }

    fn name(&self, location: Location) -> String {
        let cell = (location.allocation * CELLS + location.offset) as usize;
        match self.program.names.get(cell.wrapping_sub(1)) {
            Some(name) => name.clone(),
            None => format!("cell {cell}"),
        }
    }
}
