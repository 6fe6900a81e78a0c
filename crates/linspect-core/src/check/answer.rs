//! A question, answered: every part decided, the verdict explained.

use super::budget::Budget;
use super::core::{Effort, Judge};
use super::explain::{Ordered, Violation, explain, quote};
use super::question::{Decision, Mode, Question, Reason, worst};
use super::refusal::{self, Refusal};
use super::search::{self, Found, Op, Start};
use super::workers::Workers;
use super::{quasi_literal, sequential};
use crate::history::OpId;
use crate::spec::{Erased, Spec};
use crate::verdict::{Decider, Evidence, Placed, Verdict};
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

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

impl<S: Spec> Question<'_, S> {
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
            } => {
                let erased = Erased::new(self.spec);
                let evidence = self.about(&erased).explain(decider, part, reason, budget);
                Verdict::Violated(Box::new(evidence))
            }
        }
    }

    /// An order of effects, if one is quickly found: for people, who read short histories.
    fn short_order(&self, budget: &dyn Budget) -> Option<Vec<Placed>> {
        const SHORT: usize = 2_000;
        let effort = Effort {
            left: &Cell::new(1_000),
            outer: budget,
        };
        match &*self.parts {
            [] => Some(Vec::new()),
            [only] if only.operations.len() <= SHORT => self.order(0, &effort),
            _ => None,
        }
    }
}

impl<'a> Question<'a, Erased<'a>> {
    fn explain(
        &self,
        decider: Decider,
        part: usize,
        reason: Reason,
        budget: &dyn Budget,
    ) -> Evidence {
        let all = self.ops(part);
        let violation = |ops, refused, because| Violation {
            history: self.history,
            spec: self.spec,
            about: self.parts[part].about.clone(),
            ops,
            refused,
            of: all.len(),
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
        match reason {
            // Only where time passes does a prefix fail by itself.
            Reason::Refused(id) if matches!(self.mode, Mode::Order(_)) => {
                explain(&violation(prefix(&all, id), Some(id), None), &judge)
            }
            Reason::Refused(_) => explain(&violation(all.clone(), None, None), &judge),
            Reason::Pattern(pattern) => {
                let ops: Vec<Op<'_, Erased<'a>>> =
                    pattern.operations.iter().map(|&id| self.op(id)).collect();
                match judge.refused(&ops, None, &Cell::new(1_000)) {
                    Some(Some(_)) => explain(&violation(ops, None, Some(pattern.because)), &judge),
                    // The decider knows better than the search, or is quicker.
                    _ => quote(&violation(ops, None, Some(pattern.because))),
                }
            }
        }
    }
}

/// A question and who may answer it for how long.
struct Asked<'a, 'q> {
    question: &'a Question<'q, Erased<'q>>,
    budget: &'a dyn Budget,
}

impl<'q> Judge<Erased<'q>> for Asked<'_, 'q> {
    fn refused(
        &self,
        ops: &[Op<'_, Erased<'q>>],
        start: Option<&Start<Erased<'q>>>,
        left: &Cell<u64>,
    ) -> Option<Option<OpId>> {
        let effort = Effort {
            left,
            outer: self.budget,
        };
        match self.question.search(ops, start, &effort).ok()? {
            Found::Order => Some(None),
            Found::Refused(op) => Some(Some(op)),
        }
    }

    fn refusal(
        &self,
        ops: &[Op<'_, Erased<'q>>],
        start: Option<&Start<Erased<'q>>>,
    ) -> Option<Refusal> {
        let Question {
            spec,
            history,
            mode,
            ..
        } = self.question;
        match mode {
            Mode::Order(_) => refusal::refusal(*spec, ops, start, self.budget),
            Mode::Sequential => sequential::refusal(*spec, history, ops, self.budget),
            Mode::Literal(k) => quasi_literal::refusal(*spec, ops, *k, self.budget),
        }
        .ok()
        .flatten()
    }

    fn start_after(&self, ops: &[Op<'_, Erased<'q>>], returns: usize) -> Option<Start<Erased<'q>>> {
        match self.question.mode {
            Mode::Order(_) => {
                search::start_after(self.question.spec, ops, returns, self.budget).ok()?
            }
            Mode::Sequential | Mode::Literal(_) => None,
        }
    }
}

/// The operations called up to the return of `refused`.
fn prefix<'o, S: Spec>(ops: &[Op<'o, S>], refused: OpId) -> Vec<Op<'o, S>> {
    let end = ops.iter().find(|op| op.id == refused).map(|op| op.to);
    let ops = ops.iter().copied();
    ops.filter(|op| end.is_none_or(|end| op.from <= end))
        .collect()
}
