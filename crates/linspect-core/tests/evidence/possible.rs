//! What some operations can be explained by, tried in every order.

use linspect_core::check::brute;
use linspect_core::history::{History, OpId, Outcome};
use linspect_core::spec::Spec;
use linspect_core::value::Value;

/// Whether the operations `core` can be explained if each of the others may have taken effect with its result, or not.
pub(crate) fn is_possible<S: Spec>(spec: &S, history: &History, core: &[OpId]) -> bool {
    fn go<S: Spec>(
        spec: &S,
        history: &History,
        core: &[OpId],
        state: &S::State,
        order: &mut Vec<usize>,
    ) -> bool {
        let is_core = |i: usize| core.iter().any(|&id| id as usize == i);
        let open = |order: &[usize], i: usize| is_core(i) && !order.contains(&i);
        let count = history.operations.len();
        if (0..count).all(|i| !open(order, i) || history.operations[i].is_pending()) {
            return true;
        }
        let is_next = |i: &usize| {
            let waits = |j| open(order, j) && brute::comes_first(history, j, *i);
            let is_late = order.iter().any(|&j| brute::comes_first(history, *i, j));
            !order.contains(i) && !is_late && !(0..count).any(waits)
        };
        let nexts: Vec<usize> = (0..count).filter(is_next).collect();
        for (group, next) in meetings(spec, history, &nexts, state) {
            let before = order.len();
            order.extend(group);
            if go(spec, history, core, &next, order) {
                return true;
            }
            order.truncate(before);
        }
        for i in nexts {
            let op = &history.operations[i];
            let call = spec.call(history.name(op), &op.argument).expect("known");
            let outcome = spec.outcome(&call, &op.outcome).expect("known");
            let mut nexts = Vec::new();
            spec.successors(state, &call, &outcome, &mut |next| nexts.push(next));
            order.push(i);
            if nexts
                .iter()
                .any(|next| go(spec, history, core, next, order))
            {
                return true;
            }
            order.pop();
        }
        false
    }
    go(spec, history, core, &spec.initial(), &mut Vec::new())
}

/// Operations among `nexts` that may take effect together in `state`, and the state after them.
fn meetings<S: Spec>(
    spec: &S,
    history: &History,
    nexts: &[usize],
    state: &S::State,
) -> Vec<(Vec<usize>, S::State)> {
    let mut found = Vec::new();
    for set in 0_u32..1 << nexts.len() {
        let group: Vec<usize> = (0..nexts.len())
            .filter(|i| set >> i & 1 == 1)
            .map(|i| nexts[i])
            .collect();
        let apart = |&i: &usize| group.iter().any(|&j| brute::comes_first(history, i, j));
        if group.len() < 2 || group.len() > spec.most_together() || group.iter().any(apart) {
            continue;
        }
        let ops = group.iter().map(|&i| &history.operations[i]);
        let calls = ops.map(|op| {
            let call = spec.call(history.name(op), &op.argument).expect("known");
            let outcome = spec.outcome(&call, &op.outcome).expect("known");
            (call, outcome)
        });
        let calls: Vec<(S::Call, Outcome)> = calls.collect();
        let asked: Vec<&S::Call> = calls.iter().map(|(call, _)| call).collect();
        spec.together(state, &asked, &mut |results, next| {
            let fits = |((_, outcome), result): (&(S::Call, Outcome), &Value)| {
                outcome.value().is_none_or(|seen| seen == result)
            };
            if calls.iter().zip(results).all(fits) {
                found.push((group.clone(), next));
            }
        });
    }
    found
}
