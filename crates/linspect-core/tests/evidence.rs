//! Evidence on random violations: what it claims is checked by other means.

use linspect_core::check::sample::{Shape, sample};
use linspect_core::check::{Alone, Question, Unlimited, brute};
use linspect_core::history::{History, OpId, Outcome};
use linspect_core::random::Random;
use linspect_core::spec::{Builtin, Spec, Visitor};
use linspect_core::verdict::{Criterion, Evidence, Verdict};

/// How many histories of each type: all of them on request, else a tenth.
fn count() -> usize {
    match std::env::var_os("LINSPECT_LONG") {
        Some(_) => 20_000,
        None => 2_000,
    }
}

struct Inspect<'a>(&'a History, &'a Builtin);

impl Visitor for Inspect<'_> {
    type Output = bool;

    fn visit<S: Spec>(self, spec: &S) -> bool {
        let Self(history, builtin) = self;
        let question = Question::of_builtin(history, spec, builtin, Criterion::Linearizable)
            .expect("samples have known calls");
        let answer = question.check(&Alone, &Unlimited);
        match answer.verdict {
            Verdict::Holds(order) => {
                if let Some(order) = order {
                    let order: Vec<OpId> = order.iter().map(|placed| placed.operation).collect();
                    for (id, op) in (0..).zip(&history.operations) {
                        assert!(op.is_pending() || order.contains(&id), "all take effect");
                    }
                    assert_legal(spec, history, &order);
                }
                false
            }
            Verdict::Violated(evidence) => {
                assert_sound(spec, history, &evidence);
                true
            }
            Verdict::Unknown(limit) => panic!("no limit was set: {limit}"),
        }
    }
}

fn assert_sound<S: Spec>(spec: &S, history: &History, evidence: &Evidence) {
    let core = history.restrict(&evidence.core);
    let holds = brute::is_linearizable(spec, &core).expect("known calls");
    assert!(
        !holds,
        "the core fails by itself: {evidence:?}\n{history:?}"
    );
    assert!(evidence.core.is_sorted());
    assert!(evidence.core_is_minimal, "small histories leave no doubt");
    assert!(evidence.core.contains(&evidence.refused));
    assert!(!evidence.because.is_empty());
    let order: Vec<OpId> = evidence
        .partial
        .iter()
        .map(|placed| placed.operation)
        .collect();
    assert!(!order.contains(&evidence.refused), "it is refused");
    assert!(order.iter().all(|id| evidence.core.contains(id)));
    assert_legal(spec, history, &order);
    // Only its own result is impossible for the refused operation.
    let refused = &history.operations[evidence.refused as usize];
    let call = spec
        .call(history.name(refused), &refused.argument)
        .expect("a known call");
    if let Ok(Outcome::Returned(result)) = spec.outcome(&call, &refused.outcome) {
        for allowed in &evidence.allowed {
            assert!(
                !allowed.results.contains(&result),
                "{evidence:?}\n{history:?}"
            );
        }
    }
}

/// Whether `order` respects real time and the specification allows it.
fn assert_legal<S: Spec>(spec: &S, history: &History, order: &[OpId]) {
    for (i, &later) in order.iter().enumerate() {
        for &earlier in &order[..i] {
            let (a, b) = (
                &history.operations[earlier as usize],
                &history.operations[later as usize],
            );
            assert!(!b.precedes(a), "real time is respected");
        }
    }
    let mut states = vec![spec.initial()];
    for &id in order {
        let op = &history.operations[id as usize];
        let call = spec
            .call(history.name(op), &op.argument)
            .expect("a known call");
        let outcome = spec.outcome(&call, &op.outcome).expect("a known result");
        let mut nexts = Vec::new();
        for state in &states {
            spec.successors(state, &call, &outcome, &mut |next| nexts.push(next));
        }
        assert!(!nexts.is_empty(), "{} is possible here", history.show(id));
        states = nexts;
    }
}

#[test]
fn evidence_is_sound() {
    for name in Builtin::NAMES {
        let spec = Builtin::named(name).expect("a built-in specification");
        let mut random = Random::new(3);
        let plain = Shape {
            spoilt: 100,
            ..Shape::default()
        };
        let vague = Shape {
            pending: 15,
            unknown: 10,
            repeated: 40,
            further: 30,
            ..plain.clone()
        };
        let violations = (0..count())
            .filter(|i| {
                let shape = [&plain, &vague][i % 2];
                spec.visit(Inspect(&sample(&spec, shape, &mut random), &spec))
            })
            .count();
        assert!(violations > count() / 20, "{name}: {violations} violations");
    }
}
