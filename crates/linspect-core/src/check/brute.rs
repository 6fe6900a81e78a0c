//! The oracle: tries every order of effects that real time allows. For tests of everything that is cleverer.

use crate::history::{History, Operation, Outcome};
use crate::spec::{Spec, Unfit};

/// Whether `history` is linearizable with respect to `spec`, found out in exponential time.
///
/// It shares nothing with the deciders, not even [`Spec::successors`], [`Spec::is_read_only`] or [`Spec::part`].
pub fn is_linearizable<S: Spec>(spec: &S, history: &History) -> Result<bool, Unfit> {
    let mut steps = Vec::with_capacity(history.operations.len());
    for op in &history.operations {
        let named = op.argument.clone();
        let by_process = spec.asks_who() && named.is_nothing();
        let named = if by_process {
            i64::from(op.process).into()
        } else {
            named
        };
        let call = spec.call(history.name(op), &named)?;
        let outcome = spec.outcome(&call, &op.outcome)?;
        steps.push(Step { op, call, outcome });
    }
    let mut placed = vec![false; steps.len()];
    Ok(can_finish(
        spec,
        history,
        &steps,
        &mut placed,
        &spec.initial(),
    ))
}

/// Whether operation `a` must take effect before `b`, in real time or in the life of their process.
pub fn comes_first(history: &History, a: usize, b: usize) -> bool {
    let (x, y) = (&history.operations[a], &history.operations[b]);
    if x.ret != y.call || x.process != y.process {
        return x.ret < y.call;
    }
    // They touch: one that lasted went first or last, as its interval says.
    let lasts = |op: &Operation| op.call != op.ret;
    a != b && (lasts(x) || lasts(y) || (history.keeps_turns && a < b))
}

struct Step<'h, C> {
    op: &'h Operation,
    call: C,
    outcome: Outcome,
}

fn can_finish<S: Spec>(
    spec: &S,
    history: &History,
    steps: &[Step<'_, S::Call>],
    placed: &mut [bool],
    state: &S::State,
) -> bool {
    let open = |placed: &[bool], i: usize| !placed[i] && !steps[i].op.is_pending();
    if (0..steps.len()).all(|i| !open(placed, i)) {
        return true;
    }
    for i in 0..steps.len() {
        let waits = |j| open(placed, j) && comes_first(history, j, i);
        if placed[i] || (0..steps.len()).any(waits) {
            continue;
        }
        let mut nexts = Vec::new();
        spec.outcomes(state, &steps[i].call, &mut |result, next| {
            let fits = match &steps[i].outcome {
                Outcome::Returned(seen) => *seen == result,
                Outcome::Unknown | Outcome::Pending => true,
            };
            if fits {
                nexts.push(next);
            }
        });
        placed[i] = true;
        if nexts
            .iter()
            .any(|next| can_finish(spec, history, steps, placed, next))
        {
            return true;
        }
        placed[i] = false;
    }
    sets(steps.len(), spec.most_together())
        .iter()
        .any(|set| can_meet(spec, history, steps, placed, state, set))
}

/// Every set of two to `most` of `count` operations.
fn sets(count: usize, most: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for i in 0..count {
        let with = all.iter().filter(|set| set.len() < most);
        let with: Vec<Vec<usize>> = with.map(|set| [&set[..], &[i]].concat()).collect();
        all.extend(with);
    }
    all.retain(|set| set.len() > 1);
    all
}

/// Whether the operations of `set` can take effect at one moment now, and the others after them.
fn can_meet<S: Spec>(
    spec: &S,
    history: &History,
    steps: &[Step<'_, S::Call>],
    placed: &mut [bool],
    state: &S::State,
    set: &[usize],
) -> bool {
    // A moment in all of their intervals, at which nobody has to be placed before one of them.
    let first = |j: usize| {
        let is_open = !placed[j] && !steps[j].op.is_pending();
        let inside = set.contains(&j);
        (is_open || inside) && set.iter().any(|&i| comes_first(history, j, i))
    };
    if set.iter().any(|&i| placed[i]) || (0..steps.len()).any(first) {
        return false;
    }
    let calls: Vec<&S::Call> = set.iter().map(|&i| &steps[i].call).collect();
    let mut nexts = Vec::new();
    spec.together(state, &calls, &mut |results, next| {
        let fits = |(&i, result): (&usize, &crate::value::Value)| match &steps[i].outcome {
            Outcome::Returned(seen) => seen == result,
            Outcome::Unknown | Outcome::Pending => true,
        };
        if set.iter().zip(results).all(fits) {
            nexts.push(next);
        }
    });
    for &i in set {
        placed[i] = true;
    }
    let found = nexts
        .iter()
        .any(|next| can_finish(spec, history, steps, placed, next));
    for &i in set {
        placed[i] = found;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::is_linearizable;
    use crate::history::{History, NEVER, Outcome};
    use crate::spec::Queue;
    use crate::value::Value;

    fn check(history: &History, expected: bool) {
        assert_eq!(is_linearizable(&Queue::default(), history), Ok(expected));
    }

    #[test]
    fn order_overlap_and_pending_operations_count() {
        let mut h = History::new();
        h.push(0, "enq", 1, Value::Unit, 1, 2);
        h.push(0, "enq", 2, Value::Unit, 3, 4);
        let deq = h.push(1, "deq", Value::Unit, 2, 5, 6);
        check(&h, false);
        h.operations[1].call = 2; // now the two touch, but one process did both
        check(&h, false);
        h.operations[1].process = 2; // now they overlap
        check(&h, true);
        h.operations[1].process = 0;
        h.operations[1].call = 3;
        h.operations[deq as usize].outcome = Outcome::Unknown;
        check(&h, true);
        h.operations[deq as usize].outcome = Outcome::Returned(Value::Nil);
        check(&h, false);
        h.operations[0].outcome = Outcome::Pending;
        h.operations[0].ret = NEVER;
        check(&h, false);
        h.operations[deq as usize].outcome = Outcome::Returned(2.into());
        check(&h, true);
        h.operations[deq as usize].outcome = Outcome::Returned(3.into());
        check(&h, false);
    }
}
