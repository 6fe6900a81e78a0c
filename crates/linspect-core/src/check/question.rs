//! A history that was made sense of: every call understood, taken apart, ready to be decided.

use super::budget::Budget;
use super::criteria::{quasi_literal, quiescent, sequential};
use super::decide::pattern::{self, Pattern};
use super::moments;
use super::search::walk::Start;
use super::search::{self, Found, Op, Role};
use crate::history::{History, OpId, Outcome, Time};
use crate::spec::{AnyCall, Builtin, Erased, Spec, Unfit, caller};
use crate::value::Value;
use crate::verdict::{Criterion, Decider, Limit, Placed};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Why a history cannot be checked: an input error, never a violation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// The specification does not have this call, or the call cannot end so.
    #[error("operation {operation}, `{shown}`: {reason}")]
    Operation {
        /// Which operation.
        operation: OpId,
        /// The operation in words.
        shown: String,
        /// What is wrong with it.
        reason: Box<Unfit>,
    },
    /// The criterion means nothing for this specification.
    #[error("{criterion} cannot be decided for {spec}")]
    Criterion {
        /// The criterion.
        criterion: Criterion,
        /// The specification's name.
        spec: String,
    },
}

/// A history, its specification and a criterion: what is to be decided.
///
/// Parts are independent. Deciding them one by one in order, or all at once on many threads, gives the same answer.
pub struct Question<'a, S: Spec> {
    pub(super) history: &'a History,
    pub(super) spec: &'a S,
    pub(super) mode: Mode<'a>,
    /// Per operation, when it may take effect, if that is not its own interval.
    pub(super) periods: Option<Cow<'a, [(Time, Time)]>>,
    calls: Vec<S::Call>,
    outcomes: Cow<'a, [Outcome]>,
    pub(super) parts: Cow<'a, [Part]>,
    /// Whether the last part is the whole: see [`moments`].
    has_whole: bool,
}

/// How parts are decided.
#[derive(Clone, Copy)]
pub(super) enum Mode<'a> {
    /// By a specialised decider for this specification where there is one, else by the search.
    Order(Option<&'a Builtin>),
    /// See [`sequential`].
    Sequential,
    /// See [`quasi_literal`].
    Literal(u32),
}

/// An independent part of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is about, such as the key of a map; nothing if the history was not taken apart.
    pub about: Option<Value>,
    /// Its operations, ascending.
    pub operations: Vec<OpId>,
}

/// What was decided, without the reasons worked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The criterion holds, says this decider.
    Holds(Decider),
    /// It does not.
    Violated {
        /// Who says so.
        decider: Decider,
        /// Which part fails, an index into [`Question::parts`].
        part: usize,
        /// What the decider has to say for it.
        reason: Reason,
    },
    /// Nobody knows: the check stopped first.
    Unknown(Limit),
}

/// What a decider has to say for a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A bad pattern.
    Pattern(Pattern),
    /// The search could not explain the return of this operation.
    Refused(OpId),
}

impl<'a, S: Spec> Question<'a, S> {
    /// Understands `history` as one of `spec`.
    pub fn new(history: &'a History, spec: &'a S, criterion: Criterion) -> Result<Self, Misfit> {
        Self::understand(history, spec, None, criterion)
    }

    /// As [`Question::new`], where `spec` is `builtin`, so that specialised deciders can be used.
    pub fn of_builtin(
        history: &'a History,
        spec: &'a S,
        builtin: &'a Builtin,
        criterion: Criterion,
    ) -> Result<Self, Misfit> {
        Self::understand(history, spec, Some(builtin), criterion)
    }

    fn understand(
        history: &'a History,
        spec: &'a S,
        builtin: Option<&'a Builtin>,
        criterion: Criterion,
    ) -> Result<Self, Misfit> {
        let mode = match criterion {
            Criterion::Linearizable => Mode::Order(builtin),
            Criterion::Quiescent => Mode::Order(None),
            Criterion::Sequential => Mode::Sequential,
            Criterion::QuasiLiteral { k } => Mode::Literal(k),
            // These are linearizability with respect to another specification.
            Criterion::Quasi { .. } | Criterion::QuasiRestriction1 { .. } => {
                return Err(Misfit::Criterion {
                    criterion,
                    spec: spec.name().to_owned(),
                });
            }
        };
        let is_by_turns = matches!(mode, Mode::Sequential | Mode::Literal(_));
        if is_by_turns && spec.most_together() > 1 {
            // These put one operation after the other.
            return Err(Misfit::Criterion {
                criterion,
                spec: spec.name().to_owned(),
            });
        }
        let mut calls = Vec::with_capacity(history.operations.len());
        let mut outcomes = Vec::with_capacity(history.operations.len());
        for (id, op) in (0..).zip(&history.operations) {
            let misfit = |reason| Misfit::Operation {
                operation: id,
                shown: history.show(id).to_string(),
                reason: Box::new(reason),
            };
            let argument = caller(spec, op.process, &op.argument);
            let call = spec.call(history.name(op), &argument).map_err(misfit)?;
            outcomes.push(spec.outcome(&call, &op.outcome).map_err(misfit)?);
            calls.push(call);
        }
        let mut parts = match criterion {
            // Alone among the criteria, it may hold of every part and not of the whole.
            Criterion::Sequential => vec![whole(calls.len())],
            _ => take_apart(spec, &calls),
        };
        let has_whole = criterion == Criterion::Linearizable && moments::link(history, &parts);
        if has_whole {
            parts.push(whole(calls.len()));
        }
        let periods =
            (criterion == Criterion::Quiescent).then(|| quiescent::periods(history).into());
        Ok(Self {
            history,
            spec,
            mode,
            periods,
            calls,
            outcomes: outcomes.into(),
            parts: parts.into(),
            has_whole,
        })
    }

    /// The same question about `spec`, which is its own without types. What needs no speed is asked so, and compiled once.
    pub(super) fn about<'e>(&'e self, spec: &'e Erased<'e>) -> Question<'e, Erased<'e>> {
        Question {
            history: self.history,
            spec,
            mode: self.mode,
            periods: self.periods.as_deref().map(Cow::Borrowed),
            calls: self.calls.iter().cloned().map(AnyCall::new).collect(),
            outcomes: Cow::Borrowed(&self.outcomes),
            parts: Cow::Borrowed(&self.parts),
            has_whole: self.has_whole,
        }
    }

    /// The independent parts, in order of their first operations; after them the whole, if there are several and processes
    /// went from one to the other within a moment of the clock.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Decides one part, by index.
    pub fn decide(&self, part: usize, budget: &dyn Budget) -> Decision {
        let operations = &self.parts[part].operations;
        if self.is_whole(part) {
            if let Some(decider) = self.holds_apart(budget) {
                return Decision::Holds(decider);
            }
        } else if let Mode::Order(Some(builtin)) = self.mode
            && let Some((decider, said)) = pattern::decide(self.history, builtin, operations)
        {
            match said {
                Err(pattern) => {
                    return Decision::Violated {
                        decider,
                        part,
                        reason: Reason::Pattern(pattern),
                    };
                }
                Ok(()) if self.holds_by_turns(builtin, operations) => {
                    return Decision::Holds(decider);
                }
                Ok(()) => {}
            }
        }
        let decider = match self.mode {
            Mode::Order(_) | Mode::Sequential => Decider::Search,
            Mode::Literal(_) => Decider::QuasiSearch,
        };
        let found = match self.mode {
            Mode::Order(_) => search::search(self.spec, &self.ops(part), None, false, budget),
            Mode::Sequential | Mode::Literal(_) => {
                let erased = Erased::new(self.spec);
                let question = self.about(&erased);
                question.search(&question.ops(part), None, budget)
            }
        };
        match found {
            Ok(Found::Order) => Decision::Holds(decider),
            Ok(Found::Refused(op)) => Decision::Violated {
                decider,
                part,
                reason: Reason::Refused(op),
            },
            Err(limit) => Decision::Unknown(limit),
        }
    }

    /// Whether a part is the whole of several.
    pub(super) fn is_whole(&self, part: usize) -> bool {
        self.has_whole && part + 1 == self.parts.len()
    }

    /// Whether operations that satisfy `builtin` by the clock surely do so with the order of each process as well.
    fn holds_by_turns(&self, builtin: &Builtin, operations: &[OpId]) -> bool {
        if !moments::touch(self.history, operations) {
            return true;
        }
        let apart = moments::apart(self.history, operations);
        let all: Vec<OpId> = (0..).take(operations.len()).collect();
        matches!(pattern::decide(&apart, builtin, &all), Some((_, Ok(()))))
    }

    /// Which return of a part each of the searches that compete alone finds impossible: the breadth-first one, the
    /// depth-first one in its two orders, and those of rows, without and with a look ahead. They may have nothing to say. For tests: they must agree.
    #[doc(hidden)]
    pub fn decide_by_each(&self, part: usize) -> [Option<Option<OpId>>; 5] {
        search::apart(self.spec, &self.ops(part)).map(|found| {
            found.map(|found| match found {
                Found::Order => None,
                Found::Refused(op) => Some(op),
            })
        })
    }

    /// Who says that the whole holds even if nothing of it happened at one moment, if somebody does.
    fn holds_apart(&self, budget: &dyn Budget) -> Option<Decider> {
        let apart = moments::apart(self.history, &self.parts.last()?.operations);
        let builtin = match self.mode {
            Mode::Order(builtin) => builtin,
            Mode::Sequential | Mode::Literal(_) => None,
        };
        let question =
            Question::understand(&apart, self.spec, builtin, Criterion::Linearizable).ok()?;
        match question.decide_all(budget) {
            Decision::Holds(decider) => Some(decider),
            Decision::Violated { .. } | Decision::Unknown(_) => None,
        }
    }

    /// Decides every part, in order, up to the first that fails.
    pub fn decide_all(&self, budget: &dyn Budget) -> Decision {
        let mut decisions = Vec::new();
        for part in 0..self.parts.len() {
            decisions.push(self.decide(part, budget));
            if matches!(decisions.last(), Some(Decision::Violated { .. })) {
                break;
            }
        }
        worst(decisions)
    }

    /// An order of effects of a part that shows that it holds; nothing if there is none or `budget` ends first.
    pub fn order(&self, part: usize, budget: &dyn Budget) -> Option<Vec<Placed>> {
        let erased = Erased::new(self.spec);
        self.about(&erased).placed(part, budget)
    }

    /// The operations of a part as deciders see them.
    pub(super) fn ops(&self, part: usize) -> Vec<Op<'_, S>> {
        let operations = &self.parts[part].operations;
        operations.iter().map(|&id| self.op(id)).collect()
    }

    /// Operation `id` as deciders see it.
    pub(super) fn op(&self, id: OpId) -> Op<'_, S> {
        let op = &self.history.operations[id as usize];
        let (from, to) = match &self.periods {
            Some(periods) => periods[id as usize],
            None => (op.call, op.ret),
        };
        Op {
            id,
            call: &self.calls[id as usize],
            text: (op.method, &op.argument),
            outcome: &self.outcomes[id as usize],
            from,
            to,
            // Within a busy period even the operations of one process may take effect in any order.
            process: self.periods.is_none().then_some(op.process),
            turn: if self.history.keeps_turns { id } else { 0 },
            role: Role::Recorded,
        }
    }
}

impl<'a> Question<'a, Erased<'a>> {
    /// Decides some operations, from `start` on if that is given and time passes in this mode.
    pub(super) fn search(
        &self,
        ops: &[Op<'_, Erased<'a>>],
        start: Option<&Start<Erased<'a>>>,
        budget: &dyn Budget,
    ) -> Result<Found, Limit> {
        match self.mode {
            Mode::Order(_) => search::search(self.spec, ops, start, true, budget),
            Mode::Sequential => sequential::search(self.spec, self.history, ops, budget),
            Mode::Literal(k) => quasi_literal::search(self.spec, ops, k, budget),
        }
    }

    /// See [`Question::order`].
    fn placed(&self, part: usize, budget: &dyn Budget) -> Option<Vec<Placed>> {
        let ops = self.ops(part);
        match self.mode {
            Mode::Order(_) => search::order(self.spec, &ops, budget),
            Mode::Sequential => sequential::order(self.spec, self.history, &ops, budget),
            Mode::Literal(_) => Ok(None),
        }
        .ok()
        .flatten()
    }
}

/// The worst of the decisions about the parts of one history: one violated part violates the whole.
pub(super) fn worst(decisions: Vec<Decision>) -> Decision {
    let badness = |d: &Decision| match d {
        Decision::Holds(_) => 0,
        Decision::Unknown(_) => 1,
        Decision::Violated { .. } => 2,
    };
    // Of equally bad ones the first.
    let worst = decisions.into_iter().rev().max_by_key(badness);
    worst.unwrap_or(Decision::Holds(Decider::Search))
}

/// Groups operations by part, if every call has one.
fn take_apart<S: Spec>(spec: &S, calls: &[S::Call]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut known: FxHashMap<Value, usize> = FxHashMap::default();
    for (id, call) in (0..).zip(calls) {
        let Some(about) = spec.part(call) else {
            return vec![whole(calls.len())];
        };
        let at = *known.entry(about).or_insert_with_key(|about| {
            parts.push(Part {
                about: Some(about.clone()),
                operations: Vec::new(),
            });
            parts.len() - 1
        });
        parts[at].operations.push(id);
    }
    parts
}

/// One part of everything.
fn whole(count: usize) -> Part {
    Part {
        about: None,
        operations: (0..OpId::try_from(count).expect("ids are numbers")).collect(),
    }
}
