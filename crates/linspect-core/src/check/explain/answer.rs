//! A question, answered: every part decided, the verdict explained.

use super::claim::Claims;
use super::minimal_core::{Allowance, Judge};
use super::refusal::{self, Refusal};
use super::{Ordered, Violation, explain, explain_end, quote, up_to};
use crate::check::budget::Budget;
use crate::check::criteria::{quasi_literal, sequential};
use crate::check::decide::pattern;
use crate::check::moments;
use crate::check::question::{Decision, Mode, Question, Reason, worst};
use crate::check::search::walk::{self, Start};
use crate::check::search::{self, Found, Op};
use crate::check::workers::Workers;
use crate::history::{OpId, Outcome};
use crate::spec::{Erased, Spec};
use crate::value::Value;
use crate::verdict::{Because, Decider, Evidence, Limit, Placed, Verdict};
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

    /// An order of effects, if one is found with little more effort than it takes to look at each operation: for people, who
    /// read short histories.
    fn short_order(&self, budget: &dyn Budget) -> Option<Vec<Placed>> {
        const SHORT: usize = 2_000;
        match &*self.parts {
            [] => Some(Vec::new()),
            [only] if only.operations.len() <= SHORT => {
                let effort = Allowance {
                    left: &Cell::new(4 + only.operations.len() as u64 / 64),
                    outer: budget,
                };
                self.order(0, &effort)
            }
            _ => None,
        }
    }
}

/// A reason of so many operations is quoted as it is.
const FEW: usize = 12;

impl<'a> Question<'a, Erased<'a>> {
    /// The evidence for the violation of a part. What is done for it is counted: it never takes much longer than a decision.
    fn explain(
        &self,
        decider: Decider,
        part: usize,
        reason: Reason,
        budget: &dyn Budget,
    ) -> Evidence {
        let all = self.ops(part);
        let violation = |ops, refused, headline, because| Violation {
            history: self.history,
            spec: self.spec,
            about: self.parts[part].about.clone(),
            ops,
            refused,
            of: all.len(),
            decider,
            headline,
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
            left: Cell::new(EVIDENCE),
        };
        let some = |ids: &[OpId]| -> Vec<Op<'_, Erased<'a>>> {
            let mut ids = ids.to_vec();
            ids.sort_unstable();
            ids.dedup();
            ids.into_iter().map(|id| self.op(id)).collect()
        };
        let claims = match self.mode {
            Mode::Order(Some(spec)) if self.periods.is_none() && !self.is_whole(part) => {
                Claims::new(self.history, spec, &self.parts[part].operations)
            }
            _ => None,
        };
        let about = |id| claims.as_ref().and_then(|claims| claims.about(id));
        let mut evidence = match reason {
            Reason::Pattern(pattern) => {
                let ops = some(&pattern.operations);
                // The pattern in one sentence, if it speaks of nothing else.
                let claim = pattern.operations.iter().rev().find_map(|&id| {
                    let within =
                        |c: &Because| c.operations.iter().all(|o| pattern.operations.contains(o));
                    about(id).filter(within).map(|claim| (id, claim))
                });
                let (refused, headline) = claim.unzip();
                let is_long = ops.len() > FEW;
                let violation = violation(ops, refused, headline, Some(pattern.because));
                let fails = || {
                    matches!(
                        judge.refused(&violation.ops, None, &Cell::new(1_000)),
                        Some(Some(_))
                    )
                };
                if is_long && violation.headline.is_none() && fails() {
                    explain(&violation, &judge)
                } else {
                    quote(&violation, &judge)
                }
            }
            Reason::Refused(id) => {
                let claimed = about(id).map(|claim| {
                    let ops = some(&claim.operations);
                    quote(&violation(ops, Some(id), Some(claim), None), &judge)
                });
                match claimed {
                    Some(claimed) if claimed.core.len() <= FEW => claimed,
                    // A sentence about many operations says less than the state before a few of them does.
                    Some(claimed) => {
                        let violation = violation(prefix(&all, id), Some(id), None, None);
                        explain_end(&violation, &judge).unwrap_or(claimed)
                    }
                    // Only where time passes does a prefix fail by itself.
                    None if matches!(self.mode, Mode::Order(_)) => {
                        explain(&violation(prefix(&all, id), Some(id), None, None), &judge)
                    }
                    None => explain(&violation(all.clone(), None, None, None), &judge),
                }
            }
        };
        if evidence.headline.is_none()
            && let Some(claim) = evidence.core.iter().rev().find_map(|&id| about(id))
            && claim.operations.len() <= FEW.max(evidence.core.len())
        {
            // What is left says it.
            let refused = claim.operations.last().copied();
            let ops = some(&claim.operations);
            evidence = quote(&violation(ops, refused, Some(claim), None), &judge);
        }
        evidence.instead = self.instead(part, evidence.refused, &judge);
        evidence
    }

    /// Every result of `refused` with which the part would hold, each put into the history and decided; nothing if that takes
    /// too long.
    fn instead(&self, part: usize, refused: OpId, judge: &Asked<'_, 'a>) -> Option<Vec<Value>> {
        const LONG: usize = 20_000;
        const MANY: usize = 16;
        let (Mode::Order(builtin), None) = (self.mode, &self.periods) else {
            return None;
        };
        let all = self.ops(part);
        self.op(refused).outcome.value()?;
        if all.len() > LONG {
            return None;
        }
        let left = Cell::new(INSTEAD + all.len() as u64 / 64);
        let left = &left;
        let candidates = judge
            .within(|outer| walk::results(self.spec, &all, refused, &Allowance { left, outer }))?;
        if candidates.len() > MANY {
            return None;
        }
        let mut instead = Vec::new();
        for candidate in candidates {
            let outcome = Outcome::Returned(candidate.clone());
            let mut other = self.history.clone();
            other.operations[refused as usize].outcome = outcome.clone();
            let said = builtin.filter(|_| !self.is_whole(part)).and_then(|spec| {
                let operations = &self.parts[part].operations;
                let (_, said) = pattern::decide(&other, spec, operations)?;
                (!moments::touch(&other, operations)).then_some(said.is_ok())
            });
            let holds = match said {
                Some(holds) => holds,
                None => {
                    let mut ops = all.clone();
                    for op in &mut ops {
                        if op.id == refused {
                            op.outcome = &outcome;
                        }
                    }
                    let found = judge.within(|outer| {
                        search::search(self.spec, &ops, None, true, &Allowance { left, outer })
                    })?;
                    found == Found::Order
                }
            };
            if holds {
                instead.push(candidate);
            }
        }
        Some(instead)
    }
}

/// So many questions to the budget may all the evidence for a violation take.
const EVIDENCE: u64 = 2_000;
/// What could have been returned instead may take so many of them, and one for every 64 operations.
const INSTEAD: u64 = 200;
/// And so many bytes at once.
const MEMORY: usize = 256 << 20;

/// A question and who may answer it for how long.
struct Asked<'a, 'q> {
    question: &'a Question<'q, Erased<'q>>,
    budget: &'a dyn Budget,
    /// How many questions to the budget are left.
    left: Cell<u64>,
}

impl Asked<'_, '_> {
    /// Does something within what is left.
    fn within<T>(&self, work: impl FnOnce(&dyn Budget) -> Result<T, Limit>) -> Option<T> {
        let modest = |memory: usize| match self.budget.exhausted(memory) {
            None if memory > MEMORY => Some(Limit::Memory),
            limit => limit,
        };
        work(&Allowance {
            left: &self.left,
            outer: &modest,
        })
        .ok()
    }
}

impl<'q> Judge<Erased<'q>> for Asked<'_, 'q> {
    fn refused(
        &self,
        ops: &[Op<'_, Erased<'q>>],
        start: Option<&Start<Erased<'q>>>,
        left: &Cell<u64>,
    ) -> Option<Option<OpId>> {
        let found = self.within(|outer| {
            let effort = Allowance { left, outer };
            self.question.search(ops, start, &effort)
        })?;
        match found {
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
        self.within(|budget| match mode {
            Mode::Order(_) => refusal::refusal(*spec, ops, start, budget),
            Mode::Sequential => sequential::refusal(*spec, history, ops, budget),
            Mode::Literal(k) => quasi_literal::refusal(*spec, ops, *k, budget),
        })
        .flatten()
    }

    fn start_after(&self, ops: &[Op<'_, Erased<'q>>], returns: usize) -> Option<Start<Erased<'q>>> {
        match self.question.mode {
            Mode::Order(_) => {
                self.within(|budget| walk::start_after(self.question.spec, ops, returns, budget))?
            }
            Mode::Sequential | Mode::Literal(_) => None,
        }
    }
}

/// The operations called up to the return of `refused`.
fn prefix<'o, S: Spec>(ops: &[Op<'o, S>], refused: OpId) -> Vec<Op<'o, S>> {
    match ops.iter().find(|op| op.id == refused) {
        Some(refused) => up_to(ops, refused.to).collect(),
        None => ops.to_vec(),
    }
}
