//! Runs toy programs one step at a time.

use crate::program::{Instruction, Program, Result as Returns};
use crate::retry::{Attempts, Flaw};
use crate::thread::{Round, Thread, Waiting, spin};
use crate::unwritten::show_round;
use crate::weak::{Wanted, Weak};
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::consistency::{self, Cell};
use linspect_core::execution::{
    Ending, EventId, Fault, FaultKind, Location, MemoryModel, SiteId, Step,
};
use linspect_core::machine::{
    Additions, Blocked, Machine, Retries, Site, StartError, Status, Subject,
};
use linspect_core::schedule::{Choice, ThreadId};
use linspect_core::unwritten::Unwritten;
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
pub(super) const MAX_THREADS: usize = 8;

/// How many cells an allocation has.
const CELLS: u32 = 8;

/// A running toy client.
#[derive(Clone, Debug)]
pub struct ToyMachine {
    pub(super) program: Arc<Program>,
    client: Arc<Client>,
    prefix: Arc<[Ending]>,
    pub(super) state: State,
    pub(super) retries: Retries,
    pub(super) additions: Additions,
    pub(super) unwritten: Option<Arc<Unwritten>>,
    pub(super) flaw: Option<Flaw>,
}

/// Everything that steps change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// What was written last, in modification order.
    pub(super) memory: Vec<i64>,
    /// All that was written since the threads have started, under C20.
    pub(super) weak: Option<Weak>,
    pub(super) threads: Vec<Thread>,
    /// Who waits at which condition, longest first.
    pub(super) waiters: Vec<(i64, ThreadId)>,
    /// The process has ended.
    pub(super) exited: bool,
    pub(super) attempts: Attempts,
}

impl Subject for Program {
    type Machine = ToyMachine;

    fn operations(&self) -> &[Declared] {
        &self.declared
    }

    fn memory_model(&self) -> MemoryModel {
        self.memory
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
                weak: None,
                threads: Vec::new(),
                waiters: Vec::new(),
                exited: false,
                attempts: Attempts::default(),
            },
            retries: Retries::Wake,
            additions: Additions::Ordered,
            unwritten: None,
            flaw: None,
        };
        let mut threads: Vec<Thread> = (0..client.threads.len() as ThreadId)
            .map(Thread::new)
            .collect();
        machine.prefix = machine.prefixed(client, &mut threads)?.into();
        if self.memory == MemoryModel::C20 {
            let threads = client.threads.len();
            machine.state.weak = Some(Weak::new(&machine.state.memory, threads));
        }
        for mut thread in threads {
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

/// Neighbouring cells share an allocation, as the fields of a node do.
pub(super) fn location(at: i64) -> Location {
    let at = u32::try_from(at).unwrap_or(0);
    Location {
        allocation: at / CELLS,
        offset: at % CELLS,
        size: 1,
    }
}

/// The cell at a location.
pub(super) fn cell(location: Location) -> i64 {
    i64::from(location.allocation * CELLS + location.offset)
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

    pub(super) fn enter_code(&self, thread: &mut Thread, operation: u16, argument: i64) {
        let code = &self.program.operations[usize::from(operation)];
        thread.operation = Some(operation);
        thread.argument = argument;
        thread.at = 0;
        thread.registers.clear();
        thread.registers.resize(code.registers, 0);
        thread.round = Round::default();
    }

    pub(super) fn instruction<'p>(program: &'p Program, thread: &Thread) -> &'p Instruction {
        let operation = usize::from(thread.operation.expect("a live thread runs an operation"));
        &program.operations[operation].code[thread.at]
    }

    pub(super) fn check(&self, thread: &Thread, at: i64) -> Result<usize, Fault> {
        match usize::try_from(at) {
            Ok(cell) if cell > 0 && cell < self.state.memory.len() => Ok(cell),
            _ => Err(thread.fault(FaultKind::OutOfBounds, format!("there is no cell {at}"))),
        }
    }

    /// Runs local code up to the next visible instruction or return; true if it stands at a return.
    pub(super) fn run_local(&mut self, thread: &mut Thread) -> Result<bool, Fault> {
        let program = self.program.clone();
        if thread.operation.is_none() {
            return Ok(false);
        }
        for _ in 0..LOCAL_LIMIT {
            let instruction = Self::instruction(&program, thread);
            let mut next = thread.at + 1;
            match instruction {
                Instruction::Return { .. } => return Ok(true),
                Instruction::Read { into, at, .. } if self.reads_unseen(thread, at) => {
                    let cell = self.check(thread, thread.eval(at))?;
                    thread.unseen += 1;
                    thread.registers[usize::from(*into)] = self.state.memory[cell];
                }
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
                    if let Some(weak) = &mut self.state.weak {
                        weak.init(cell, thread.eval(value));
                    }
                }
                Instruction::Fence { order } => {
                    thread.fences.push(*order);
                    if let Some(weak) = self.weak_mut(thread.id) {
                        weak.fence(thread.id, *order);
                    }
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
                    show_round(thread);
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

    /// After the visible part: local code, the return if the operation ends there, the next operation's local beginning.
    fn settle(&mut self, thread: &mut Thread, step: &mut Step) -> Result<(), Fault> {
        if self.state.exited || thread.woken != Waiting::No || !self.run_local(thread)? {
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

    /// Runs the prefix: what threads do to warm up on these `threads`, the rest on one of its own.
    fn prefixed(
        &mut self,
        client: &Client,
        threads: &mut [Thread],
    ) -> Result<Vec<Ending>, StartError> {
        let mut main = Thread::new(MAX_THREADS as ThreadId);
        let mut all = Vec::new();
        for (index, invocation) in client.before.iter().enumerate() {
            let thread = match client.warms_up(index) {
                Some(id) => &mut threads[usize::from(id)],
                None => &mut main,
            };
            // It must not go on with what the client's thread does then.
            thread.index = u16::MAX - 1;
            let endings = self.sequential(std::slice::from_ref(invocation), thread);
            thread.index = 0;
            thread.fences.clear();
            match endings {
                Ok(ending) if ending.is_empty() => return Err(StartError::PrefixBlocks { index }),
                Ok(ending) => all.extend(ending),
                Err((_, fault)) => return Err(StartError::Prefix { index, fault }),
            }
        }
        Ok(all)
    }

    /// Runs operations one after the other, up to the first that blocks; gives the position of the one that failed.
    fn sequential(
        &mut self,
        operations: &[Invocation],
        thread: &mut Thread,
    ) -> Result<Vec<Ending>, (usize, Fault)> {
        let mut endings = Vec::new();
        for (index, invocation) in operations.iter().enumerate() {
            let failed = |fault| (index, fault);
            self.enter(thread, invocation).map_err(failed)?;
            self.run_local(thread).map_err(failed)?;
            let mut left = SEQUENTIAL_LIMIT;
            loop {
                if left == 0 || self.stand(thread) != Status::Ready {
                    return Ok(endings);
                }
                left -= 1;
                let mut step = empty_step(Choice::of(thread.id));
                if self.is_visible(thread) {
                    self.perform(thread, 0, &mut step).map_err(failed)?;
                }
                self.settle(thread, &mut step).map_err(failed)?;
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
        if thread.operation.is_none() || self.state.exited {
            return Status::Done;
        }
        if thread.parked || (self.has(Flaw::Abandon) && self.is_abandoned()) {
            return Status::Blocked(Blocked::Parked);
        }
        match (thread.woken, Self::instruction(&self.program, thread)) {
            (Waiting::Condition(_), Instruction::Wait { condition, .. }) => {
                Status::Blocked(Blocked::Wait(location(thread.eval(condition))))
            }
            (Waiting::Relock(at), _) => held(at),
            _ if thread.round.waits
                && (self.is_unchanged(&thread.round) || self.has(Flaw::NoQuestion)) =>
            {
                let read = thread.round.read.iter();
                Status::Blocked(Blocked::Spin(read.map(|&(at, _)| location(at)).collect()))
            }
            _ if thread.round.waits && self.retries == Retries::Park => {
                Status::Blocked(Blocked::Parked)
            }
            (_, Instruction::Lock { at }) => held(thread.eval(at)),
            (_, Instruction::Join { thread: other }) => {
                let other = thread.eval(other) as ThreadId;
                match self.state.threads.get(usize::from(other)) {
                    Some(t) if t.operation.is_some() => Status::Blocked(Blocked::Join(other)),
                    _ => Status::Ready,
                }
            }
            (_, Instruction::Exit) if !self.program.hasty => self
                .others_going_on(thread.id)
                .map_or(Status::Ready, |other| Status::Blocked(Blocked::Exit(other))),
            _ => Status::Ready,
        }
    }

    /// A thread that can go on and does not stand at the end of the process.
    fn others_going_on(&self, except: ThreadId) -> Option<ThreadId> {
        let mut others = self.state.threads.iter();
        let other = others.find(|t| {
            let leaves = || matches!(Self::instruction(&self.program, t), Instruction::Exit);
            t.id != except && t.operation.is_some() && !leaves() && self.stand(t) == Status::Ready
        });
        other.map(|t| t.id)
    }

    /// Takes a step, whatever becomes of the thread then.
    pub(super) fn take(&mut self, choice: Choice) -> Step {
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
        step.aside.fences = std::mem::take(&mut thread.fences);
        let visible = self.is_visible(&thread);
        thread.unseen = 0;
        let outcome = if visible {
            self.perform(&mut thread, choice.branch, &mut step)
        } else {
            Ok(())
        };
        let outcome = outcome.and_then(|()| self.settle(&mut thread, &mut step));
        step.fault = outcome.err();
        if let Some(weak) = &mut self.state.weak {
            weak.stepped(choice.thread);
        }
        self.state.threads[slot] = thread;
        step
    }

    /// Memory under C20, for a thread of the concurrent part.
    pub(super) fn weak_mut(&mut self, thread: ThreadId) -> Option<&mut Weak> {
        let weak = self.state.weak.as_mut();
        weak.filter(|_| usize::from(thread) < MAX_THREADS)
    }

    /// The cell that the next step of `thread` accesses, and how, if it may do so in several ways under C20.
    fn wanted(&self, thread: &Thread) -> Option<(i64, Wanted)> {
        thread.operation?;
        Some(match Self::instruction(&self.program, thread) {
            Instruction::Read { at, .. } => (thread.eval(at), Wanted::Read),
            Instruction::Write { at, .. } => (thread.eval(at), Wanted::Write),
            Instruction::FetchAdd { at, .. } | Instruction::Swap { at, .. } => {
                (thread.eval(at), Wanted::Update)
            }
            Instruction::Cas { at, expected, .. } => {
                (thread.eval(at), Wanted::Compare(thread.eval(expected)))
            }
            _ => return None,
        })
    }

    /// The messages that the next step of `thread` may read or write after; none if there is no choice.
    fn ways(&self, thread: &Thread) -> Vec<usize> {
        let (Some(weak), Some((at, wanted))) = (&self.state.weak, self.wanted(thread)) else {
            return Vec::new();
        };
        match self.check(thread, at) {
            Ok(cell) => weak.ways(thread.id, cell, wanted, self.flaw),
            Err(_) => Vec::new(),
        }
    }

    /// Whether somebody is parked.
    fn is_abandoned(&self) -> bool {
        let mut threads = self.state.threads.iter();
        threads.any(|t| t.parked || t.round.waits)
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
        aside: linspect_core::execution::Aside::default(),
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
            _ => u8::try_from(self.ways(thread).len().max(1)).unwrap_or(u8::MAX),
        }
    }

    fn message(&self, thread: ThreadId, event: Option<EventId>) -> Option<u8> {
        let thread = &self.state.threads[usize::from(thread)];
        let weak = self.state.weak.as_ref()?;
        let cell = usize::try_from(self.wanted(thread)?.0).ok()?;
        let ways = self.ways(thread);
        let way = ways.iter().position(|&m| weak.writer(cell, m) == event)?;
        u8::try_from(way).ok()
    }

    fn next_site(&self, thread: ThreadId) -> Option<SiteId> {
        let thread = &self.state.threads[usize::from(thread)];
        (thread.operation.is_some() && self.is_visible(thread)).then(|| thread.site())
    }

    fn next_place(&self, thread: ThreadId) -> Option<Cell> {
        let thread = &self.state.threads[usize::from(thread)];
        thread.operation?;
        let at = match Self::instruction(&self.program, thread) {
            Instruction::Read { at, .. }
            | Instruction::Write { at, .. }
            | Instruction::Cas { at, .. }
            | Instruction::FetchAdd { at, .. }
            | Instruction::Swap { at, .. }
            | Instruction::Lock { at }
            | Instruction::Unlock { at }
            | Instruction::TryLock { at, .. } => at,
            _ => return None,
        };
        Some(consistency::cell(location(thread.eval(at))))
    }

    fn step(&mut self, choice: Choice) -> Step {
        match self.retries {
            Retries::Wake => self.take(choice),
            Retries::Park => self.step_watched(choice),
        }
    }

    fn set_retries(&mut self, retries: Retries) {
        self.retries = retries;
    }

    fn set_additions(&mut self, additions: Additions) {
        self.additions = additions;
    }

    fn set_unwritten(&mut self, unwritten: Option<Arc<Unwritten>>) {
        self.unwritten = unwritten;
        self.pass_unseen();
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
        self.sequential(&client.after, &mut Thread::new(MAX_THREADS as ThreadId + 1))
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
        let cell = cell(location) as usize;
        match self.program.names.get(cell.wrapping_sub(1)) {
            Some(name) => name.clone(),
            None => format!("cell {cell}"),
        }
    }
}
