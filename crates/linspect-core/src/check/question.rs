//! A history that was made sense of: every call understood, taken apart, ready to be decided.

use super::budget::Budget;
use super::core::{Effort, Judge};
use super::explain::{Ordered, Violation, explain};
use super::pattern::{self, Pattern};
use super::search::{self, Found, Op, Refusal, Role};
use super::workers::Workers;
use super::{quasi_literal, quiescent, sequential};
use crate::history::{History, OpId, Outcome, Time};
use crate::spec::{Builtin, Spec, Unfit};
use crate::value::Value;
use crate::verdict::{Criterion, Decider, Evidence, Limit, Placed, Verdict};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

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
    history: &'a History,
    spec: &'a S,
    mode: Mode<'a>,
    /// Per operation, when it may take effect, if that is not its own interval.
    periods: Option<Vec<(Time, Time)>>,
    calls: Vec<S::Call>,
    outcomes: Vec<Outcome>,
    parts: Vec<Part>,
}

/// How parts are decided.
#[derive(Clone, Copy)]
enum Mode<'a> {
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

/// A verdict, and how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// Who was asked, without repetition.
    pub deciders: Vec<Decider>,
    /// How many independent parts the history has.
    pub parts: usize,
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
        let mut calls = Vec::with_capacity(history.operations.len());
        let mut outcomes = Vec::with_capacity(history.operations.len());
        for (id, op) in (0..).zip(&history.operations) {
            let misfit = |reason| Misfit::Operation {
                operation: id,
                shown: history.show(id).to_string(),
                reason: Box::new(reason),
            };
            let call = spec.call(history.name(op), &op.argument).map_err(misfit)?;
            outcomes.push(spec.outcome(&call, &op.outcome).map_err(misfit)?);
            calls.push(call);
        }
        let parts = match criterion {
            // Alone among the criteria, it may hold of every part and not of the whole.
            Criterion::Sequential => whole(calls.len()),
            _ => take_apart(spec, &calls),
        };
        let periods = (criterion == Criterion::Quiescent).then(|| quiescent::periods(history));
        Ok(Self {
            history,
            spec,
            mode,
            periods,
            calls,
            outcomes,
            parts,
        })
    }

    /// The independent parts, in order of their first operations.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Decides one part, by index.
    pub fn decide(&self, part: usize, budget: &dyn Budget) -> Decision {
        let operations = &self.parts[part].operations;
        if let Mode::Order(Some(builtin)) = self.mode
            && let Some((decider, said)) = pattern::decide(self.history, builtin, operations)
        {
            return match said {
                Ok(()) => Decision::Holds(decider),
                Err(pattern) => Decision::Violated {
                    decider,
                    part,
                    reason: Reason::Pattern(pattern),
                },
            };
        }
        let decider = match self.mode {
            Mode::Order(_) | Mode::Sequential => Decider::Search,
            Mode::Literal(_) => Decider::QuasiSearch,
        };
        match self.search(&self.ops(part), budget) {
            Ok(Found::Order) => Decision::Holds(decider),
            Ok(Found::Refused(op)) => Decision::Violated {
                decider,
                part,
                reason: Reason::Refused(op),
            },
            Err(limit) => Decision::Unknown(limit),
        }
    }

    fn search(&self, ops: &[Op<'_, S>], budget: &dyn Budget) -> Result<Found, Limit> {
        match self.mode {
            Mode::Order(_) => search::search(self.spec, ops, budget),
            Mode::Sequential => sequential::search(self.spec, self.history, ops, budget),
            Mode::Literal(k) => quasi_literal::search(self.spec, ops, k, budget),
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

    /// Decides every part and explains the verdict. Of several parts that fail, the first is reported.
    pub fn check(&self, workers: &dyn Workers, budget: &(dyn Budget + Sync)) -> Answer {
        let decisions: Vec<OnceLock<Decision>> =
            (0..self.parts.len()).map(|_| OnceLock::new()).collect();
        // Parts after one that fails need not be decided, whoever comes to them first.
        let first_failing = AtomicUsize::new(usize::MAX);
        workers.each(self.parts.len(), &|part| {
            if part > first_failing.load(Relaxed) {
                return;
            }
            let decision = self.decide(part, budget);
            if matches!(decision, Decision::Violated { .. }) {
                first_failing.fetch_min(part, Relaxed);
            }
            let _ = decisions[part].set(decision);
        });
        let last = first_failing.into_inner();
        let decisions: Vec<Decision> = decisions
            .into_iter()
            .take(last.saturating_add(1))
            .filter_map(OnceLock::into_inner)
            .collect();
        let mut deciders: Vec<Decider> = decisions
            .iter()
            .filter_map(|d| match d {
                Decision::Holds(decider) | Decision::Violated { decider, .. } => Some(*decider),
                Decision::Unknown(_) => None,
            })
            .collect();
        deciders.sort_unstable();
        deciders.dedup();
        Answer {
            verdict: self.verdict(worst(decisions), budget),
            deciders,
            parts: self.parts.len(),
        }
    }

    fn verdict(&self, decision: Decision, budget: &dyn Budget) -> Verdict {
        match decision {
            Decision::Holds(_) => Verdict::Holds(self.short_order(budget)),
            Decision::Unknown(limit) => Verdict::Unknown(limit),
            Decision::Violated {
                decider,
                part,
                reason,
            } => Verdict::Violated(Box::new(self.explain(decider, part, reason, budget))),
        }
    }

    /// An order of effects, if one is quickly found: for people, who read short histories.
    fn short_order(&self, budget: &dyn Budget) -> Option<Vec<Placed>> {
        const SHORT: usize = 2_000;
        let effort = Effort {
            left: Cell::new(1_000),
            outer: budget,
        };
        match self.parts.as_slice() {
            [] => Some(Vec::new()),
            [only] if only.operations.len() <= SHORT => self.order(0, &effort),
            _ => None,
        }
    }

    fn explain(
        &self,
        decider: Decider,
        part: usize,
        reason: Reason,
        budget: &dyn Budget,
    ) -> Evidence {
        let all = self.ops(part);
        let of = all.len();
        let (ops, because) = match reason {
            // Only where time passes does a prefix fail by itself.
            Reason::Refused(id) if matches!(self.mode, Mode::Order(_)) => (prefix(all, id), None),
            Reason::Refused(_) => (all, None),
            Reason::Pattern(pattern) => {
                let ops = pattern.operations.iter().map(|&id| self.op(id));
                let ops: Vec<Op<'_, S>> = ops.collect();
                // A pattern may speak of what is missing, too; the search sees only what is there.
                if let Ok(Found::Refused(_)) = self.search(&ops, budget) {
                    (ops, Some(pattern.because))
                } else {
                    (all, None)
                }
            }
        };
        let violation = Violation {
            history: self.history,
            spec: self.spec,
            about: self.parts[part].about.clone(),
            ops,
            of,
            decider,
            because,
            order: match self.mode {
                Mode::Order(_) if self.periods.is_some() => Ordered::Quiet,
                Mode::Order(_) | Mode::Literal(_) => Ordered::RealTime,
                Mode::Sequential => Ordered::Process,
            },
        };
        let judge = Asked {
            question: self,
            budget,
        };
        explain(&violation, &judge)
    }

    /// An order of effects of a part that shows that it holds; nothing if there is none or `budget` ends first.
    pub fn order(&self, part: usize, budget: &dyn Budget) -> Option<Vec<Placed>> {
        let ops = self.ops(part);
        match self.mode {
            Mode::Order(_) => search::search_order(self.spec, &ops, budget),
            Mode::Sequential => sequential::order(self.spec, self.history, &ops, budget),
            Mode::Literal(_) => Ok(None),
        }
        .ok()
        .flatten()
    }

    /// The operations of a part as deciders see them.
    fn ops(&self, part: usize) -> Vec<Op<'_, S>> {
        let operations = &self.parts[part].operations;
        operations.iter().map(|&id| self.op(id)).collect()
    }

    /// Operation `id` as deciders see it.
    fn op(&self, id: OpId) -> Op<'_, S> {
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
            role: Role::Recorded,
        }
    }
}

/// A question and who may answer it for how long.
struct Asked<'a, 'q, S: Spec> {
    question: &'a Question<'q, S>,
    budget: &'a dyn Budget,
}

impl<S: Spec> Judge<S> for Asked<'_, '_, S> {
    fn refused(&self, ops: &[Op<'_, S>], effort: u64) -> Option<Option<OpId>> {
        let effort = Effort {
            left: Cell::new(effort),
            outer: self.budget,
        };
        match self.question.search(ops, &effort).ok()? {
            Found::Order => Some(None),
            Found::Refused(op) => Some(Some(op)),
        }
    }

    fn refusal(&self, ops: &[Op<'_, S>]) -> Option<Refusal> {
        let Question {
            spec,
            history,
            mode,
            ..
        } = self.question;
        match mode {
            Mode::Order(_) => search::refusal(*spec, ops, self.budget),
            Mode::Sequential => sequential::refusal(*spec, history, ops, self.budget),
            Mode::Literal(k) => quasi_literal::refusal(*spec, ops, *k, self.budget),
        }
        .ok()
        .flatten()
    }
}

/// The operations called up to the return of `refused`.
fn prefix<'o, S: Spec>(mut ops: Vec<Op<'o, S>>, refused: OpId) -> Vec<Op<'o, S>> {
    if let Some(end) = ops.iter().find(|op| op.id == refused).map(|op| op.to) {
        ops.retain(|op| op.from <= end);
    }
    ops
}

/// The worst of the decisions about the parts of one history: one violated part violates the whole.
fn worst(decisions: Vec<Decision>) -> Decision {
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
            return whole(calls.len());
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
fn whole(count: usize) -> Vec<Part> {
    vec![Part {
        about: None,
        operations: (0..OpId::try_from(count).expect("ids are numbers")).collect(),
    }]
}
