//! Quasi-linearizability to the letter of Definition 4: some linearization is near a legal permutation of it.

use crate::{compare, shape};
use linspect_core::history::History;
use linspect_core::spec::{Builtin, Spec, Visitor};
use linspect_core::verdict::Criterion;

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
