//! Quasi-linearizability, read causally: some linearization keeps Restrictions 1 and 2, counted element by element.

use crate::{compare, count, leave_out_peeks, shape};
use linspect_core::check::sample::{SampleShape, sample};
use linspect_core::check::{MinK, Unlimited, brute, min_k};
use linspect_core::history::{History, Operation};
use linspect_core::random::Random;
use linspect_core::spec::Builtin;
use linspect_core::value::Value;
use linspect_core::verdict::Criterion;

const ORDERED: [&str; 3] = ["queue", "stack", "priority-queue"];

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

/// Distinct elements, most of them out of order.
fn distinct(operations: usize) -> SampleShape {
    SampleShape {
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

/// One that is taken before all others overtakes them all: each such number is found, whichever halves the search goes through.
#[test]
fn smallest_k_of_one_that_overtakes_all() {
    for n in 2..=14_i64 {
        for (name, [put, take], due) in [
            (
                "queue",
                ["enqueue", "dequeue"],
                (1..n).collect::<Vec<i64>>(),
            ),
            ("stack", ["push", "pop"], (2..=n).rev().collect()),
            ("priority-queue", ["insert", "poll"], (1..n).collect()),
        ] {
            let first = if name == "stack" { 1 } else { n };
            let mut history = History::new();
            let mut now = 0;
            for v in 1..=n {
                history.push(0, put, v, (), now, now + 1);
                now += 2;
            }
            for v in [first].into_iter().chain(due) {
                history.push(0, take, (), v, now, now + 1);
                now += 2;
            }
            let spec = Builtin::named(name).expect("a built-in specification");
            let found = min_k(&history, &spec, |k| Criterion::Quasi { k }, &Unlimited);
            let others = u32::try_from(n - 1).expect("small");
            assert_eq!(found, Ok(MinK::From(others)), "{name} of {n}");
        }
    }
}
