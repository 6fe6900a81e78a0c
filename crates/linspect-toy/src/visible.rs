//! The visible instructions of toy programs: what a step does to memory, locks and other threads.

use crate::machine::{MAX_THREADS, ToyMachine, location};
use crate::program::Instruction;
use crate::thread::{Round, Thread, Waiting};
use crate::weak::Wanted;
use linspect_core::execution::{Access, Action, Fault, FaultKind, Location, Ordering, Step};
use linspect_core::machine::Additions;
use linspect_core::schedule::ThreadId;

impl ToyMachine {
    /// The visible part of a step.
    pub(super) fn perform(
        &mut self,
        thread: &mut Thread,
        branch: u8,
        step: &mut Step,
    ) -> Result<(), Fault> {
        let program = self.program.clone();
        if let Waiting::Relock(at) = thread.woken {
            thread.woken = Waiting::No;
            let way = self.way(thread, at, Wanted::Update, 0)?;
            let holder = Some(i64::from(thread.id) + 1);
            self.access(thread, step, Action::Lock, &way, holder, Ordering::Acquire);
            thread.at += 1;
            return Ok(());
        }
        if std::mem::take(&mut thread.round.waits) {
            thread.round.read.clear();
        }
        let instruction = Self::instruction(&program, thread);
        let holder = i64::from(thread.id) + 1;
        match instruction {
            Instruction::Read { into, at, order } => {
                let way = self.way(thread, thread.eval(at), Wanted::Read, branch)?;
                self.access(thread, step, Action::Read, &way, None, *order);
                thread.registers[usize::from(*into)] = way.value;
            }
            Instruction::Write { at, value, order } => {
                let value = Some(thread.eval(value));
                let way = self.way(thread, thread.eval(at), Wanted::Write, branch)?;
                self.access(thread, step, Action::Write, &way, value, *order);
            }
            Instruction::Cas {
                into,
                found,
                at,
                expected,
                new,
                order,
                failure,
            } => {
                let expected = thread.eval(expected);
                let wanted = Wanted::Compare(expected);
                let way = self.way(thread, thread.eval(at), wanted, branch)?;
                let ok = way.value == expected;
                let new = thread.eval(new);
                if ok {
                    self.access(thread, step, Action::CasOk, &way, Some(new), *order);
                } else {
                    self.access(thread, step, Action::CasFail, &way, None, *failure);
                }
                thread.registers[usize::from(*into)] = i64::from(ok);
                if let Some(found) = found {
                    thread.registers[usize::from(*found)] = way.value;
                }
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
                    let way = self.way(thread, thread.eval(at), Wanted::Update, 0)?;
                    let new = if ok { thread.eval(new) } else { way.value };
                    // Counting the failure as a write is the safe side: its outcome depends on two cells.
                    self.access(
                        thread,
                        step,
                        Action::Update,
                        &way,
                        Some(new),
                        Ordering::SeqCst,
                    );
                }
                thread.registers[usize::from(*into)] = i64::from(ok);
            }
            Instruction::FetchAdd {
                into,
                at,
                value,
                order,
            } => {
                let way = self.way(thread, thread.eval(at), Wanted::Update, branch)?;
                let new = way.value.wrapping_add(thread.eval(value));
                self.access(thread, step, Action::Update, &way, Some(new), *order);
                match into {
                    Some(into) => thread.registers[usize::from(*into)] = way.value,
                    None => self.tell_addition(step),
                }
            }
            Instruction::Swap {
                into,
                at,
                value,
                order,
            } => {
                let value = Some(thread.eval(value));
                let way = self.way(thread, thread.eval(at), Wanted::Update, branch)?;
                self.access(thread, step, Action::Update, &way, value, *order);
                thread.registers[usize::from(*into)] = way.value;
            }
            Instruction::Lock { at } => {
                let way = self.way(thread, thread.eval(at), Wanted::Update, 0)?;
                self.access(thread, step, Action::Lock, &way, Some(holder), ACQUIRE);
            }
            Instruction::Unlock { at } => {
                let way = self.way(thread, thread.eval(at), Wanted::Update, 0)?;
                if way.value != holder {
                    let message = "unlocks what it has not locked".to_owned();
                    return Err(thread.fault(FaultKind::Misuse, message));
                }
                self.access(thread, step, Action::Unlock, &way, Some(0), RELEASE);
            }
            Instruction::TryLock { into, at } => {
                let way = self.way(thread, thread.eval(at), Wanted::Update, 0)?;
                let free = way.value == 0;
                if free {
                    self.access(thread, step, Action::Lock, &way, Some(holder), ACQUIRE);
                } else {
                    self.access(thread, step, Action::LockFail, &way, None, ACQUIRE);
                }
                thread.registers[usize::from(*into)] = i64::from(free);
            }
            Instruction::Wait { condition, lock } => {
                let (condition, lock) = (thread.eval(condition), thread.eval(lock));
                let way = self.way(thread, condition, Wanted::Update, 0)?;
                self.queue(thread, step, Action::Wait, &way);
                let way = self.way(thread, lock, Wanted::Update, 0)?;
                self.access(thread, step, Action::Unlock, &way, Some(0), RELEASE);
                self.state.waiters.push((condition, thread.id));
                thread.woken = Waiting::Condition(lock);
                return Ok(());
            }
            Instruction::Wake { condition } => {
                let at = thread.eval(condition);
                let way = self.way(thread, at, Wanted::Update, 0)?;
                self.queue(thread, step, Action::Wake, &way);
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
                if let Some(weak) = self.weak_mut(thread.id) {
                    weak.spawn(thread.id);
                }
                self.run_local(&mut child)?;
                self.state.threads.push(child);
                thread.registers[usize::from(*into)] = id as i64;
                step.other = Some(id as ThreadId);
                step.accesses.push(beside_memory(Action::Spawn, thread));
            }
            Instruction::Join { thread: other } => {
                let other = thread.eval(other) as ThreadId;
                if let Some(weak) = self.weak_mut(thread.id) {
                    weak.join_thread(thread.id, other);
                }
                step.other = Some(other);
            }
            Instruction::Exit => {
                self.state.exited = true;
                step.accesses.push(beside_memory(Action::Exit, thread));
            }
            Instruction::Choose { into, .. } => {
                thread.registers[usize::from(*into)] = i64::from(branch);
            }
            local => unreachable!("{local:?} is local"),
        }
        thread.at += 1;
        Ok(())
    }

    /// What `thread` reads at `at`, or writes after, if it goes this way.
    fn way(&self, thread: &Thread, at: i64, wanted: Wanted, branch: u8) -> Result<Way, Fault> {
        let cell = self.check(thread, at)?;
        let weak = self.state.weak.as_ref();
        Ok(
            match weak.filter(|_| usize::from(thread.id) < MAX_THREADS) {
                Some(weak) => {
                    let message = match wanted {
                        Wanted::Update if branch == 0 => weak.last(cell),
                        _ => weak.ways(thread.id, cell, wanted, self.flaw)[usize::from(branch)],
                    };
                    let value = weak.value(cell, message);
                    Way { at, message, value }
                }
                None => Way {
                    at,
                    message: 0,
                    value: self.state.memory[cell],
                },
            },
        )
    }

    /// An access of the queue at a condition, which changes nothing in memory.
    fn queue(&mut self, thread: &mut Thread, step: &mut Step, action: Action, way: &Way) {
        self.access(thread, step, action, way, None, Ordering::AcqRel);
        let cell = way.at as usize;
        if let Some(weak) = self.weak_mut(thread.id) {
            let update = (true, Ordering::AcqRel);
            weak.write(thread.id, cell, way.message, way.value, update, None);
        }
    }

    /// Tells the addition that `step` has just made, and of which nobody uses what was there, so that its order with others does not matter, if that is asked for.
    fn tell_addition(&self, step: &mut Step) {
        if self.additions == Additions::Unordered
            && let Some(access) = step.accesses.last_mut()
            && access.read != access.written
        {
            access.action = Action::Add;
            (access.read, access.written) = (0, 1);
        }
    }

    fn access(
        &mut self,
        thread: &mut Thread,
        step: &mut Step,
        action: Action,
        way: &Way,
        new: Option<i64>,
        order: Ordering,
    ) {
        let flaw = self.flaw;
        let cell = way.at as usize;
        let mut messages = (None, None);
        match self.weak_mut(thread.id) {
            Some(weak) => {
                let writer = weak.writer(cell, way.message);
                if action != Action::Write {
                    weak.read(thread.id, cell, way.message, order);
                    messages.0 = writer;
                }
                if let Some(value) = new {
                    let update = action != Action::Write;
                    let how = (update, order);
                    weak.write(thread.id, cell, way.message, value, how, flaw);
                    messages.1 = writer;
                }
                let last = weak.value(cell, weak.last(cell));
                self.state.memory[cell] = last;
            }
            None => {
                if let Some(value) = new {
                    self.state.memory[cell] = value;
                }
            }
        }
        match new {
            Some(_) => thread.round = Round::default(),
            // Only loops that have spun once are watched.
            None if thread.round.last.is_some() => thread.round.read.push((way.at, way.value)),
            None => {}
        }
        step.accesses.push(Access {
            action,
            location: location(way.at),
            read: way.value as u64,
            written: new.unwrap_or(way.value) as u64,
            ordering: match action {
                Action::Read | Action::Write | Action::Update => order,
                Action::CasOk | Action::CasFail => order,
                _ => Ordering::SeqCst,
            },
            site: thread.site(),
            from: messages.0,
            after: messages.1,
        });
    }
}

const ACQUIRE: Ordering = Ordering::Acquire;
const RELEASE: Ordering = Ordering::Release;

/// What an access reads, or writes after.
struct Way {
    at: i64,
    /// Which message, under C20.
    message: usize,
    value: i64,
}

/// What a step does that is no access to memory.
fn beside_memory(action: Action, thread: &Thread) -> Access {
    Access {
        action,
        location: Location {
            allocation: 0,
            offset: 0,
            size: 0,
        },
        read: 0,
        written: 0,
        ordering: Ordering::SeqCst,
        site: thread.site(),
        from: None,
        after: None,
    }
}
