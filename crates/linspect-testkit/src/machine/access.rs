//! Accesses: what can be accessed, and what becomes of the state when a thread makes the access at which it stands.

use super::{Fault, Run, State};
use crate::code::Instruction;
use crate::language::{Guard, Statement};

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
    /// Whether it adds to what is there.
    pub adds: bool,
}

impl Run<'_> {
    /// Makes the access at which a thread stands, if it can be made now.
    pub(super) fn visible(
        &self,
        state: &mut State,
        thread: usize,
        accesses: &mut Vec<Access>,
    ) -> Result<bool, Fault> {
        let (function, at) = (state.threads[thread].function, state.threads[thread].at);
        let flat = &self.code.functions[usize::from(function)];
        let mut next = at + 1;
        let mut touch = |location, writes| {
            accesses.push(Access {
                location,
                writes,
                adds: false,
            });
        };
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
        let mut touch = |location, writes| {
            accesses.push(Access {
                location,
                writes,
                adds: false,
            });
        };
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
                accesses.push(Access {
                    location: state.location(thread, *place),
                    writes: true,
                    adds: true,
                });
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
