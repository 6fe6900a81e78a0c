//! Callers who wait for each other: who cannot have met anybody.
//!
//! Whoever met somebody did so at a moment at which both were under way. Where nobody who was could be the other, whatever came of them, nobody was met.

use super::because;
use crate::history::{History, OpId, Operation, Outcome};
use crate::spec::{Builtin, RendezvousCall, Spec};
use crate::value::Value;
use crate::verdict::Because;

/// The operations of a rendezvous, an exchanger or a barrier.
pub(crate) struct Meetings<'h> {
    history: &'h History,
    callers: Vec<Caller<'h>>,
    /// How many meet at a barrier; nothing where two do and hand something over.
    parties: Option<usize>,
}

struct Caller<'h> {
    id: OpId,
    op: &'h Operation,
    /// What it hands over, if it does so when it meets somebody.
    brings: Option<Value>,
    /// Whether it gets something from whom it meets.
    is_given: bool,
    /// How it ended.
    outcome: Outcome,
}

impl Caller<'_> {
    /// Whether it says that it met nobody.
    fn was_alone(&self) -> bool {
        matches!(
            &self.outcome,
            Outcome::Returned(Value::Nil | Value::Bool(false))
        )
    }

    /// What it got, if it says so.
    fn got(&self) -> Option<&Value> {
        self.outcome.value().filter(|_| self.is_given)
    }

    /// Whether it may have met `other`, as far as both say.
    fn may_meet(&self, other: &Self) -> bool {
        let hands_over = |from: &Self, to: &Self| match (&from.brings, to.is_given) {
            (Some(brings), true) => to.got().is_none_or(|got| got == brings),
            (None, false) => true,
            _ => false,
        };
        !other.was_alone() && hands_over(self, other) && hands_over(other, self)
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.id != other.id && !self.op.precedes(other.op) && !other.op.precedes(self.op)
    }
}

impl<'h> Meetings<'h> {
    /// Looks at the operations `ops` of `history`; nothing if nobody meets anybody there.
    pub(super) fn new(history: &'h History, spec: &Builtin, ops: &[OpId]) -> Option<Self> {
        let caller = |&id: &OpId| {
            let op = &history.operations[id as usize];
            let (brings, is_given, outcome) = met(spec, history.name(op), op)?;
            Some(Caller {
                id,
                op,
                brings,
                is_given,
                outcome,
            })
        };
        Some(Self {
            history,
            callers: ops.iter().map(caller).collect::<Option<_>>()?,
            parties: match spec {
                Builtin::Barrier(barrier) => Some(barrier.parties),
                _ => None,
            },
        })
    }

    /// A sentence about `anchor`; nothing if it may have met somebody, as far as each of the others says.
    pub(super) fn about(&self, anchor: OpId) -> Option<Because> {
        let anchor = self.callers.iter().find(|caller| caller.id == anchor)?;
        let has_met = match (&anchor.outcome, self.parties) {
            (Outcome::Returned(_), None) => !anchor.was_alone(),
            (Outcome::Returned(_) | Outcome::Unknown, Some(_)) => true,
            // It may have given up.
            (Outcome::Unknown, None) | (Outcome::Pending, _) => false,
        };
        if !has_met {
            return None;
        }
        let there = self.callers.iter().filter(|other| anchor.overlaps(other));
        let text = match self.parties {
            Some(parties) => {
                let others = there.count();
                if others + 1 >= parties {
                    return None;
                }
                let others = match others {
                    0 => String::from("nobody else"),
                    n => format!("only {n} of {} others", parties - 1),
                };
                format!(
                    "{} of process {} went on while {others} waited.",
                    self.history.show_call(anchor.id),
                    anchor.op.process
                )
            }
            None => {
                if there.into_iter().any(|other| anchor.may_meet(other)) {
                    return None;
                }
                self.met_nobody(anchor)?
            }
        };
        Some(because(text, [anchor.id]))
    }

    /// What the anchor got or handed over when nobody could meet it.
    fn met_nobody(&self, anchor: &Caller<'_>) -> Option<String> {
        let shown = self.history.show(anchor.id);
        Some(match (&anchor.brings, anchor.got()) {
            (None, Some(got)) => {
                let is_sent = self.callers.iter().any(|other| anchor.may_meet(other));
                match is_sent {
                    true => format!("{got} was received while nobody was sending it."),
                    false => format!("{got} was received, but never sent."),
                }
            }
            (Some(_), Some(got)) => {
                let brings = |other: &&Caller<'_>| {
                    other.id != anchor.id && other.brings.as_ref() == Some(got)
                };
                match self.callers.iter().any(|other| brings(&other)) {
                    true => format!("{shown} got {got} while nobody was there to give it."),
                    false => format!("{shown} got {got}, which nobody brought."),
                }
            }
            (Some(brings), None) if !anchor.is_given => {
                format!("{shown} handed over {brings} while nobody was receiving it.")
            }
            _ => return None,
        })
    }
}

/// What an operation hands over, whether it gets something, and how it ended.
fn met(spec: &Builtin, name: &str, op: &Operation) -> Option<(Option<Value>, bool, Outcome)> {
    Some(match spec {
        Builtin::Rendezvous(s) => {
            let call = s.call(name, &op.argument).ok()?;
            let outcome = s.outcome(&call, &op.outcome).ok()?;
            match call {
                RendezvousCall::Send(v, _) => (Some(v), false, outcome),
                RendezvousCall::Receive(_) => (None, true, outcome),
            }
        }
        Builtin::Exchanger(s) => {
            let call = s.call(name, &op.argument).ok()?;
            let outcome = s.outcome(&call, &op.outcome).ok()?;
            (Some(op.argument.clone()), true, outcome)
        }
        Builtin::Barrier(s) => {
            s.call(name, &op.argument).ok()?;
            (None, false, s.outcome(&(), &op.outcome).ok()?)
        }
        _ => return None,
    })
}
