//! A count that is lower, or higher, than it can have been.
//!
//! Whatever the other operations did, a count lies between two bounds: counted from one that is known, the initial one or
//! one that an earlier operation found, with all that surely was added in between, and all that may have been where that
//! makes the bound weaker. A sum of more than 64 bits is not claimed anything about: there counters wrap around.

use super::because;
use crate::history::{History, OpId, Operation, Outcome};
use crate::spec::{Builtin, CounterCall, SemaphoreCall, Spec};
use crate::value::Value;
use crate::verdict::Because;

/// So many additions are looked at for one sentence.
const PATIENCE: usize = 4_000_000;

/// A claim names at most so many operations: of more, the states in which the last one finds itself say more.
const MOST_NAMED: usize = 100;

/// The operations of a counter or a semaphore.
pub(crate) struct Counts<'h> {
    history: &'h History,
    initial: i64,
    tallies: Vec<Tally<'h>>,
}

struct Tally<'h> {
    id: OpId,
    op: &'h Operation,
    /// What it adds, if it takes effect.
    adds: i64,
    /// Whether it surely does, when it has returned.
    surely: bool,
    found: Option<Found>,
}

/// What an operation found before it changed anything.
#[derive(Clone, Copy)]
enum Found {
    /// This count; it returned a number that is so much more.
    Exactly { count: i64, more: i64 },
    /// At least so many permits, which it took.
    Enough(i64),
    /// Fewer permits than these, which it did not get.
    TooFew(i64),
}

/// A count that is known, and who found it.
struct Base<'t, 'h> {
    count: i64,
    by: Option<&'t Tally<'h>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    /// The count was at least so large.
    Low,
    /// It was at most so large.
    High,
}

impl<'h> Counts<'h> {
    pub(super) fn new(history: &'h History, spec: &Builtin, ops: &[OpId]) -> Option<Self> {
        let tallies = ops.iter().map(|&id| {
            let op = &history.operations[id as usize];
            let (adds, surely, found) = tally(spec, history.name(op), op)?;
            Some(Tally {
                id,
                op,
                adds,
                surely,
                found,
            })
        });
        Some(Self {
            history,
            initial: match spec {
                Builtin::Counter(spec) => spec.initial,
                Builtin::Semaphore(spec) => spec.permits,
                _ => return None,
            },
            tallies: tallies.collect::<Option<_>>()?,
        })
    }

    /// A sentence about `anchor`; nothing if what it found was possible as far as bounds say.
    pub(super) fn about(&self, anchor: OpId) -> Option<Because> {
        let anchor = self.tallies.iter().find(|tally| tally.id == anchor)?;
        let found = anchor.found?;
        let initial = Base {
            count: self.initial,
            by: None,
        };
        let earlier = self.tallies.iter().rev().filter_map(|by| match by.found {
            Some(Found::Exactly { count, .. }) if by.op.precedes(anchor.op) => Some(Base {
                count: count.checked_add(by.adds)?,
                by: Some(by),
            }),
            _ => None,
        });
        let bases = [initial].into_iter().chain(earlier);
        bases
            .take(PATIENCE / self.tallies.len().max(1) + 1)
            .find_map(|base| self.beyond(&base, anchor, found))
    }

    /// What the anchor found, if it is beyond the bounds from `base` on.
    fn beyond(&self, base: &Base<'_, 'h>, anchor: &Tally<'h>, found: Found) -> Option<Because> {
        let (side, limit) = match found {
            Found::Exactly { count, .. } => {
                return [Side::Low, Side::High]
                    .into_iter()
                    .find_map(|side| self.claim(base, anchor, found, side, count));
            }
            Found::TooFew(wanted) => (Side::Low, wanted.checked_sub(1)?),
            Found::Enough(wanted) => (Side::High, wanted),
        };
        self.claim(base, anchor, found, side, limit)
    }

    /// The sentence, if the bound on this `side` contradicts `limit`: a lower bound above it, an upper one below it.
    fn claim(
        &self,
        base: &Base<'_, 'h>,
        anchor: &Tally<'h>,
        found: Found,
        side: Side,
        limit: i64,
    ) -> Option<Because> {
        let others = || {
            self.tallies.iter().filter(|tally| {
                let is_other = tally.id != anchor.id && base.by.is_none_or(|by| by.id != tally.id);
                let is_early = base.by.is_some_and(|by| tally.op.precedes(by.op));
                is_other && tally.adds != 0 && !is_early && !anchor.op.precedes(tally.op)
            })
        };
        // Nothing wraps around.
        others().try_fold(base.count.checked_abs()?, |sum, tally| {
            sum.checked_add(tally.adds.checked_abs()?)
        })?;
        let strengthens = |tally: &&Tally<'h>| (tally.adds > 0) == (side == Side::Low);
        let weaker = others().filter(|tally| !strengthens(tally));
        let mut bound = base.count + weaker.map(|tally| tally.adds).sum::<i64>();
        let mut needed: Vec<&Tally<'h>> = others()
            .filter(strengthens)
            .filter(|tally| {
                let is_late = base.by.is_none_or(|by| by.op.precedes(tally.op));
                tally.surely && is_late && tally.op.precedes(anchor.op)
            })
            .collect();
        // The fewest that are enough.
        needed.sort_by_key(|tally| std::cmp::Reverse(tally.adds.unsigned_abs()));
        let contradicts = |bound: i64| match side {
            Side::Low => bound > limit,
            Side::High => bound < limit,
        };
        let mut used: Vec<OpId> = base.by.iter().map(|by| by.id).collect();
        let mut needed = needed.into_iter();
        while !contradicts(bound) {
            let next = needed.next()?;
            bound += next.adds;
            used.push(next.id);
            if used.len() > MOST_NAMED {
                return None;
            }
        }
        // The others make the sentence stronger, and it is as true.
        bound += needed.map(|tally| tally.adds).sum::<i64>();
        let text = self.sentence(base, anchor, found, side, bound)?;
        used.sort_unstable();
        Some(because(text, used.into_iter().chain([anchor.id])))
    }

    fn sentence(
        &self,
        base: &Base<'_, 'h>,
        anchor: &Tally<'h>,
        found: Found,
        side: Side,
        bound: i64,
    ) -> Option<String> {
        let call = self.history.show_call(anchor.id);
        let after = match base.by {
            Some(by) => format!("After {}, ", self.history.show(by.id)),
            None => String::new(),
        };
        let permits = |n: i64| match n {
            ..=0 => "no permit was".to_owned(),
            1 => "1 permit was".to_owned(),
            n => format!("{n} permits were"),
        };
        let rest = match found {
            Found::Exactly { count, more } => {
                let least = if side == Side::Low { "least" } else { "most" };
                let (said, due) = (count.checked_add(more)?, bound.checked_add(more)?);
                format!("{call} returned {said}, but had to return at {least} {due}.")
            }
            Found::TooFew(_) => format!("{call} failed while {} free.", permits(bound)),
            Found::Enough(wanted) => {
                let got = if wanted == 1 {
                    "a permit"
                } else {
                    "its permits"
                };
                format!("{call} got {got} while {} free.", permits(bound))
            }
        };
        Some(format!("{after}{rest}"))
    }
}

/// What an operation adds, whether it surely does, and what it found; nothing if that is not understood.
fn tally(spec: &Builtin, name: &str, op: &Operation) -> Option<(i64, bool, Option<Found>)> {
    let returned = op.outcome != Outcome::Pending;
    let exactly = |outcome: &Outcome, more: i64| match outcome {
        Outcome::Returned(Value::Int(said)) => Some(Found::Exactly {
            count: said.checked_sub(more)?,
            more,
        }),
        _ => None,
    };
    Some(match spec {
        Builtin::Counter(spec) => {
            let call = spec.call(name, &op.argument).ok()?;
            let outcome = spec.outcome(&call, &op.outcome).ok()?;
            match call {
                CounterCall::Read => (0, returned, exactly(&outcome, 0)),
                CounterCall::Add(n) | CounterCall::Step(n) => (n, returned, None),
                CounterCall::FetchAdd(n) => (n, returned, exactly(&outcome, 0)),
                CounterCall::AddFetch(n) => (n, returned, exactly(&outcome, n)),
            }
        }
        Builtin::Semaphore(spec) => {
            let call = spec.call(name, &op.argument).ok()?;
            let outcome = spec.outcome(&call, &op.outcome).ok()?;
            match call {
                SemaphoreCall::Acquire(n) => (-n, returned, returned.then_some(Found::Enough(n))),
                SemaphoreCall::Release(n) => (n, returned, None),
                SemaphoreCall::Available => (0, returned, exactly(&outcome, 0)),
                SemaphoreCall::TryAcquire(n) => match outcome {
                    Outcome::Returned(Value::Bool(true)) => (-n, true, Some(Found::Enough(n))),
                    Outcome::Returned(Value::Bool(false)) => (0, true, Some(Found::TooFew(n))),
                    _ => (-n, false, None),
                },
            }
        }
        _ => return None,
    })
}
