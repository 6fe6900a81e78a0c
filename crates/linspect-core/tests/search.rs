//! The search, in both its forms, against brute force on random small histories of every built-in type.

use linspect_core::check::brute;
use linspect_core::check::sample::{SampleShape, sample};
use linspect_core::check::{Arena, Decision, Monitor, Question, Reason, Unlimited, holds};
use linspect_core::history::{History, Outcome};
use linspect_core::random::Random;
use linspect_core::spec::{Builtin, Options, Spec, Visitor};
use linspect_core::value::Value;
use linspect_core::verdict::Criterion;

/// How many histories of each type: all of them on request, else a tenth.
fn count() -> usize {
    match std::env::var_os("LINSPECT_LONG") {
        Some(_) => 200_000,
        None => 20_000,
    }
}

struct Compare<'a>(&'a History, &'a Builtin);

impl Visitor for Compare<'_> {
    type Output = bool;

    fn visit<S: Spec>(self, spec: &S) -> bool {
        let Self(history, builtin) = self;
        let expected = brute::is_linearizable(spec, history).expect("samples have known calls");
        let question = Question::new(history, spec, Criterion::Linearizable).expect("as above");
        let found = matches!(question.decide_all(&Unlimited), Decision::Holds(_));
        assert_eq!(found, expected, "search: {}", show(history));
        let said = holds(history, builtin).expect("as above");
        assert_eq!(said, expected, "front door: {}", show(history));
        let is_row = (history.operations.iter()).all(|op| {
            let call = spec.call(history.name(op), &op.argument);
            spec.in_row(&call.expect("as above")).is_some()
        });
        let mut all_hold = true;
        for part in 0..question.parts().len() {
            let [frontier, rest @ ..] = question.decide_by_each(part);
            assert!(frontier.is_some(), "it looks at everything");
            all_hold &= frontier == Some(None);
            for (i, said) in rest.into_iter().enumerate() {
                // Nobody else lets operations meet, two search rows alone, and who looks ahead there need not say where a wrong history fails.
                let may_not_say = spec.most_together() > 1
                    || i >= 2 && !is_row
                    || i == 3 && frontier != Some(None);
                let agrees = said == frontier || may_not_say && said.is_none();
                assert!(agrees, "{i}: {said:?}, {frontier:?}: {}", show(history));
            }
        }
        assert_eq!(all_hold, expected, "part by part: {}", show(history));
        // A monitor sees events one after the other: no two of one process happen at once.
        // And it is told no unknown result of an operation that may be refused.
        let may_be_refused = match builtin {
            Builtin::Queue(queue) => queue.capacity.is_some(),
            Builtin::Stack(stack) => stack.capacity.is_some(),
            // Whoever tries beside nobody is.
            Builtin::Rendezvous(_) | Builtin::Exchanger(_) => true,
            _ => false,
        };
        let is_vague = (history.operations.iter()).any(|op| op.outcome == Outcome::Unknown);
        let is_loose = touches(history) || may_be_refused && is_vague;
        if !is_loose {
            let observed = observe(spec, history);
            assert_eq!(observed, expected, "monitor: {}", show(history));
        }
        expected
    }
}

/// Feeds the events to a monitor, in time order, calls first.
fn observe<S: Spec>(spec: &S, history: &History) -> bool {
    let mut events: Vec<_> = (0..history.operations.len())
        .flat_map(|i| {
            let op = &history.operations[i];
            let ret = (!op.is_pending()).then_some((op.ret, true, i));
            [Some((op.call, false, i)), ret]
        })
        .flatten()
        .collect();
    events.sort_unstable();
    let mut arena = Arena::new(spec);
    let mut monitor = Monitor::new();
    for (_, returns, i) in events {
        let op = &history.operations[i];
        if returns {
            // Built-in specifications read a missing result as "any".
            let result = op.outcome.value().unwrap_or(&Value::Unit);
            if !monitor.ret(&mut arena, i, result).expect("a known result") {
                return false;
            }
        } else {
            let call = arena
                .call(history.name(op), &op.argument)
                .expect("a known call");
            monitor.call(&mut arena, i, call);
        }
    }
    true
}

/// Whether an operation ended when the next of its process began.
fn touches(history: &History) -> bool {
    let ops = &history.operations;
    (0..ops.len()).any(|i| {
        let touch = |j: usize| ops[i].process == ops[j].process && ops[i].ret == ops[j].call;
        (0..ops.len()).any(|j| i != j && touch(j))
    })
}

fn show(history: &History) -> String {
    let lines = (0..).zip(&history.operations).map(|(id, op)| {
        let ret = match op.outcome {
            Outcome::Pending => String::from("…"),
            _ => op.ret.to_string(),
        };
        format!(
            "\n  {}: {}..{ret} {}",
            op.process,
            op.call,
            history.show(id)
        )
    });
    lines.collect()
}

/// Three kinds of samples: as the generator likes them, with many repeated values, with much pending and unknown.
fn compare(name: &str) {
    compare_with(name, &Options::default());
}

fn compare_with(name: &str, options: &Options) {
    let spec = Builtin::with_options(name, options).expect("a built-in specification");
    let usual = SampleShape {
        operations: 7,
        ..SampleShape::default()
    };
    let repeated = SampleShape {
        repeated: 60,
        further: 30,
        observers: 20,
        ..usual.clone()
    };
    let vague = SampleShape {
        pending: 25,
        unknown: 15,
        operations: 6,
        ..repeated.clone()
    };
    let mut random = Random::new(2);
    let mut holds = 0;
    for i in 0..count() {
        let shape = [&usual, &repeated, &vague][i % 3];
        let history = sample(&spec, shape, &mut random);
        holds += usize::from(spec.visit(Compare(&history, &spec)));
    }
    let share = holds * 100 / count();
    assert!(
        (20..95).contains(&share),
        "{share} of 100 hold: both answers must be common"
    );
}

/// Three calls alike, of which the last two return at one moment: the earlier of these goes first, whatever its slot.
#[test]
fn who_is_refused_of_equals_that_return_at_once() {
    let capacity = Some(2);
    let options = Options {
        capacity,
        ..Options::default()
    };
    let spec = Builtin::with_options("queue", &options).expect("a built-in specification");
    let mut history = History::new();
    for (process, call, ret) in [(0, 20, 21), (0, 21, 23), (1, 22, 23)] {
        history.push(process, "enqueue", 2, (), call, ret);
    }
    history.keeps_turns = true;
    assert!(!spec.visit(Compare(&history, &spec)));
}

/// A full container refuses, and of an unknown result nobody knows whether it did.
#[test]
fn bounded_containers() {
    for (name, capacity) in [("queue", 1), ("queue", 2), ("stack", 1), ("stack", 2)] {
        let capacity = Some(capacity);
        compare_with(
            name,
            &Options {
                capacity,
                ..Options::default()
            },
        );
    }
}

/// Operations that take effect together.
#[test]
fn meetings() {
    compare("rendezvous");
    compare("exchanger");
    for parties in [1, 2, 3] {
        let parties = Some(parties);
        compare_with(
            "barrier",
            &Options {
                parties,
                ..Options::default()
            },
        );
    }
}

/// Reads of which nobody knows the result fit anywhere. Where many of them are open, sets of open operations take two words or more, and what matters
/// lies on either side of a word's end; brute force never sees them.
#[test]
fn many_open_operations() {
    let readers = [
        ("register", "read"),
        ("cas-register", "read"),
        ("counter", "read"),
        ("queue", "peek"),
        ("stack", "size"),
        ("deque", "size"),
        ("priority-queue", "peek"),
        ("multiset", "size"),
    ];
    let shape = SampleShape {
        operations: 6,
        repeated: 60,
        pending: 25,
        unknown: 10,
        ..SampleShape::default()
    };
    let mut random = Random::new(9);
    for (name, read) in readers {
        let spec = Builtin::named(name).expect("a built-in specification");
        for i in 0..count() / 20 {
            let history = sample(&spec, &shape, &mut random);
            let most = [66, 70, 126, 128, 131][i % 5];
            let filled = among_readers(&history, read, most, &mut random);
            spec.visit(CompareFilled(&history, &filled));
        }
    }
}

/// `history` and `count` operations of other processes whose results nobody knows. Those called first, of which some return soon, begin before all others.
fn among_readers(history: &History, read: &str, count: usize, random: &mut Random) -> History {
    let mut filled = history.clone();
    let mut operations = std::mem::take(&mut filled.operations);
    for op in &mut operations {
        op.call += 10;
        op.ret = op.ret.saturating_add(10);
    }
    let last = operations.iter().map(|op| op.call).max().unwrap_or(10) + 1000;
    for process in (1000..).take(count) {
        let (call, ret) = match random.below(8) {
            0 => (0, random.below(4) as u64),
            1 => (random.below(40) as u64, last),
            _ => (0, last),
        };
        let id = filled.push(process, read, (), (), call, ret);
        filled.operations[id as usize].outcome = Outcome::Unknown;
    }
    filled.operations.append(&mut operations);
    filled.operations.sort_by_key(|op| op.call);
    filled
}

/// What is decided of a history among many readers, against brute force on the history itself.
struct CompareFilled<'a>(&'a History, &'a History);

impl Visitor for CompareFilled<'_> {
    type Output = ();

    fn visit<S: Spec>(self, spec: &S) {
        let Self(history, filled) = self;
        let expected = brute::is_linearizable(spec, history).expect("samples have known calls");
        let question = Question::new(filled, spec, Criterion::Linearizable).expect("as above");
        let Decision::Violated { reason, .. } = question.decide_all(&Unlimited) else {
            assert!(expected, "it is wrong: {}", show(history));
            return;
        };
        assert!(!expected, "it is right: {}", show(history));
        // Whoever keeps sets without a bound refuses the same operation.
        let [frontier, ..] = question.decide_by_each(0);
        let Reason::Refused(refused) = reason else {
            panic!("only the search is asked")
        };
        assert_eq!(frontier, Some(Some(refused)), "{}", show(history));
    }
}

/// Two that meet overlap, and nobody meets two.
#[test]
fn who_has_left_meets_nobody() {
    let spec = Builtin::named("exchanger").expect("a built-in specification");
    let holds = |intervals: &[(i64, i64, u64, u64)]| {
        let mut history = History::new();
        for (process, &(brings, gets, call, ret)) in (0..).zip(intervals) {
            history.push(process, "exchange", brings, gets, call, ret);
        }
        spec.visit(Compare(&history, &spec))
    };
    assert!(holds(&[(1, 2, 0, 10), (2, 1, 5, 15)]));
    assert!(!holds(&[(1, 2, 0, 4), (2, 1, 5, 15)]));
    assert!(!holds(&[(1, 2, 0, 10), (2, 3, 0, 10), (3, 1, 0, 10)]));
    assert!(holds(&[
        (1, 2, 0, 10),
        (2, 1, 0, 10),
        (3, 4, 8, 20),
        (4, 3, 11, 12)
    ]));
}

macro_rules! compare_all {
    ($($test:ident $name:literal)*) => {
        $(#[test] fn $test() { compare($name); })*

        #[test]
        fn no_type_is_forgotten() {
            assert_eq!([$($name),*], Builtin::NAMES);
        }
    };
}

compare_all! {
    register "register"
    cas_register "cas-register"
    counter "counter"
    kv "kv"
    set "set"
    multiset "multiset"
    queue "queue"
    stack "stack"
    deque "deque"
    priority_queue "priority-queue"
    pair_snapshot "pair-snapshot"
    mutex "mutex"
    semaphore "semaphore"
}
