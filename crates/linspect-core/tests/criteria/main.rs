//! The other criteria against their definitions, taken literally, on random small histories; and the examples that tell
//! them apart.

mod orders;
mod quasi;
mod quasi_literal;
mod readings;

use linspect_core::check::sample::{SampleShape, sample};
use linspect_core::check::{Decision, Unlimited, decide};
use linspect_core::history::History;
use linspect_core::random::Random;
use linspect_core::spec::Builtin;
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
    shape: &SampleShape,
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

fn shape(operations: usize) -> SampleShape {
    SampleShape {
        operations,
        spoilt: 80,
        pending: 6,
        unknown: 4,
        repeated: 10,
        ..SampleShape::default()
    }
}
