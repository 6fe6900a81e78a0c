//! Examples that tell the readings of quasi-linearizability apart.

use crate::passes;
use linspect_core::check::{MinK, Unlimited, min_k};
use linspect_core::history::History;
use linspect_core::spec::Builtin;
use linspect_core::value::Value;
use linspect_core::verdict::Criterion;

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
