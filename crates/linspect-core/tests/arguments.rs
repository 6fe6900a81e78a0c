//! What is said of a violation, word for word, and of which operations.

use linspect_core::check::sample::{SampleShape, sample};
use linspect_core::check::{Alone, Unlimited, check, holds, pattern};
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

/// Who stands nearer to an end leaves there first, wherever it came in.
#[test]
fn a_deque_gives_what_stands_at_its_end() {
    let said = |operations: &[(&str, i64)]| {
        let mut history = History::new();
        let deque = Builtin::named("deque").expect("a built-in specification");
        for (time, &(name, value)) in (0..).zip(operations) {
            let is_push = name.starts_with("push");
            let (argument, result) = match is_push {
                true => (value.into(), Value::Unit),
                false => (Value::Unit, value.into()),
            };
            // Pushes of 1 and 9 may be in either order.
            let (call, ret) = match (is_push, value) {
                (true, 1 | 9) => (0, 9),
                _ => (10 * time, 10 * time + 1),
            };
            let client = u32::try_from(time).expect("few");
            history.push(client, name, argument, result, call, ret);
        }
        match holds(&history, &deque).expect("known calls") {
            true => String::from("right"),
            false => headline(&evidence(&history, "deque")).to_owned(),
        }
    };
    let (back, front) = ("push_back", "push_front");
    let before = "2 was popped at the front while 1 stood before it.";
    assert_eq!(said(&[(back, 1), (back, 2), ("pop_front", 2)]), before);
    let behind = "1 was popped at the back while 2 stood behind it.";
    assert_eq!(
        said(&[(back, 1), (back, 2), ("pop_back", 1), ("pop_back", 2)]),
        behind
    );
    let behind = "2 was popped at the back while 1 stood behind it.";
    assert_eq!(said(&[(front, 1), (front, 2), ("pop_back", 2)]), behind);
    // Whichever came first, the one from the front stands before the other.
    let before = "9 was popped at the front while 1 stood before it.";
    assert_eq!(said(&[(front, 1), (back, 9), ("pop_front", 9)]), before);
    // The order of these is open.
    assert_eq!(said(&[(back, 1), (back, 9), ("pop_front", 9)]), "right");
    // Somebody took something, nobody knows what: 1, if anything.
    let mut history = History::new();
    history.push(0, back, 1, (), 0, 1);
    history.push(0, back, 2, (), 2, 3);
    history.push(0, back, 3, (), 4, 5);
    history.push(1, "pop_front", (), (), 6, 7);
    history.push(0, "pop_front", (), 3, 8, 9);
    let found = evidence(&history, "deque");
    assert_eq!(headline(&found), "");
}

#[test]
fn who_gives_a_lock_back_has_taken_it() {
    let mut history = History::new();
    history.push(1, "release", (), (), 0, 1);
    let found = evidence(&history, "mutex");
    assert_eq!(
        headline(&found),
        "release() of process 1 gave the lock back, which nobody had taken."
    );
    history.push(0, "acquire", (), (), 0, 5);
    history.push(0, "release", (), (), 6, 7);
    let found = evidence(&history, "mutex");
    assert_eq!(
        headline(&found),
        "release() of process 0 gave the lock back, which had been taken at most once and was given back once before."
    );
    // Only who took it can give it back.
    let mut history = History::new();
    history.push(0, "acquire", 0, (), 0, 1);
    history.push(1, "release", 1, (), 2, 3);
    let found = evidence(&history, "owned-mutex");
    assert_eq!(
        headline(&found),
        "release(1) gave the lock back, which owner 1 had not taken."
    );
    assert_eq!(found.core, [1]);
}

/// Who is refused has neither taken a lock nor given it back, and who has a recursive one may take it again.
#[test]
fn a_lock_that_knows_its_owner_says_no() {
    let history = |calls: &[(&str, i64, Value)]| {
        let mut history = History::new();
        for (at, (method, owner, said)) in (0..).zip(calls) {
            history.push(0, method, *owner, said.clone(), 2 * at, 2 * at + 1);
        }
        history
    };
    let (done, no) = (|| Value::Unit, || Value::Bool(false));
    // The lock is free: nobody had to be refused it.
    let refused = history(&[
        ("lock", 1, done()),
        ("unlock", 1, done()),
        ("unlock", 1, no()),
        ("lock", 1, no()),
    ]);
    let found = evidence(&refused, "owned-mutex");
    assert_eq!(
        headline(&found),
        "lock(1) → false was refused the lock, which unlock(1) of process 0 had given back, and which nobody had taken since."
    );
    assert_eq!(found.core, [1, 3]);
    let again = history(&[("lock", 1, done()), ("lock", 1, done())]);
    assert_eq!(
        headline(&evidence(&again, "owned-mutex")),
        "lock(1) took the lock while owner 1 held it."
    );
    let other = history(&[
        ("lock", 1, done()),
        ("lock", 1, done()),
        ("unlock", 1, done()),
        ("unlock", 2, no()),
        ("lock", 2, done()),
    ]);
    let found = evidence(&other, "recursive-mutex");
    assert_eq!(
        headline(&found),
        "lock(2) took the lock, which owner 1 had taken 2 times from lock(1) on and given back at most once."
    );
    assert_eq!(found.core, [0, 1, 4]);
}

#[test]
fn who_has_met_somebody_was_there_with_them() {
    let one =
        |spec, method: &str, argument: Value, said: Value, others: &[(&str, Value, Value)]| {
            let mut history = History::new();
            for (client, (method, argument, said)) in (1..).zip(others) {
                history.push(client, method, argument.clone(), said.clone(), 0, 1);
            }
            history.push(0, method, argument, said, 2, 3);
            headline(&evidence(&history, spec)).to_owned()
        };
    let (nothing, three) = (|| Value::Unit, || Value::Int(3));
    assert_eq!(
        one("rendezvous", "recv", nothing(), three(), &[]),
        "3 was received, but never sent."
    );
    let sent = [
        ("try_send", three(), Value::Bool(false)),
        ("recv", nothing(), three()),
    ];
    assert_eq!(
        one("rendezvous", "send", three(), nothing(), &sent[..1]),
        "send(3) handed over 3 while nobody was receiving it."
    );
    let mut history = History::new();
    history.push(0, "recv", (), 3, 0, 1);
    history.push(1, "recv", (), 3, 2, 9);
    history.push(2, "send", 3, (), 3, 8);
    assert_eq!(
        headline(&evidence(&history, "rendezvous")),
        "3 was received while nobody was sending it."
    );
    assert_eq!(
        one("exchanger", "exchange", Value::Int(1), three(), &[]),
        "exchange(1) → 3 got 3, which nobody brought."
    );
    let early = [("exchange", three(), Value::Int(1))];
    assert_eq!(
        one("exchanger", "exchange", Value::Int(1), three(), &early),
        "exchange(3) → 1 got 1 while nobody was there to give it."
    );
    assert_eq!(
        one("barrier", "wait", nothing(), nothing(), &[]),
        "wait() of process 0 went on while nobody else waited."
    );
}

/// Of a count that needs many operations to say, fewer are shown where fewer are wrong.
#[test]
fn a_sentence_about_many_operations_gives_way_to_few() {
    let mut history = History::new();
    for round in 0..20 {
        let at = 4 * round;
        history.push(0, "acquire", (), (), at, at + 1);
        history.push(0, "release", (), (), at + 2, at + 3);
    }
    history.push(0, "acquire", (), (), 100, 101);
    history.push(1, "try_acquire", (), true, 102, 103);
    let found = evidence(&history, "semaphore");
    assert_eq!(found.core, [40, 41]);
    assert_eq!(found.instead, Some(vec![Value::Bool(false)]));
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
