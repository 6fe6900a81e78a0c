//! The visible instructions of toy programs: what a step does to memory, locks and other threads.

use super::machine::{MAX_THREADS, ToyMachine, location};
use super::program::Instruction;
use super::thread::{Round, Thread, Waiting};
use linspect_core::execution::{Access, Action, Fault, FaultKind, Location, Ordering, Step};
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
                found,
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
                let old = self.access(thread, step, action, at, new)?;
                thread.registers[usize::from(*into)] = i64::from(ok);
                if let Some(found) = found {
                    thread.registers[usize::from(*found)] = old;
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
                step.accesses.push(beside_memory(Action::Spawn, thread));
            }
            Instruction::Join { thread: other } => {
                step.other = Some(thread.eval(other) as ThreadId);
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
            from: None,
            after: None,
        });
        Ok(old)
    }
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
