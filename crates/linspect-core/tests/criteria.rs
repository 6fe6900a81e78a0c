//! The other criteria against their definitions, taken literally, on random small histories; and the examples that tell
//! them apart.

use linspect_core::check::sample::{Shape, sample};
use linspect_core::check::{Decision, MinK, Unlimited, brute, decide, min_k};
use linspect_core::history::{History, Operation, Outcome, Time};
use linspect_core::random::Random;
use linspect_core::spec::{Builtin, Spec, Visitor};
use linspect_core::value::Value;
use linspect_core::verdict::Criterion;

/// How many histories per criterion: all of them on request, else a tenth.
fn count() -> usize {
    match std::env::var_os("LINSPECT_LONG") {
        Some(_) => 50_000,
        None => 5_000,
    }
}

fn passes(history: &History, spec: &Builtin, criterion: Criterion) -> bool {
    match decide(history, spec, criterion, &Unlimited).expect("samples have known calls") {
        Decision::Holds(_) => true,
        Decision::Violated { .. } => false,
        Decision::Unknown(limit) => panic!("no limit was set: {limit}"),
    }
}

/// Compares `criterion` with `oracle` on random histories of the given types.
fn compare(
    types: &[&str],
    shape: &Shape,
    criterion: impl Fn(usize) -> Criterion,
    oracle: impl Fn(&History, &Builtin, Criterion) -> bool,
) {
    let mut random = Random::new(5);
    let mut holds = 0;
    for i in 0..count() {
        let spec = Builtin::named(types[i % types.len()]).expect("a built-in specification");
        let mut history = sample(&spec, shape, &mut random);
        let criterion = criterion(i / types.len());
        leave_out_peeks(&mut history, criterion);
        let expected = oracle(&history, &spec, criterion);
        assert_eq!(
            passes(&history, &spec, criterion),
            expected,
            "{criterion}\n{history:#?}"
        );
        holds += usize::from(expected);
    }
    let share = holds * 100 / count();
    assert!(
        (10..97).contains(&share),
        "{share} of 100 hold: both answers must be common"
    );
}

/// Nobody defined what a relaxed `peek` returns.
fn leave_out_peeks(history: &mut History, criterion: Criterion) {
    if let Criterion::Quasi { .. } | Criterion::QuasiRestriction1 { .. } = criterion {
        let methods = history.methods.clone();
        history
            .operations
            .retain(|op| &*methods[usize::from(op.method)] != "peek");
    }
}

fn shape(operations: usize) -> Shape {
    Shape {
        operations,
        spoilt: 80,
        pending: 6,
        unknown: 4,
        repeated: 10,
        ..Shape::default()
    }
}

// ---- Sequential and quiescent consistency: some order, legal, that respects a relation.

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

// ---- Quasi-linearizability.

/// What an operation of a sequence did.
#[derive(Clone, Debug, PartialEq)]
enum Did {
    Put(i64),
    Take(Option<i64>),
    Size(i64),
    IsEmpty(bool),
}

/// Calls `each` with every sequence that real time allows: any subset of the pending operations, any result where none is
/// known. Stops when `each` says so.
fn linearizations(history: &History, each: &mut dyn FnMut(&[Did]) -> bool) -> bool {
    fn possible(history: &History, op: &Operation, so_far: &[Did]) -> Vec<Did> {
        let number = |v: &Value| match v {
            Value::Int(n) => *n,
            other => panic!("a number, not {other}"),
        };
        let puts = so_far.iter().filter_map(|d| match d {
            Did::Put(v) => Some(*v),
            _ => None,
        });
        let takes = so_far
            .iter()
            .filter(|d| matches!(d, Did::Take(Some(_))))
            .count();
        let known = op.outcome.value().filter(|v| **v != Value::Unit);
        match (history.name(op), known) {
            ("enqueue" | "push" | "insert", _) => vec![Did::Put(number(&op.argument))],
            // The ways in which samples spell "there was nothing".
            (
                "dequeue" | "pop" | "poll",
                Some(Value::Nil | Value::Bool(false) | Value::Text(_)),
            ) => {
                vec![Did::Take(None)]
            }
            ("dequeue" | "pop" | "poll", Some(v)) => vec![Did::Take(Some(number(v)))],
            ("dequeue" | "pop" | "poll", None) => puts
                .map(|v| Did::Take(Some(v)))
                .chain([Did::Take(None)])
                .collect(),
            ("size", Some(n)) => vec![Did::Size(number(n))],
            ("size", None) => {
                vec![Did::Size(puts.count() as i64 - takes as i64)]
            }
            ("is_empty", Some(b)) => {
                vec![Did::IsEmpty(matches!(b, Value::Bool(true) | Value::Int(1)))]
            }
            ("is_empty", None) => vec![Did::IsEmpty(puts.count() == takes)],
            (other, _) => panic!("{other} is not in the samples"),
        }
    }
    fn go(
        history: &History,
        todo: &[usize],
        so_far: &mut Vec<Did>,
        each: &mut dyn FnMut(&[Did]) -> bool,
    ) -> bool {
        let is_pending = |&id: &usize| history.operations[id].is_pending();
        if todo.iter().all(is_pending) && each(so_far) {
            return true;
        }
        for i in 0..todo.len() {
            let waits = |&first: &usize| brute::comes_first(history, first, todo[i]);
            if todo.iter().any(waits) {
                continue;
            }
            let mut rest = todo.to_vec();
            rest.remove(i);
            for did in possible(history, &history.operations[todo[i]], so_far) {
                so_far.push(did);
                if go(history, &rest, so_far, each) {
                    return true;
                }
                so_far.pop();
            }
        }
        false
    }
    let todo: Vec<usize> = (0..history.operations.len()).collect();
    go(history, &todo, &mut Vec::new(), each)
}

/// Restrictions 1 and 2 by counting, element by element. Elements are distinct.
fn is_causal(spec: &Builtin, sequence: &[Did], k: usize, patience: bool) -> bool {
    let put_at = |v: i64| sequence.iter().position(|d| *d == Did::Put(v));
    let taken_at = |v: i64| sequence.iter().position(|d| *d == Did::Take(Some(v)));
    let elements: Vec<i64> = sequence
        .iter()
        .filter_map(|d| if let Did::Put(v) = d { Some(*v) } else { None })
        .collect();
    let present =
        |v: i64, t: usize| put_at(v).is_some_and(|p| p < t) && taken_at(v).is_none_or(|q| q >= t);
    let ahead = |x: i64, v: i64| match spec {
        Builtin::Queue(_) => put_at(x) < put_at(v),
        Builtin::Stack(_) => put_at(x) > put_at(v),
        Builtin::PriorityQueue(_) => x < v,
        _ => unreachable!("not relaxed"),
    };
    // Elements that are there and overtaken when v is taken at time t.
    let overtaken = |v: i64, t: usize| -> Vec<i64> {
        elements
            .iter()
            .copied()
            .filter(|&x| x != v && present(x, t) && ahead(x, v))
            .collect()
    };
    let here = |t: usize| elements.iter().filter(|&&x| present(x, t)).count();
    let takes = || {
        sequence.iter().enumerate().filter_map(|(t, d)| match d {
            Did::Take(Some(v)) => Some((t, *v)),
            _ => None,
        })
    };
    let others_fit = sequence.iter().enumerate().all(|(t, d)| match d {
        Did::Put(_) => true,
        Did::Take(Some(v)) => present(*v, t) && taken_at(*v) == Some(t),
        Did::Take(None) => here(t) == 0,
        Did::Size(n) => usize::try_from(*n).is_ok_and(|n| n == here(t)),
        Did::IsEmpty(b) => *b == (here(t) == 0),
    });
    let first = takes().all(|(t, v)| overtaken(v, t).len() <= k);
    let second = elements.iter().all(|x| {
        takes()
            .filter(|&(t, v)| overtaken(v, t).contains(x))
            .count()
            <= k
    });
    others_fit && first && (second || !patience)
}

const ORDERED: [&str; 3] = ["queue", "stack", "priority-queue"];

/// Distinct elements, most of them out of order.
fn distinct(operations: usize) -> Shape {
    Shape {
        repeated: 0,
        spoilt: 100,
        ..shape(operations)
    }
}

fn causal_oracle(history: &History, spec: &Builtin, criterion: Criterion) -> bool {
    let (k, patience) = match criterion {
        Criterion::Quasi { k } => (k, true),
        Criterion::QuasiRestriction1 { k } => (k, false),
        other => panic!("{other}"),
    };
    linearizations(history, &mut |sequence| {
        is_causal(spec, sequence, k as usize, patience)
    })
}

#[test]
fn causal_quasi() {
    let criterion = |i: usize| Criterion::Quasi {
        k: u32::try_from(i % 3).expect("small"),
    };
    compare(&ORDERED, &distinct(6), criterion, causal_oracle);
}

#[test]
fn causal_quasi_without_restriction_2() {
    let criterion = |i: usize| Criterion::QuasiRestriction1 {
        k: u32::try_from(i % 3).expect("small"),
    };
    compare(&ORDERED, &distinct(6), criterion, causal_oracle);
}

/// Definition 4: every linearization, every legal permutation of it, every method.
struct Definition4<'a> {
    history: &'a History,
    k: usize,
}

impl Visitor for Definition4<'_> {
    type Output = bool;

    fn visit<S: Spec>(self, spec: &S) -> bool {
        let ops = &self.history.operations;
        let pending: Vec<usize> = (0..ops.len()).filter(|&i| ops[i].is_pending()).collect();
        (0..1_usize << pending.len()).any(|subset| {
            let dropped = |i: &usize| {
                pending
                    .iter()
                    .position(|p| p == i)
                    .is_some_and(|at| subset >> at & 1 == 0)
            };
            let all: Vec<usize> = (0..ops.len()).filter(|i| !dropped(i)).collect();
            let mut legal = Vec::new();
            legal_orders(
                spec,
                self.history,
                &spec.initial(),
                &all,
                &mut Vec::new(),
                &mut legal,
            );
            let mut linear = Vec::new();
            if !legal.is_empty() {
                linear_orders(self.history, &all, &mut Vec::new(), &mut linear);
            }
            legal
                .iter()
                .any(|second| linear.iter().any(|first| self.is_near(first, second)))
        })
    }
}

impl Definition4<'_> {
    fn is_near(&self, first: &[usize], second: &[usize]) -> bool {
        let ops = &self.history.operations;
        let place = |order: &[usize], i: usize| {
            order
                .iter()
                .take_while(|&&j| j != i)
                .filter(|&&j| ops[j].method == ops[i].method)
                .count()
        };
        first.iter().all(|&i| {
            let factor = match self.history.name(&ops[i]) {
                "enqueue" | "push" | "insert" | "write" => 0,
                _ => self.k,
            };
            place(first, i).abs_diff(place(second, i)) <= factor
        })
    }
}

fn legal_orders<S: Spec>(
    spec: &S,
    history: &History,
    state: &S::State,
    todo: &[usize],
    so_far: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    if todo.is_empty() {
        found.push(so_far.clone());
        return;
    }
    for &i in todo {
        let op = &history.operations[i];
        let call = spec.call(history.name(op), &op.argument).expect("known");
        let outcome = spec.outcome(&call, &op.outcome).expect("known");
        let rest: Vec<usize> = todo.iter().copied().filter(|&j| j != i).collect();
        so_far.push(i);
        spec.outcomes(state, &call, &mut |result, next| {
            if outcome.value().is_none_or(|seen| *seen == result) {
                legal_orders(spec, history, &next, &rest, so_far, found);
            }
        });
        so_far.pop();
    }
}

fn linear_orders(
    history: &History,
    todo: &[usize],
    so_far: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    if todo.is_empty() {
        found.push(so_far.clone());
    }
    for &i in todo {
        let ops = &history.operations;
        if todo.iter().any(|&j| ops[j].precedes(&ops[i])) {
            continue;
        }
        let rest: Vec<usize> = todo.iter().copied().filter(|&j| j != i).collect();
        so_far.push(i);
        linear_orders(history, &rest, so_far, found);
        so_far.pop();
    }
}

fn literal_oracle(history: &History, spec: &Builtin, criterion: Criterion) -> bool {
    let Criterion::QuasiLiteral { k } = criterion else {
        panic!("{criterion}");
    };
    spec.visit(Definition4 {
        history,
        k: k as usize,
    })
}

#[test]
fn literal_quasi() {
    let criterion = |i: usize| Criterion::QuasiLiteral {
        k: u32::try_from(i % 3).expect("small"),
    };
    let types = ["queue", "stack", "priority-queue", "register"];
    compare(&types, &shape(6), criterion, literal_oracle);
}

// ---- The smallest k, and examples.

#[test]
fn smallest_k() {
    let mut random = Random::new(6);
    for i in 0..count() / 10 {
        let spec = Builtin::named(ORDERED[i % 3]).expect("a built-in specification");
        let mut history = sample(&spec, &distinct(6), &mut random);
        leave_out_peeks(&mut history, Criterion::Quasi { k: 0 });
        let found = min_k(&history, &spec, |k| Criterion::Quasi { k }, &Unlimited);
        let expected = (0..=6)
            .find(|&k| causal_oracle(&history, &spec, Criterion::Quasi { k }))
            .map_or(MinK::Never, MinK::From);
        assert_eq!(found, Ok(expected), "{history:#?}");
    }
}

/// One operation after the other: `+1` puts 1, `-1` takes it, `0` finds nothing.
fn sequence(put: &str, take: &str, deeds: &[i64]) -> History {
    let mut history = History::new();
    for (t, &deed) in (0..).step_by(10).zip(deeds) {
        match deed {
            0 => history.push(0, take, (), Value::Nil, t, t + 1),
            v if v > 0 => history.push(0, put, v, (), t, t + 1),
            v => history.push(0, take, (), -v, t, t + 1),
        };
    }
    history
}

fn expect(history: &History, spec: &str, expected: [MinK; 3]) {
    let spec = Builtin::named(spec).expect("a built-in specification");
    let find = |criterion: fn(u32) -> Criterion| {
        min_k(history, &spec, criterion, &Unlimited).expect("known calls")
    };
    let found = [
        find(|k| Criterion::Quasi { k }),
        find(|k| Criterion::QuasiLiteral { k }),
        find(|k| Criterion::QuasiRestriction1 { k }),
    ];
    assert_eq!(found, expected, "causal, literal, restriction 1");
}

#[test]
fn examples_that_tell_the_readings_apart() {
    use MinK::{From, Never};
    // No permutation of an incomplete history is legal.
    expect(
        &sequence("enqueue", "dequeue", &[1, 2, -2]),
        "queue",
        [From(1), Never, From(1)],
    );
    // To the letter, the empty dequeue may move before the enqueue.
    expect(
        &sequence("enqueue", "dequeue", &[1, 0, -1]),
        "queue",
        [Never, From(0), Never],
    );
    // To the letter, push and pop may change places.
    expect(
        &sequence("push", "pop", &[1, 2, -1, -2]),
        "stack",
        [From(1), From(0), From(1)],
    );
    // 1 is overtaken twice, each time by one.
    expect(
        &sequence("enqueue", "dequeue", &[1, 2, 3, -2, -3, -1]),
        "queue",
        [From(2), From(2), From(1)],
    );
    // Round-Up's own example of 1-quasi permutations.
    for (taken, fits) in [
        ([-1, -2, -3], true),
        ([-2, -1, -3], true),
        ([-1, -3, -2], true),
        ([-3, -1, -2], false),
        ([-2, -3, -1], false),
        ([-3, -2, -1], false),
    ] {
        let history = sequence("enqueue", "dequeue", &[&[1, 2, 3], &taken[..]].concat());
        let queue = Builtin::named("queue").expect("a built-in specification");
        for criterion in [Criterion::Quasi { k: 1 }, Criterion::QuasiLiteral { k: 1 }] {
            assert_eq!(
                passes(&history, &queue, criterion),
                fits,
                "{taken:?} {criterion}"
            );
        }
    }
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
