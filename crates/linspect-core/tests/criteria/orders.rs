//! Sequential and quiescent consistency: some legal order respects a relation.

use crate::{compare, passes, shape};
use linspect_core::check::brute;
use linspect_core::history::{History, Operation, Outcome, Time};
use linspect_core::spec::{Builtin, Spec, Visitor};
use linspect_core::value::Value;
use linspect_core::verdict::Criterion;

struct SomeOrder<'a> {
    history: &'a History,
    /// Which of two operations, by index, must come first.
    before: &'a dyn Fn(usize, usize) -> bool,
}

impl Visitor for SomeOrder<'_> {
    type Output = bool;

    fn visit<S: Spec>(self, spec: &S) -> bool {
        fn go<S: Spec>(
            spec: &S,
            state: &S::State,
            todo: &[(usize, &Operation, S::Call, Outcome)],
            before: &dyn Fn(usize, usize) -> bool,
        ) -> bool {
            if todo.iter().all(|(_, op, ..)| op.is_pending()) {
                return true;
            }
            (0..todo.len()).any(|i| {
                let (id, _, call, outcome) = &todo[i];
                if todo
                    .iter()
                    .any(|(first, op, ..)| !op.is_pending() && before(*first, *id))
                {
                    return false;
                }
                let mut rest = todo.to_vec();
                rest.remove(i);
                let mut nexts = Vec::new();
                spec.outcomes(state, call, &mut |result, next| {
                    if outcome.value().is_none_or(|seen| *seen == result) {
                        nexts.push(next);
                    }
                });
                nexts.iter().any(|next| go(spec, next, &rest, before))
            })
        }
        let todo: Vec<_> = self
            .history
            .operations
            .iter()
            .enumerate()
            .map(|(id, op)| {
                let call = spec
                    .call(self.history.name(op), &op.argument)
                    .expect("known");
                let outcome = spec.outcome(&call, &op.outcome).expect("known");
                (id, op, call, outcome)
            })
            .collect();
        go(spec, &spec.initial(), &todo, self.before)
    }
}

#[test]
fn sequential_consistency() {
    let oracle = |history: &History, spec: &Builtin, _| {
        let process = |id: usize| history.operations[id].process;
        let before = |a, b| process(a) == process(b) && brute::comes_first(history, a, b);
        spec.visit(SomeOrder {
            history,
            before: &before,
        })
    };
    compare(
        &Builtin::NAMES,
        &shape(6),
        |_| Criterion::Sequential,
        oracle,
    );
}

#[test]
fn quiescent_consistency() {
    let oracle = |history: &History, spec: &Builtin, _| {
        // The moment between t and t+1 is quiet if nobody is busy then.
        let busy = |t: Time| {
            history
                .operations
                .iter()
                .any(|op| op.call <= t && op.ret > t)
        };
        let before = |a: usize, b: usize| {
            let (a, b) = (&history.operations[a], &history.operations[b]);
            a.ret < b.call && (a.ret..b.call).any(|t| !busy(t))
        };
        spec.visit(SomeOrder {
            history,
            before: &before,
        })
    };
    compare(&Builtin::NAMES, &shape(6), |_| Criterion::Quiescent, oracle);
}

#[test]
fn sequential_consistency_is_not_local() {
    // Each queue by itself is fine; together they are not (Herlihy and Wing 1990, section 3.3, with map keys for queues).
    let mut history = History::new();
    let put = |h: &mut History, process, key: &str, value: i64, t| {
        h.push(
            process,
            "put",
            Value::list([key.into(), value.into()]),
            (),
            t,
            t + 1,
        );
    };
    put(&mut history, 0, "x", 1, 0);
    put(&mut history, 1, "y", 2, 0);
    history.push(0, "get", "y", Value::Nil, 10, 11);
    history.push(1, "get", "x", Value::Nil, 10, 11);
    let kv = Builtin::named("kv").expect("a built-in specification");
    assert!(!passes(&history, &kv, Criterion::Sequential));
    for key in [[0, 3], [1, 2]] {
        assert!(passes(&history.restrict(&key), &kv, Criterion::Sequential));
    }
    // A stale read is fine as long as no process saw the newer value.
    let mut stale = History::new();
    put(&mut stale, 0, "x", 1, 0);
    stale.push(1, "get", "x", Value::Nil, 10, 11);
    assert!(passes(&stale, &kv, Criterion::Sequential));
    assert!(!passes(&stale, &kv, Criterion::Linearizable));
    assert!(!passes(&stale, &kv, Criterion::Quiescent));
}

#[test]
fn quiescent_consistency_forgets_the_order_within_a_busy_period() {
    let mut history = History::new();
    history.push(0, "enqueue", 9, (), 0, 100); // keeps the object busy
    history.push(1, "enqueue", 1, (), 1, 2);
    history.push(1, "enqueue", 2, (), 3, 4);
    history.push(1, "dequeue", (), 2, 5, 6);
    let queue = Builtin::named("queue").expect("a built-in specification");
    assert!(passes(&history, &queue, Criterion::Quiescent));
    assert!(!passes(&history, &queue, Criterion::Sequential));
    history.operations[0].ret = 0;
    assert!(!passes(&history, &queue, Criterion::Quiescent));
}
