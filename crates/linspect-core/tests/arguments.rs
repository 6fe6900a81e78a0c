//! What is said of a violation, word for word, and of which operations.

use linspect_core::check::sample::{SampleShape, sample};
use linspect_core::check::{Alone, Unlimited, check, pattern};
use linspect_core::history::{History, OpId};
use linspect_core::random::Random;
use linspect_core::spec::{Builtin, Options};
use linspect_core::value::Value;
use linspect_core::verdict::{Criterion, Decider, Evidence, Verdict};

fn evidence(history: &History, name: &str) -> Evidence {
    let options = Options {
        initial: name.contains("register").then(|| 0.into()),
        ..Options::default()
    };
    let spec = Builtin::with_options(name, &options).expect("a built-in specification");
    let answer = check(history, &spec, Criterion::Linearizable, &Alone, &Unlimited);
    match answer.expect("known calls").verdict {
        Verdict::Violated(evidence) => *evidence,
        other => panic!("a violation, not {other:?}"),
    }
}

fn lines(evidence: &Evidence) -> Vec<(&str, &[OpId])> {
    let lines = evidence.because.iter();
    lines.map(|l| (l.text.as_str(), &*l.operations)).collect()
}

fn headline(evidence: &Evidence) -> &str {
    evidence.headline.as_ref().map_or("", |h| &h.text)
}

#[test]
fn a_register_that_holds_two_values_at_once() {
    let mut history = History::new();
    history.push(0, "write", 1, (), 0, 1);
    history.push(1, "write", 2, (), 0, 3);
    history.push(2, "read", (), 2, 2, 4);
    history.push(0, "read", (), 1, 6, 7);
    history.push(2, "read", (), 2, 8, 9);
    let found = evidence(&history, "register");
    assert_eq!(found.decider, Decider::RegisterZones);
    assert_eq!(
        lines(&found),
        [
            (
                "write(1) returned before read() → 1 was called, so the register held 1 from the one to the other",
                &[0, 3, 0][..]
            ),
            (
                "write(2) returned before read() → 2 was called, so the register held 2 from the one to the other",
                &[1, 4, 1]
            ),
            (
                "these two times overlap: the register cannot hold 1 and 2 at once",
                &[]
            ),
        ]
    );
}

#[test]
fn a_deque_is_pushed_and_popped() {
    let mut history = History::new();
    history.push(0, "push_back", 1, (), 0, 1);
    history.push(0, "pop_front", (), 7, 2, 3);
    let found = evidence(&history, "deque");
    assert_eq!(headline(&found), "7 was popped, but never pushed.");
}

/// Two that exchange the same value at once, which was there once: at first, or written once.
#[test]
fn two_find_what_was_there_once() {
    let from_to = |a: i64, b: i64| Value::list([a.into(), b.into()]);
    let mut history = History::new();
    history.push(0, "cas", from_to(0, 1), true, 0, 10);
    history.push(1, "cas", from_to(0, 2), true, 1, 11);
    let found = evidence(&history, "cas-register");
    assert_eq!(
        headline(&found),
        "cas(0, 1) → true and cas(0, 2) → true both found 0, which was there only once."
    );
    let mut history = History::new();
    history.push(2, "write", 5, (), 0, 1);
    history.push(0, "cas", from_to(5, 1), true, 2, 10);
    history.push(1, "cas", from_to(5, 2), true, 3, 11);
    let found = evidence(&history, "cas-register");
    assert_eq!(
        headline(&found),
        "cas(5, 1) → true and cas(5, 2) → true both found 5, which was there only once."
    );
}

/// Of witnesses that returned at the same moment the one that was called first is named.
#[test]
fn the_first_of_equal_witnesses_is_named() {
    let mut history = History::new();
    history.push(0, "contains", 1, true, 0, 5);
    history.push(1, "contains", 1, true, 1, 5);
    history.push(2, "add", 1, true, 10, 20);
    let found = evidence(&history, "set");
    assert_eq!(found.decider, Decider::SetElement);
    assert_eq!(
        lines(&found),
        [(
            "contains(1) → true returned before add(1) → true was called: the element was not yet there",
            &[0, 2][..]
        )]
    );
}

/// A short argument of a decider is quoted as it is, with all its operations.
#[test]
fn short_arguments_of_deciders_are_quoted() {
    let shape = SampleShape {
        spoilt: 100,
        observers: 15,
        operations: 9,
        ..SampleShape::default()
    };
    let mut quoted = 0;
    for name in ["register", "queue", "stack", "priority-queue", "multiset"] {
        let spec = Builtin::named(name).expect("a built-in specification");
        let mut random = Random::new(18);
        for _ in 0..3_000 {
            let history = sample(&spec, &shape, &mut random);
            let all: Vec<OpId> = (0..).take(history.operations.len()).collect();
            let Some((_, Err(pattern))) = pattern::decide(&history, &spec, &all) else {
                continue;
            };
            let answer = check(&history, &spec, Criterion::Linearizable, &Alone, &Unlimited);
            let Verdict::Violated(found) = answer.expect("known calls").verdict else {
                panic!("{name}: {pattern:?} is a violation")
            };
            if found.headline.is_none() {
                let mut operations = pattern.operations.clone();
                operations.sort_unstable();
                operations.dedup();
                assert_eq!(found.because, pattern.because, "{name}: {history:?}");
                assert_eq!(found.core, operations, "{name}: {history:?}");
                quoted += 1;
            }
        }
    }
    assert!(quoted > 30, "{quoted}");
}
