//! Attempts that change nothing, in toy programs: a thread that comes back to where it was is parked for the rest of the run.
//!
//! The same two rules as in the machine for real programs, written anew and plainly, so that they can be compared with walking all schedules.

use crate::machine::{State, ToyMachine};
use crate::program::{Expression, Instruction, Operand, Result as Returns};
use crate::thread::{Round, Thread};
use linspect_core::execution::{Access, Action, Step};
use linspect_core::machine::{Machine, Retries};
use linspect_core::schedule::Choice;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Something deliberately wrong with the rules of cutting retries or of weak memory, to see that tests notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// When a thread is parked, nobody goes on.
    Abandon,
    /// States are told apart by the next instruction alone.
    PlaceOnly,
    /// A change does not make earlier attempts count for nothing.
    NeverForget,
    /// A thread that is parked counts as waiting for ever, whatever has changed since.
    NoQuestion,
    /// A release fence does not reach the writes after it.
    NoReleaseFence,
    /// An update does not go on with the release sequence of what it reads.
    NoReleaseSequence,
    /// Writes are only made after all others of their cell.
    AppendOnly,
}

/// Attempts of each thread since it last changed anything. They are the past: equal states may differ in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Attempts(Vec<Tried>);

/// What a thread has tried since it last changed anything that others can see.
#[derive(Clone, Debug, Default)]
struct Tried {
    attempts: Vec<Attempt>,
    /// Cells that it has written and that nobody else can reach.
    own: BTreeSet<usize>,
}

#[derive(Clone, Debug)]
struct Attempt {
    state: Rc<State>,
    access: Option<Access>,
}

impl PartialEq for Attempts {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Attempts {}

impl Hash for Attempts {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl ToyMachine {
    /// The machine with a flaw.
    #[must_use]
    pub fn with_flaw(mut self, flaw: Flaw) -> Self {
        self.flaw = Some(flaw);
        self
    }

    pub(super) fn has(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }

    /// Takes a step and parks the thread if it tries in vain.
    pub(super) fn step_watched(&mut self, choice: Choice) -> Step {
        let before = self.state.clone();
        let ways = self.alternatives(choice.thread);
        let step = self.take(choice);
        let thread = usize::from(choice.thread);
        let count = self.state.threads.len();
        self.state.attempts.0.resize(count, Tried::default());
        let unchanged = before.waiters == self.state.waiters
            && before.threads[thread].allocated == self.state.threads[thread].allocated;
        // Which message is read is the thread's own affair.
        let settled = ways == 1 || self.state.weak.is_some();
        let idle = idle_access(&step).filter(|_| settled && unchanged);
        let Some(access) = idle else {
            if !self.has(Flaw::NeverForget) || step.returned.is_some() {
                self.state.attempts.0[thread] = Tried::default();
            }
            return step;
        };
        let mut tried = before.attempts.0.get(thread).cloned().unwrap_or_default();
        // The access changed nothing, so what has changed is the thread's own.
        let cells = before.memory.iter().zip(&self.state.memory).enumerate();
        let changed = cells.filter(|(_, (old, new))| old != new);
        tried.own.extend(changed.map(|(cell, _)| cell));
        tried.attempts.push(Attempt {
            state: Rc::new(before),
            access,
        });
        if let Some(read) = self.repeats(thread, &tried, &step) {
            self.state.threads[thread].round = Round {
                last: None,
                read,
                waits: true,
            };
        } else if self.state.weak.is_none() && self.is_covered(thread, &tried, &step) {
            self.state.threads[thread].parked = true;
        }
        if step.returned.is_some() {
            tried = Tried::default();
        }
        self.state.attempts.0[thread] = tried;
        step
    }

    /// What was read since the thread was in the state in which it is now, if it was.
    fn repeats(&self, thread: usize, tried: &Tried, step: &Step) -> Option<Vec<(i64, i64)>> {
        if step.returned.is_some() || self.state.threads[thread].operation.is_none() {
            return None;
        }
        let same = |a: &Attempt| self.is_same(thread, tried, &a.state, &self.state);
        let since = tried.attempts.iter().rposition(same)?;
        let read = tried.attempts[since..].iter().filter_map(|a| a.access);
        Some(read.map(|a| (cell_of(&a), a.read as i64)).collect())
    }

    /// Whether an earlier access at the place of the last one could have been in its stead.
    fn is_covered(&self, thread: usize, tried: &Tried, step: &Step) -> bool {
        let Some((last, earlier)) = tried.attempts.split_last() else {
            return false;
        };
        let Some(access) = last
            .access
            .filter(|a| !matches!(a.action, Action::Update | Action::Add))
        else {
            return false;
        };
        earlier.iter().any(|attempt| {
            let place = attempt.access.map(|a| a.location);
            if place != Some(access.location) {
                return false;
            }
            let mut other = self.clone();
            other.retries = Retries::Wake;
            other.state = (*attempt.state).clone();
            other.state.memory[cell_of(&access) as usize] = access.read as i64;
            let instead = other.take(step.choice);
            let reads = idle_access(&instead).flatten();
            reads.is_some_and(|a| {
                a.location == access.location && !matches!(a.action, Action::Update | Action::Add)
            }) && instead.returned == step.returned
                && self.is_same(thread, tried, &other.state, &self.state)
        })
    }

    /// Whether `thread` goes on alike in two states.
    fn is_same(&self, thread: usize, tried: &Tried, a: &State, b: &State) -> bool {
        let own = |cell: &usize| a.memory[*cell] == b.memory[*cell];
        let same_own = tried.own.iter().all(own) || self.has(Flaw::PlaceOnly);
        let (a, b) = (&a.threads[thread], &b.threads[thread]);
        let place = |t: &Thread| (t.operation, t.index, t.at);
        if self.has(Flaw::PlaceOnly) {
            return place(a) == place(b);
        }
        let Some(operation) = a.operation else {
            return b.operation.is_none() && a.index == b.index && same_own;
        };
        let code = &self.program.operations[usize::from(operation)].code;
        same_own
            && place(a) == place(b)
            && (a.argument, a.allocated, a.woken) == (b.argument, b.allocated, b.woken)
            && (0..a.registers.len())
                .all(|r| a.registers[r] == b.registers[r] || !is_live(code, a.at, r as u16))
    }
}

/// The access of a step that changed nothing; none in it if there was none. Nothing for any other step.
fn idle_access(step: &Step) -> Option<Option<Access>> {
    if step.fault.is_some() || step.other.is_some() || step.accesses.len() > 1 {
        return None;
    }
    let Some(access) = step.accesses.first() else {
        return step.returned.is_none().then_some(None);
    };
    let idle = match access.action {
        Action::Read | Action::CasFail => true,
        Action::Update => access.read == access.written,
        _ => false,
    };
    idle.then_some(Some(*access))
}

fn cell_of(access: &Access) -> i64 {
    crate::machine::cell(access.location)
}

/// Whether register `r` may be read from instruction `at` on before it is written.
fn is_live(code: &[Instruction], at: usize, r: u16) -> bool {
    let mut seen = vec![false; code.len()];
    let mut waiting = vec![at];
    while let Some(at) = waiting.pop() {
        let Some(instruction) = code.get(at) else {
            continue;
        };
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        let (read, written) = uses(instruction);
        if read.iter().any(|e| reads(e, r)) {
            return true;
        }
        if written.contains(&Some(r)) {
            continue;
        }
        match instruction {
            Instruction::Return { .. } => {}
            Instruction::Spin { to } => waiting.push(*to),
            Instruction::Jump { condition, to } if *condition == 1.into() => waiting.push(*to),
            Instruction::Jump { to, .. } => waiting.extend([*to, at + 1]),
            _ => waiting.push(at + 1),
        }
    }
    false
}

fn reads(expression: &Expression, r: u16) -> bool {
    let rest = expression.rest.iter().map(|(_, operand)| operand);
    std::iter::once(&expression.first)
        .chain(rest)
        .any(|operand| *operand == Operand::Register(r))
}

/// What an instruction reads, and the registers that it writes.
fn uses(instruction: &Instruction) -> (Vec<&Expression>, [Option<u16>; 2]) {
    use Instruction as I;
    match instruction {
        I::Read { into, at, .. } => (vec![at], [Some(*into), None]),
        I::Write { at, value, .. } | I::Init { at, value } => (vec![at, value], [None; 2]),
        I::Cas {
            into,
            found,
            at,
            expected,
            new,
            ..
        } => (vec![at, expected, new], [Some(*into), *found]),
        I::Dcas {
            into,
            at,
            expected,
            new,
        } => (
            at.iter().chain(expected).chain(new).collect(),
            [Some(*into), None],
        ),
        I::FetchAdd {
            into, at, value, ..
        } => (vec![at, value], [*into, None]),
        I::Swap {
            into, at, value, ..
        } => (vec![at, value], [Some(*into), None]),
        I::Lock { at } | I::Unlock { at } => (vec![at], [None; 2]),
        I::TryLock { into, at } => (vec![at], [Some(*into), None]),
        I::Wait { condition, lock } => (vec![condition, lock], [None; 2]),
        I::Wake { condition } | I::Assert { condition } | I::Jump { condition, .. } => {
            (vec![condition], [None; 2])
        }
        I::Spawn { into, argument, .. } => (vec![argument], [Some(*into), None]),
        I::Join { thread } => (vec![thread], [None; 2]),
        I::Choose { into, .. } | I::Alloc { into, .. } => (Vec::new(), [Some(*into), None]),
        I::Set { into, value } => (vec![value], [Some(*into), None]),
        I::Exit | I::Fence { .. } | I::Spin { .. } => (Vec::new(), [None; 2]),
        I::Return { result } => match result {
            Returns::Int(e) | Returns::Bool(e) => (vec![e], [None; 2]),
            Returns::Unit | Returns::Nil => (Vec::new(), [None; 2]),
        },
    }
}
