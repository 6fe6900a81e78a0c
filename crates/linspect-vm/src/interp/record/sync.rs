//! Locks, semaphores and the like: a condition on a word, and a change of it, as in the paper.

use super::memory::word_at;
use super::scopes::Reach;
use super::{Before, Recorder};
use crate::interp::Cpu;
use crate::memory::{Memory, address};
use linspect_core::execution::{Action, Location};
use linspect_core::statement::{Operand, Relation, Rule, Variable};
use smallvec::{SmallVec, smallvec};

/// A word of a lock, before and after.
struct Word {
    cell: Location,
    old: i64,
    new: i64,
}

impl Word {
    fn of(memory: &Memory, earlier: &Memory, lock: Location, offset: u32) -> Self {
        let cell = Location {
            offset: lock.offset + offset,
            size: 4,
            ..lock
        };
        let at = address::base(cell.allocation) + u64::from(cell.offset);
        Self {
            cell,
            old: word_at(earlier, at, 4),
            new: word_at(memory, at, 4),
        }
    }
}

impl Recorder {
    /// What the model that has just run did to locks: the words that decided it. Empty if it does not synchronise.
    pub(super) fn note_synchronisation(
        &mut self,
        cpu: &Cpu<'_>,
        symbol: &str,
        before: &Before,
    ) -> SmallVec<[Location; 1]> {
        let Some(earlier) = &before.memory else {
            return SmallVec::new();
        };
        let mut decided = SmallVec::new();
        for access in &cpu.record.accesses[before.accesses..] {
            if access.location.size != 4 {
                continue;
            }
            let word = |offset| Word::of(cpu.memory, earlier, access.location, offset);
            let read_write = symbol.starts_with("pthread_rwlock");
            match access.action {
                Action::Lock if read_write && symbol.contains("rdlock") => {
                    self.require_free(&word(4), access.location);
                    self.change(&word(0));
                }
                Action::Lock if read_write => {
                    self.require_free(&word(0), access.location);
                    self.change(&word(4));
                }
                Action::Lock => {
                    self.require_free(&word(0), access.location);
                    self.change(&word(0));
                }
                Action::Unlock => {
                    self.scopes.release(self.lane, access.location);
                    let readers = word(0);
                    let released = if read_write && readers.old == readers.new {
                        word(4)
                    } else {
                        readers
                    };
                    self.change(&released);
                }
                Action::Wait if word(0).old > 0 => {
                    let word = word(0);
                    let operand = self.reading(word.cell, word.old);
                    self.require(operand, Relation::Gt, 0, Reach::Lock(word.cell));
                    self.scopes.release(self.lane, word.cell);
                    self.change(&word);
                }
                Action::Post if word(0).old != word(0).new => self.change(&word(0)),
                Action::LockFail => {
                    let word = word(0);
                    self.reading(word.cell, word.old);
                }
                _ => continue,
            }
            decided.push(word(0).cell);
        }
        decided
    }

    /// A lock was free, and is held from here on.
    fn require_free(&mut self, word: &Word, lock: Location) {
        let operand = self.reading(word.cell, word.old);
        let reach = Reach::Lock(lock);
        if word.old == 0 {
            self.require(operand, Relation::Eq, 0, reach);
        } else {
            let free = self.temporary();
            self.assign(free, Rule::Function, smallvec![operand], 1, 1);
            self.condition(Operand::Variable(free), true, reach, true);
        }
    }

    /// A word of a lock changes: counted up or down, or set.
    fn change(&mut self, word: &Word) {
        let own = Operand::Variable(Variable::Cell(word.cell));
        let by = word.new - word.old;
        let counted = by.abs() == 1 && word.old != 0 && word.new != 0;
        let (rule, operands) = if counted {
            self.reading(word.cell, word.old);
            (Rule::Add, smallvec![own, Operand::Constant(by)])
        } else {
            (Rule::Copy, smallvec![Operand::Constant(word.new)])
        };
        self.write(word.cell, rule, operands, word.new);
    }
}
