//! What a fault violates, as a claim about recorded values.

use super::memory::alive_cell;
use super::{Place, Recorder};
use crate::interp::Cpu;
use crate::memory::{Address, Lane};
use crate::program::{self, Inst};
use linspect_core::execution::{Fault, FaultKind, Location};
use linspect_core::statement::{Claim, Effect, Operand, Relation, Rule, Variable};
use rustc_hash::FxHashMap;
use smallvec::smallvec;

/// Addresses below this are those of null pointers and of fields behind them.
const NULL_PAGE: i64 = 1 << 16;

/// What each thread has violated so far.
#[derive(Debug, Default)]
pub(super) struct Claims {
    made: FxHashMap<Lane, Claim>,
    /// The first panic of each thread, in order.
    panics: Vec<Panic>,
}

/// A thread that began to panic.
#[derive(Clone, Copy, Debug)]
struct Panic {
    lane: Lane,
    /// The condition under which it did.
    condition: Option<u32>,
    /// Whether only because there was an error where a result was expected.
    on_error: bool,
}

impl Claims {
    /// A thread enters the function called `name` under this condition.
    pub(super) fn entering(&mut self, name: &str, lane: Lane, condition: Option<u32>) {
        let name = last_name(name);
        let on_error = name == "unwrap_failed" || name == "expect_failed";
        let panics = on_error
            || name == "panic"
            || ["panic_", "begin_panic", "assert_failed"]
                .iter()
                .any(|start| name.starts_with(start));
        if panics && self.panics.iter().all(|p| p.lane != lane) {
            self.panics.push(Panic {
                lane,
                condition,
                on_error,
            });
        }
    }

    /// The panic that made this thread fail: of one that joins another it is that of the other.
    fn panic(&self, lane: Lane) -> Option<Panic> {
        let at = self.panics.iter().position(|p| p.lane == lane)?;
        let own = self.panics[at];
        let earlier = self.panics[..at].last().filter(|_| own.on_error);
        Some(earlier.copied().unwrap_or(own))
    }
}

impl Recorder {
    /// The claim that a fault of the thread violates.
    pub(crate) fn take_claim(&mut self, lane: Lane) {
        let made = self.claims.made.remove(&lane);
        self.recording.claim = made.unwrap_or_else(|| {
            // A `main` that panicked ends in good order.
            let panic = self.claims.panic(lane);
            let conjunct = panic.and_then(|p| self.blame(p.condition?));
            Claim {
                any_of: conjunct.into_iter().map(|c| vec![c]).collect(),
            }
        });
    }

    /// One of these locks should have been free.
    pub(crate) fn claim_free(&mut self, locks: &[Location]) {
        let known = locks.iter().map(|lock| {
            let cell = Operand::Variable(Variable::Cell(*lock));
            vec![(cell, Relation::Eq, 0)]
        });
        self.recording.claim.any_of = known.collect();
    }

    pub(super) fn note_fault(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        inst: &Inst,
        fault: &Fault,
    ) {
        let pointer = match *inst {
            Inst::Load { addr, .. }
            | Inst::Store { addr, .. }
            | Inst::LoadRun { addr, .. }
            | Inst::StoreRun { addr, .. }
            | Inst::CompareExchange { addr, .. }
            | Inst::AtomicUpdate { addr, .. } => Some(addr),
            Inst::MemCopy { dst, .. } | Inst::MemSet { dst, .. } => Some(dst),
            Inst::CallIndirect { callee, .. } => Some(callee),
            Inst::Call { args, count, .. } if count > 0 => {
                place.function.arguments.get(args as usize).copied()
            }
            _ => None,
        };
        let conjunct = match (fault.kind, pointer) {
            (FaultKind::Limit | FaultKind::Unsupported | FaultKind::Leak, _) => None,
            (
                FaultKind::NullPointer
                | FaultKind::OutOfBounds
                | FaultKind::UseAfterFree
                | FaultKind::BadFree,
                Some(pointer),
            ) => self.blame_pointer(cpu, place, pointer),
            (FaultKind::Assertion, Some(condition)) if is_assert_hook(cpu, inst) => {
                Some((self.operand(cpu, place, condition, 32), Relation::Ne, 0))
            }
            (FaultKind::Abort, _) if matches!(inst, Inst::Int { .. }) => {
                self.blame_divisor(cpu, place, inst)
            }
            _ => self.blame_condition(),
        };
        if let Some(conjunct) = conjunct {
            let claim = Claim {
                any_of: vec![vec![conjunct]],
            };
            self.claims.made.insert(self.lane, claim);
        }
    }

    /// The branch that led here should have gone the other way.
    fn blame_condition(&mut self) -> Option<(Operand, Relation, i64)> {
        let panicked = self.claims.panic(self.lane).and_then(|p| p.condition);
        let condition = panicked.or_else(|| self.scopes.branch(self.lane))?;
        self.blame(condition)
    }

    /// A condition should have gone the other way.
    fn blame(&mut self, condition: u32) -> Option<(Operand, Relation, i64)> {
        let statements = &mut self.recording.statements;
        let condition = condition as usize;
        let Effect::Condition { operand, holds } = statements.get(condition)?.effect else {
            return None;
        };
        // What the thread has done since is the failing itself.
        let thread = statements[condition].thread;
        if statements[condition..].iter().all(|s| s.thread == thread) {
            statements.truncate(condition);
        }
        Some((operand, if holds { Relation::Eq } else { Relation::Ne }, 0))
    }

    fn blame_divisor(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        inst: &Inst,
    ) -> Option<(Operand, Relation, i64)> {
        let Inst::Int { bits, b, .. } = *inst else {
            return None;
        };
        let divisor = self.operand(cpu, place, b, bits);
        Some((divisor, Relation::Ne, 0))
    }

    fn blame_pointer(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        pointer: program::Operand,
    ) -> Option<(Operand, Relation, i64)> {
        let address: Address = cpu.get(place.base, pointer);
        let operand = self.operand(cpu, place, pointer, 64);
        let allocation = cpu.memory.allocation(address).0;
        let freed = cpu.memory.block(address).is_some() && !self.is_alive(cpu, address);
        if freed {
            // It matters where the pointer came from, and who freed what it points to.
            let valid = self.temporary();
            let alive = self.reading(alive_cell(allocation), 0);
            self.assign(valid, Rule::Function, smallvec![operand, alive], 1, 0);
            return Some((Operand::Variable(valid), Relation::Ne, 0));
        }
        let value = address.cast_signed();
        if !(0..NULL_PAGE).contains(&value) {
            return Some((operand, Relation::Ne, value));
        }
        Some((self.base_of(operand), Relation::Ne, 0))
    }

    fn is_alive(&self, cpu: &Cpu<'_>, address: Address) -> bool {
        cpu.memory.check(address, 0).is_ok()
    }

    /// The pointer to a struct, given one to its field, if that is null.
    fn base_of(&self, pointer: Operand) -> Operand {
        let Operand::Variable(field) = pointer else {
            return pointer;
        };
        let definition = self
            .recording
            .statements
            .iter()
            .rev()
            .find_map(|s| match &s.effect {
                Effect::Assign {
                    target,
                    rule: Rule::Add,
                    operands,
                    ..
                } if *target == field => operands.first().copied(),
                _ => None,
            });
        match definition {
            Some(base @ Operand::Variable(v)) if self.values.get(&v) == Some(&0) => base,
            _ => pointer,
        }
    }
}

/// The last part of a qualified name, without generic arguments.
fn last_name(qualified: &str) -> &str {
    let plain = qualified.split('<').next().unwrap_or(qualified);
    plain.rsplit("::").next().unwrap_or(plain)
}

fn is_assert_hook(cpu: &Cpu<'_>, inst: &Inst) -> bool {
    let Inst::Call { callee, .. } = *inst else {
        return false;
    };
    let symbol = cpu.image.program.functions[callee as usize].symbol;
    cpu.image.program.text(symbol) == "linspect_assert"
}
