//! The specialised deciders against the brute-force oracle, on many small random histories.

use linspect_core::check::sample::{SampleShape, sample};
use linspect_core::check::{brute, pattern};
use linspect_core::history::{History, NEVER, OpId, Operation, Outcome, Time};
use linspect_core::random::Random;
use linspect_core::spec::{Builtin, Options, Spec, Visitor};
use linspect_core::value::Value;

/// How many histories the oracle judges per type: `LINSPECT_LONG` asks for all.
fn rounds() -> usize {
    if std::env::var_os("LINSPECT_LONG").is_some() {
        200_000
    } else {
        20_000
    }
}

struct Oracle<'a>(&'a History);

impl Visitor for Oracle<'_> {
    type Output = bool;

    fn visit<S: Spec>(self, spec: &S) -> bool {
        brute::is_linearizable(spec, self.0).expect("samples have only known calls")
    }
}

/// The parts of a history, as its specification divides it.
struct Parts<'a>(&'a History);

impl Visitor for Parts<'_> {
    type Output = Vec<Vec<OpId>>;

    fn visit<S: Spec>(self, spec: &S) -> Vec<Vec<OpId>> {
        let mut parts: Vec<(Option<Value>, Vec<OpId>)> = Vec::new();
        for (id, op) in (0..).zip(&self.0.operations) {
            let call = spec.call(self.0.name(op), &op.argument).expect("known");
            let part = spec.part(&call);
            match parts.iter_mut().find(|(of, _)| *of == part) {
                Some((_, ops)) => ops.push(id),
                None => parts.push((part, vec![id])),
            }
        }
        if parts.iter().any(|(of, _)| of.is_none()) {
            return vec![(0..).take(self.0.operations.len()).collect()];
        }
        parts.into_iter().map(|(_, ops)| ops).collect()
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    ok: usize,
    bad: usize,
    not_applicable: usize,
}

/// Judges random histories by decider and oracle; every disagreement is a failure. A pattern must itself be a violation.
fn compare(spec: &Builtin, shape: &SampleShape, seed: u64) -> Counts {
    let mut random = Random::new(seed);
    compare_all(spec, seed, || sample(spec, shape, &mut random))
}

fn compare_all(spec: &Builtin, seed: u64, mut next: impl FnMut() -> History) -> Counts {
    let mut counts = Counts::default();
    for round in 0..rounds() {
        let history = next();
        let oracle = spec.visit(Oracle(&history));
        let said: Vec<_> = (spec.visit(Parts(&history)).iter())
            .map(|ops| pattern::decide(&history, spec, ops).map(|(_, said)| said))
            .collect();
        let report = || {
            format!(
                "seed {seed}, round {round}: {said:?} for {}",
                show(&history)
            )
        };
        if let Some(Err(pattern)) = said.iter().flatten().find(|said| said.is_err()) {
            counts.bad += 1;
            assert!(!oracle, "linearizable, {}", report());
            let core = history.restrict(&pattern.operations);
            assert!(!spec.visit(Oracle(&core)), "not a violation, {}", report());
            assert!(!pattern.because.is_empty(), "{}", report());
        } else if said.iter().all(Option::is_some) {
            counts.ok += 1;
            // Deciders know intervals only: the order of a process at one moment of the clock is not for them.
            let apart = in_order_by_the_clock(&history);
            assert!(oracle || !apart, "not linearizable, {}", report());
        } else {
            counts.not_applicable += 1;
        }
    }
    counts
}

/// Whether the clock tells the order in which each process did things.
fn in_order_by_the_clock(history: &History) -> bool {
    let ops = &history.operations;
    let mut pairs = (0..ops.len()).flat_map(|a| (0..ops.len()).map(move |b| (a, b)));
    pairs.all(|(a, b)| !brute::comes_first(history, a, b) || ops[a].precedes(&ops[b]))
}

fn show(history: &History) -> String {
    let ops = (0..).zip(&history.operations);
    let lines = ops.map(|(id, op)| format!("\n  [{}, {}] {}", op.call, op.ret, history.show(id)));
    lines.collect()
}

/// Compares with everything in the histories that can be, and demands that enough were decided both ways.
fn check(name: &str, options: &Options, seed: u64) {
    let spec = Builtin::with_options(name, options).expect("a built-in specification");
    let plain = SampleShape {
        observers: 0,
        further: 0,
        pending: 3,
        unknown: 0,
        repeated: 0,
        ..SampleShape::default()
    };
    let counts = compare(&spec, &plain, seed);
    assert!(counts.ok * 5 > rounds(), "{name}: {counts:?}");
    assert!(counts.bad * 10 > rounds(), "{name}: {counts:?}");
    assert!(
        counts.not_applicable * 20 < rounds() * 3,
        "{name}: {counts:?}"
    );
    let mixed = SampleShape {
        observers: 15,
        further: 10,
        pending: 10,
        unknown: 6,
        repeated: 8,
        ..SampleShape::default()
    };
    let counts = compare(&spec, &mixed, seed + 1);
    assert!(counts.ok * 20 > rounds(), "{name}: {counts:?}");
    assert!(counts.bad * 20 > rounds(), "{name}: {counts:?}");
}

#[test]
fn register() {
    check("register", &Options::default(), 11);
}

#[test]
fn register_with_an_initial_value() {
    let options = Options {
        initial: Some(Value::Int(3)),
        ..Options::default()
    };
    check("register", &options, 21);
}

#[test]
fn kv() {
    check("kv", &Options::default(), 31);
}

#[test]
fn set() {
    check("set", &Options::default(), 41);
}

/// Additions and reads of the whole, nothing else.
#[test]
fn set_read_as_a_whole() {
    let spec = Builtin::named("set").expect("a built-in specification");
    let mut random = Random::new(45);
    let counts = compare_all(&spec, 45, || additions_and_reads(&mut random));
    assert!(counts.ok * 5 > rounds(), "{counts:?}");
    assert!(counts.bad * 5 > rounds(), "{counts:?}");
    assert!(counts.not_applicable * 5 < rounds(), "{counts:?}");
}

fn additions_and_reads(random: &mut Random) -> History {
    let mut history = History::new();
    let (add, read) = (history.method("add"), history.method("read"));
    let long = 1 + random.below(12);
    for element in 0..4 + random.below(5) {
        let call = random.below(20) as Time;
        let adds = random.percent(50);
        let element = if random.percent(5) { 0 } else { element as i64 };
        history.operations.push(Operation {
            process: 0,
            method: if adds { add } else { read },
            argument: if adds {
                Value::Int(element)
            } else {
                Value::Unit
            },
            outcome: Outcome::Returned(if random.percent(10) {
                Value::Bool(true)
            } else {
                Value::Unit
            }),
            call,
            ret: call + random.below(long) as Time,
        });
        if adds && random.percent(8) {
            let op = history.operations.last_mut().expect("just pushed");
            (op.outcome, op.ret) = (Outcome::Pending, NEVER);
        }
    }
    history.operations.sort_by_key(|op| op.call);
    for (process, op) in (0..).zip(&mut history.operations) {
        op.process = process;
    }
    let adds: Vec<Operation> = (history.operations.iter())
        .filter(|op| op.method == add)
        .cloned()
        .collect();
    // A read sees what was added before some moment, nearly always.
    for op in history.operations.iter_mut().filter(|op| op.method == read) {
        let at =
            op.call + random.below(usize::try_from(op.ret - op.call).expect("short") + 1) as Time;
        let mut saw: Vec<Value> = Vec::new();
        for add in &adds {
            let before = add.ret < at || (add.call <= at && random.percent(60));
            if (before ^ random.percent(8)) && !saw.contains(&add.argument) {
                saw.push(add.argument.clone());
            }
        }
        op.outcome = Outcome::Returned(Value::list(saw));
    }
    history
}

/// Many takes that never return: they took what must be gone. Few histories are left to the search.
#[test]
fn takes_that_never_return() {
    let containers = [
        ("queue", 0, 3),
        ("stack", 0, 3),
        ("priority-queue", 0, 3),
        ("multiset", 0, 3),
    ];
    for (name, observers, share) in containers {
        let spec = Builtin::named(name).expect("a built-in specification");
        let shape = SampleShape {
            operations: 9,
            observers,
            further: 0,
            pending: 25,
            unknown: 0,
            repeated: 0,
            ..SampleShape::default()
        };
        let counts = compare(&spec, &shape, 101);
        assert!(counts.ok * 5 > rounds(), "{name}: {counts:?}");
        assert!(counts.bad * 20 > rounds(), "{name}: {counts:?}");
        let left = counts.not_applicable * 100;
        assert!(left < rounds() * share, "{name}: {counts:?}");
    }
}

#[test]
fn multiset() {
    check("multiset", &Options::default(), 51);
}

#[test]
fn queue() {
    check("queue", &Options::default(), 61);
}

#[test]
fn stack() {
    check("stack", &Options::default(), 71);
}

#[test]
fn priority_queue() {
    check("priority-queue", &Options::default(), 81);
}

#[test]
fn priority_queue_with_the_largest_first() {
    let options = Options {
        largest_first: true,
        ..Options::default()
    };
    check("priority-queue", &options, 91);
}

/// What looks and never returns, or whose result nobody knows, says nothing: the decider need not pass the history on.
#[test]
fn what_says_nothing_is_no_obstacle() {
    let containers = [
        ("queue", "enqueue", "dequeue"),
        ("stack", "push", "pop"),
        ("priority-queue", "insert", "poll"),
    ];
    for (name, put, take) in containers {
        let spec = Builtin::named(name).expect("a built-in specification");
        for (look, outcome) in [
            ("peek", Outcome::Pending),
            ("peek", Outcome::Unknown),
            ("size", Outcome::Pending),
            ("size", Outcome::Unknown),
            ("is_empty", Outcome::Unknown),
        ] {
            let mut history = History::new();
            history.push(0, put, 1, (), 0, 1);
            let id = history.push(1, look, (), (), 2, 3);
            let op = &mut history.operations[id as usize];
            op.outcome = outcome.clone();
            if op.is_pending() {
                op.ret = NEVER;
            }
            history.push(0, take, (), 1, 4, 5);
            let all: Vec<OpId> = (0..3).collect();
            let said = pattern::decide(&history, &spec, &all).map(|(_, said)| said);
            assert_eq!(said, Some(Ok(())), "{name}: {look} {outcome:?}");
        }
    }
}

/// Two pushes that overlap the same half of the time, 24 and 49, and have their moment late in it: both must be found to have one.
#[test]
fn pushes_that_have_their_moment_late() {
    let spec = Builtin::named("stack").expect("a built-in specification");
    let mut history = History::new();
    for (process, (method, value, call, ret)) in (0..).zip([
        ("push", 24, 306, 332),
        ("push", 53, 325, 330),
        ("push", 49, 326, 361),
        ("push", 37, 338, 350),
        ("pop", 49, 359, 364),
        ("pop", 24, 360, 396),
        ("pop", 53, 360, 410),
        ("pop", 37, 369, 396),
    ]) {
        let value = Value::Int(value);
        let (argument, result) = match method {
            "push" => (value, Value::Unit),
            _ => (Value::Unit, value),
        };
        history.push(process, method, argument, result, call, ret);
    }
    assert!(spec.visit(Oracle(&history)), "it is linearizable");
    let all: Vec<OpId> = (0..).take(history.operations.len()).collect();
    let said = pattern::decide(&history, &spec, &all).map(|(_, said)| said);
    assert_eq!(said, Some(Ok(())));
}
