//! What the operations of a client may return: every combination that some order of their effects explains.
//!
//! Linearizability as a claim about recorded results, a finite disjunction: the property that an explanation of a history starts from.

use linspect_core::history::{History, Outcome};
use linspect_core::project::{CallOrigin, Projection};
use linspect_core::schedule::ThreadId;
use linspect_core::spec::{Spec, caller};
use linspect_core::statement::{Claim, Operand, Recording, Relation, parts};
use linspect_core::value::Value;
use std::collections::BTreeSet;

/// More orders than this are not tried.
const ORDERS: usize = 200_000;

/// More alternatives than this explain nothing to anybody.
const ALTERNATIVES: usize = 2_000;

/// The claim that a recorded client violates if its history has no linearization; `None` if there are too many possible outcomes, if
/// operations may take effect together, or a result was not recorded.
///
/// Operations that never returned may have taken effect or not; what they would return does not matter.
pub fn claim<S: Spec>(spec: &S, projection: &Projection, recording: &Recording) -> Option<Claim> {
    if spec.most_together() > 1 {
        // Operations that meet have results that no order of single ones gives.
        return None;
    }
    let history = &projection.history;
    let calls = history
        .operations
        .iter()
        .map(|op| {
            let argument = caller(spec, op.process, &op.argument);
            spec.call(history.name(op), &argument).ok()
        })
        .collect::<Option<Vec<_>>>()?;
    let outcomes = history
        .operations
        .iter()
        .zip(&calls)
        .map(|(op, call)| spec.outcome(call, &op.outcome).ok())
        .collect::<Option<Vec<_>>>()?;
    let mut orders = Orders {
        spec,
        history,
        calls: &calls,
        fixed: projection
            .origins
            .iter()
            .zip(&outcomes)
            .map(|(origin, outcome)| match origin {
                CallOrigin::Before(_) => outcome.value().cloned(),
                _ => None,
            })
            .collect(),
        results: vec![None; calls.len()],
        left: ORDERS,
        found: BTreeSet::new(),
    };
    orders.explore(&spec.initial());
    if orders.left == 0 || orders.found.len() > ALTERNATIVES {
        return None;
    }
    let any_of = orders
        .found
        .iter()
        .map(|results| alternative(projection, &outcomes, recording, results, spec.nothing()))
        .collect::<Option<Vec<_>>>()?;
    Some(Claim { any_of })
}

/// One combination of results as equations about the recorded ones.
fn alternative(
    projection: &Projection,
    outcomes: &[Outcome],
    recording: &Recording,
    results: &[Option<Value>],
    nothing: Option<&Value>,
) -> Option<Vec<(Operand, Relation, i64)>> {
    let mut conjuncts = Vec::new();
    for (op, allowed) in results.iter().enumerate() {
        let recorded = &projection.history.operations[op].outcome;
        let (Some(allowed), Some(raw)) = (allowed, recorded.value()) else {
            continue;
        };
        if matches!(projection.origins[op], CallOrigin::Before(_)) || parts(raw).is_empty() {
            continue;
        }
        let operands = operands(projection, recording, op)?;
        let same = outcomes[op].value() == Some(allowed);
        // The claim is about what the object returns, in its own spelling.
        let own = nothing
            .filter(|_| *allowed == Value::Nil)
            .unwrap_or(allowed);
        let (raw, wanted) = (parts(raw), parts(own));
        let spelled_alike = outcomes[op].value() == recorded.value();
        if same {
            let equal = |(operand, part)| (operand, Relation::Eq, part);
            conjuncts.extend(operands.into_iter().zip(raw).map(equal));
        } else if spelled_alike && wanted.len() == raw.len() {
            let equal = |(operand, part)| (operand, Relation::Eq, part);
            conjuncts.extend(operands.into_iter().zip(wanted).map(equal));
        } else {
            // The object spells this result in its own way: it would not be the recorded one.
            conjuncts.push((*operands.first()?, Relation::Ne, *raw.first()?));
        }
    }
    Some(conjuncts)
}

fn operands(projection: &Projection, recording: &Recording, op: usize) -> Option<Vec<Operand>> {
    let is = |thread: ThreadId, index: usize| {
        recording
            .results
            .iter()
            .find(|r| r.operation.thread == thread && usize::from(r.operation.index) == index)
    };
    let returned = match projection.origins[op] {
        CallOrigin::Thread(activation) => is(activation.thread, activation.index.into()),
        CallOrigin::After(index) => is(ThreadId::MAX, index),
        CallOrigin::Before(_) => None,
    };
    returned.map(|r| r.parts.clone())
}

/// A walk through the orders in which the operations may have taken effect.
struct Orders<'a, S: Spec> {
    spec: &'a S,
    history: &'a History,
    calls: &'a [S::Call],
    /// Results that are no part of the question.
    fixed: Vec<Option<Value>>,
    results: Vec<Option<Value>>,
    left: usize,
    found: BTreeSet<Vec<Option<Value>>>,
}

impl<S: Spec> Orders<'_, S> {
    fn explore(&mut self, state: &S::State) {
        let Some(left) = self.left.checked_sub(1) else {
            return;
        };
        self.left = left;
        let operations = &self.history.operations;
        let open: Vec<usize> = (0..operations.len())
            .filter(|&i| self.results[i].is_none())
            .collect();
        if open.iter().all(|&i| operations[i].is_pending()) {
            let returned = self.results.iter().enumerate();
            let returned = returned.map(|(i, r)| r.clone().filter(|_| !operations[i].is_pending()));
            self.found.insert(returned.collect());
        }
        for &next in &open {
            let ready = open
                .iter()
                .all(|&other| other == next || !operations[other].precedes(&operations[next]));
            if !ready {
                continue;
            }
            let mut ways = Vec::new();
            self.spec
                .outcomes(state, &self.calls[next], &mut |value, after| {
                    ways.push((value, after));
                });
            for (value, after) in ways {
                if self.fixed[next].as_ref().is_some_and(|f| *f != value) {
                    continue;
                }
                self.results[next] = Some(value);
                self.explore(&after);
                self.results[next] = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::execution::Activation;
    use linspect_core::history::Operation;
    use linspect_core::spec::{Register, Stack};
    use linspect_core::statement::{NIL, Returned, Variable};

    /// Operations as (thread, method, argument, result, call, return), one per thread, none before.
    fn recorded(calls: &[(u16, &str, Value, Value, u64, u64)]) -> (Projection, Recording) {
        let mut history = History::new();
        let mut origins = Vec::new();
        let mut recording = Recording::default();
        for (slot, (thread, method, argument, result, call, ret)) in (0..).zip(calls) {
            let method = history.method(method);
            history.operations.push(Operation {
                process: (*thread).into(),
                method,
                argument: argument.clone(),
                outcome: Outcome::Returned(result.clone()),
                call: *call,
                ret: *ret,
            });
            let operation = Activation {
                thread: *thread,
                index: 0,
            };
            origins.push(CallOrigin::Thread(operation));
            let part = Operand::Variable(Variable::Register { frame: 0, slot });
            recording.results.push(Returned {
                operation,
                parts: parts(result).iter().map(|_| part).collect(),
            });
        }
        (Projection { history, origins }, recording)
    }

    fn operand(slot: u32) -> Operand {
        Operand::Variable(Variable::Register { frame: 0, slot })
    }

    #[test]
    fn one_order_leaves_one_result() {
        let (projection, recording) = recorded(&[
            (0, "push", Value::Int(1), Value::Unit, 1, 2),
            (1, "pop", Value::Unit, Value::Nil, 3, 4),
        ]);
        let claim = claim(&Stack::default(), &projection, &recording).expect("few orders");
        assert_eq!(claim.any_of, [[(operand(1), Relation::Eq, 1)]]);
    }

    #[test]
    fn overlapping_operations_have_several() {
        let (projection, recording) = recorded(&[
            (0, "push", Value::Int(1), Value::Unit, 1, 9),
            (1, "pop", Value::Unit, Value::Int(7), 3, 4),
        ]);
        let claim = claim(&Stack::default(), &projection, &recording).expect("few orders");
        let results: BTreeSet<i64> = claim.any_of.iter().map(|all| all[0].2).collect();
        assert_eq!(results, BTreeSet::from([NIL, 1]));
    }

    #[test]
    fn a_result_that_was_not_recorded_is_no_claim() {
        let (projection, mut recording) =
            recorded(&[(0, "read", Value::Unit, Value::Int(3), 1, 2)]);
        recording.results.clear();
        assert_eq!(claim(&Register::default(), &projection, &recording), None);
    }
}
