//! A thread of a toy program, between two steps.

use crate::machine::MAX_THREADS;
use crate::program::{Expression, Operand, Operator};
use linspect_core::execution::{Activation, Fault, FaultKind, Ordering, SiteId};
use linspect_core::schedule::ThreadId;
use smallvec::SmallVec;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Thread {
    pub(super) id: ThreadId,
    /// Position of the running operation in the client's thread; its length when done.
    pub(super) index: u16,
    /// Which operation runs; a spawned thread runs just one.
    pub(super) operation: Option<u16>,
    pub(super) spawned: bool,
    pub(super) argument: i64,
    /// Whether the running operation has taken its first step.
    pub(super) called: bool,
    pub(super) at: usize,
    pub(super) registers: SmallVec<[i64; 8]>,
    pub(super) allocated: usize,
    pub(super) woken: Waiting,
    pub(super) round: Round,
    /// Fences since its last step.
    pub(super) fences: SmallVec<[Ordering; 1]>,
    /// It has tried in vain: it stays where it is.
    pub(super) parked: bool,
    /// How much it has read since its last step.
    pub(super) unseen: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Waiting {
    No,
    /// In the queue of a condition.
    Condition(i64),
    /// Woken, must take this lock again.
    Relock(i64),
}

/// The current round of a spin loop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Round {
    /// Where the last `spin` stood and what the registers were there.
    pub(super) last: Option<(usize, SmallVec<[i64; 8]>)>,
    /// What was read since, and its value.
    pub(super) read: Vec<(i64, i64)>,
    /// The loop came round unchanged: it waits while what it read stays the same.
    pub(super) waits: bool,
}

impl Thread {
    pub(super) fn new(id: ThreadId) -> Self {
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
            fences: SmallVec::new(),
            parked: false,
            unseen: 0,
        }
    }

    pub(super) fn get(&self, operand: Operand) -> i64 {
        match operand {
            Operand::Constant(n) => n,
            Operand::Register(r) => self.registers[usize::from(r)],
            Operand::Argument => self.argument,
            // The sequential parts use the structures of thread 0.
            Operand::Thread if usize::from(self.id) >= MAX_THREADS => 0,
            Operand::Thread => i64::from(self.id),
        }
    }

    pub(super) fn eval(&self, expression: &Expression) -> i64 {
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

    pub(super) fn activation(&self) -> Activation {
        Activation {
            thread: self.id,
            index: self.index,
        }
    }

    pub(super) fn site(&self) -> SiteId {
        (u32::from(self.operation.unwrap_or_default()) << 16) | self.at as u32
    }

    pub(super) fn fault(&self, kind: FaultKind, message: String) -> Fault {
        Fault {
            kind,
            message,
            site: self.site(),
            related: None,
        }
    }
}

/// The end of a round of a spin loop.
pub(super) fn spin(thread: &mut Thread) {
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
