//! What the front door promises beside right answers: errors that name the operation, budgets, many open operations, long
//! histories, the same answer whoever works.

use linspect_core::check::sample::{SampleShape, sample};
use linspect_core::check::{
    Alone, Answer, Decision, Misfit, Question, Unlimited, Workers, brute, check, decide, holds,
};
use linspect_core::history::{History, NEVER, Outcome};
use linspect_core::random::Random;
use linspect_core::spec::{Builtin, Family, Spec, Unfit, Visitor};
use linspect_core::value::Value;
use linspect_core::verdict::{Criterion, Decider, Evidence, Limit, Verdict};

fn builtin(name: &str) -> Builtin {
    Builtin::named(name).expect("a built-in specification")
}

fn answer(history: &History, name: &str) -> Answer {
    let spec = builtin(name);
    check(history, &spec, Criterion::Linearizable, &Alone, &Unlimited).expect("known calls")
}

fn evidence(history: &History, name: &str) -> Evidence {
    match answer(history, name).verdict {
        Verdict::Violated(evidence) => *evidence,
        other => panic!("a violation, not {other:?}"),
    }
}

#[test]
fn misfits_name_the_operation() {
    let mut history = History::new();
    history.push(0, "enqueue", 1, (), 0, 1);
    history.push(0, "frobnicate", 1, (), 2, 3);
    let Err(Misfit::Operation {
        operation,
        shown,
        reason,
    }) = holds(&history, &builtin("queue"))
    else {
        panic!("queues do not frobnicate");
    };
    assert_eq!((operation, shown.as_str()), (1, "frobnicate(1)"));
    assert!(matches!(*reason, Unfit::Method { .. }));
    let register = builtin("register");
    let none = decide(
        &History::new(),
        &register,
        Criterion::Quasi { k: 1 },
        &Unlimited,
    );
    assert!(
        matches!(none, Err(Misfit::Criterion { .. })),
        "registers have no order to relax"
    );
}

#[test]
fn an_empty_history_holds() {
    for name in Builtin::NAMES {
        assert_eq!(holds(&History::new(), &builtin(name)), Ok(true), "{name}");
    }
}

/// `count` compare-and-sets at once, n → n+1 each, and a read of `last` afterwards.
fn many_at_once(count: u64, last: i64) -> History {
    let mut history = History::new();
    for n in 0..count {
        let n = i64::try_from(n).expect("small");
        history.push(
            0,
            "cas",
            Value::list([n.into(), (n + 1).into()]),
            true,
            0,
            10,
        );
    }
    history.push(0, "read", (), last, 20, 30);
    history
}

#[test]
fn more_than_64_operations_may_be_open() {
    let spec = Builtin::with_options(
        "cas-register",
        &linspect_core::spec::Options {
            initial: Some(0.into()),
            ..Default::default()
        },
    )
    .expect("an initial value");
    assert_eq!(holds(&many_at_once(200, 200), &spec), Ok(true));
    assert_eq!(holds(&many_at_once(200, 199), &spec), Ok(false));
}

#[test]
fn many_pending_operations_are_no_trouble() {
    // 300 writes of three values that never returned, and reads that see any of them in turn.
    let mut history = History::new();
    for n in 0..300 {
        let id = history.push(n, "write", i64::from(n % 3), (), 0, 1);
        history.operations[id as usize].ret = NEVER;
        history.operations[id as usize].outcome = Outcome::Pending;
    }
    for n in 0..300_u32 {
        let t = 10 * u64::from(n);
        history.push(1000, "read", (), i64::from(n % 3), t + 1, t + 2);
    }
    assert_eq!(holds(&history, &builtin("register")), Ok(true));
    history.push(1000, "read", (), 0, 4000, 4001);
    assert_eq!(
        holds(&history, &builtin("register")),
        Ok(false),
        "there are 100 of each"
    );
}

#[test]
fn a_budget_ends_a_search_and_says_why() {
    // Unordered increments, each told apart by what it returned: hopeless without search.
    let mut history = History::new();
    for n in 0..40 {
        history.push(n, "push_back", i64::from(n), (), 0, 10);
    }
    for n in 0..40 {
        history.push(
            n,
            "pop_front",
            (),
            i64::from((n * 7) % 40),
            20 + u64::from(n),
            20 + u64::from(n),
        );
    }
    history.push(0, "pop_front", (), 3, 100, 101);
    for limit in [Limit::Time, Limit::Memory, Limit::Interrupted] {
        let budget = move |_: usize| Some(limit);
        let said = decide(
            &history,
            &builtin("deque"),
            Criterion::Linearizable,
            &budget,
        );
        assert_eq!(said, Ok(Decision::Unknown(limit)));
    }
    let little = |memory: usize| (memory > 1 << 20).then_some(Limit::Memory);
    let said = decide(
        &history,
        &builtin("deque"),
        Criterion::Linearizable,
        &little,
    );
    assert_eq!(
        said,
        Ok(Decision::Unknown(Limit::Memory)),
        "what is held is counted"
    );
}

/// Does everything backwards.
struct Backwards;

impl Workers for Backwards {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).rev().for_each(job);
    }
}

#[test]
fn the_answer_does_not_depend_on_who_works() {
    let mut history = History::new();
    for (key, t) in [("a", 0), ("b", 100), ("c", 200)] {
        history.push(0, "put", Value::list([key.into(), 1.into()]), (), t, t + 1);
        history.push(0, "get", key, if key == "a" { 1 } else { 2 }, t + 2, t + 3);
    }
    let kv = builtin("kv");
    let ask = |workers: &dyn Workers| {
        check(&history, &kv, Criterion::Linearizable, workers, &Unlimited).expect("known calls")
    };
    let forwards = ask(&Alone);
    assert_eq!(ask(&Backwards), forwards);
    assert_eq!(forwards.parts, 3);
    let Verdict::Violated(evidence) = forwards.verdict else {
        panic!("2 was never put")
    };
    assert_eq!(evidence.part, Some("b".into()), "the first part that fails");
}

#[test]
fn a_small_core_and_its_support_are_found_in_a_long_history() {
    // A stale read amid 4000 other operations on few values.
    let mut history = History::new();
    for n in 0..2000_u64 {
        let value = i64::try_from(n % 5).expect("small");
        history.push(0, "write", value, (), 10 * n, 10 * n + 1);
        let seen = if n == 1500 { (value + 3) % 5 } else { value };
        history.push(1, "read", (), seen, 10 * n + 2, 10 * n + 3);
    }
    let found = evidence(&history, "cas-register");
    assert_eq!(found.decider, Decider::Search);
    assert_eq!(found.refused, 3001);
    assert_eq!(
        found.core,
        [2996, 3000, 3001],
        "what was read, what was there, the read"
    );
    assert!(!found.core_is_minimal, "without `write(3)` nobody wrote 3");
    let headline = found.headline.map(|headline| headline.text);
    assert_eq!(
        headline.as_deref(),
        Some("read() → 3 saw 3, but 0 had been written over it.")
    );
    assert_eq!(found.instead, Some(vec![0.into()]));
    let lines: Vec<&str> = found
        .because
        .iter()
        .map(|line| line.text.as_str())
        .collect();
    assert_eq!(
        lines,
        [
            "`write(3)` returned before `write(0)` was called, so it took effect first.",
            "`write(0)` returned before `read() → 3` was called, so it took effect first.",
            "No order of these effects explains `read() → 3`.",
            "The other 3997 operations cannot explain this, whichever of them took effect.",
        ]
    );
}

#[test]
fn where_everything_before_matters_the_states_are_named() {
    let mut history = History::new();
    for n in 0..1000 {
        history.push(0, "inc", (), (), 10 * n, 10 * n + 1);
    }
    history.push(0, "read", (), 999, 20_000, 20_001);
    let found = evidence(&history, "counter");
    assert_eq!(found.refused, 1000);
    assert!(!found.core_is_minimal);
    assert!(found.core.len() < 200, "{} operations", found.core.len());
    assert!(
        found.because[0]
            .text
            .starts_with("The first 850 operations"),
        "{:?}",
        found.because[0]
    );
}

/// Some try to acquire what is released at the same moment, and nobody knows who got it: of each there is one state more.
#[test]
fn few_states_are_named_and_many_are_counted() {
    for (tries, expected) in [
        (1, "lead to state 850 permits or 851 permits."),
        (2, "lead to state 850 permits, 851 permits or 852 permits."),
        (
            4,
            "lead to state 850 permits, 851 permits, 852 permits, 853 permits or 854 permits.",
        ),
        (5, "lead to one of 6 states."),
        (7, "lead to one of 8 states."),
    ] {
        let mut history = History::new();
        history.push(0, "acquire", (), (), 0, 1);
        history.push(0, "release", i64::from(tries), (), 2, 5);
        for process in 1..=tries {
            let id = history.push(process, "try_acquire", (), (), 2, 5);
            history.operations[id as usize].outcome = Outcome::Unknown;
        }
        for n in 1..=1000 {
            history.push(0, "release", (), (), 10 * n, 10 * n + 1);
        }
        history.push(0, "available", (), 999, 20_000, 20_001);
        let found = evidence(&history, "semaphore");
        let over = 2 + tries + 850;
        let said = format!("The first {over} operations to return {expected}");
        assert_eq!(found.because[0].text, said, "{tries} tries");
    }
}

/// Leaves each family out of legal sequences; what is left must be legal.
struct KeepsItsPromise<'a>(&'a History);

impl Visitor for KeepsItsPromise<'_> {
    type Output = usize;

    fn visit<S: Spec>(self, spec: &S) -> usize {
        let history = self.0;
        let families: Vec<Family> = history
            .operations
            .iter()
            .map(|op| {
                let call = spec.call(history.name(op), &op.argument).expect("known");
                spec.family(&call, &spec.outcome(&call, &op.outcome).expect("known"))
            })
            .collect();
        if families.contains(&Family::Mixed) {
            return 0;
        }
        let mut tried = 0;
        for family in families
            .iter()
            .filter(|family| matches!(family, Family::Of(_)))
        {
            let rest: Vec<u32> = (0..)
                .zip(&families)
                .filter_map(|(id, other)| (other != family).then_some(id))
                .collect();
            let legal = brute::is_linearizable(spec, &history.restrict(&rest)).expect("known");
            assert!(legal, "without {family:?}: {history:#?}");
            tried += 1;
        }
        tried
    }
}

#[test]
fn families_keep_their_promise() {
    let shape = SampleShape {
        spoilt: 0,
        pending: 10,
        unknown: 5,
        repeated: 20,
        ..SampleShape::default()
    };
    for name in [
        "register",
        "queue",
        "stack",
        "deque",
        "priority-queue",
        "multiset",
        "set",
        "kv",
    ] {
        let spec = builtin(name);
        let mut random = Random::new(8);
        let tried: usize = (0..3000)
            .map(|_| spec.visit(KeepsItsPromise(&sample(&spec, &shape, &mut random))))
            .sum();
        assert!(tried > 1000, "{name}: {tried}");
    }
}

#[test]
fn a_question_can_be_asked_of_any_specification() {
    /// Hands out each number once, in no particular order.
    struct Tickets;

    impl Spec for Tickets {
        type State = Vec<i64>;
        type Call = ();

        fn name(&self) -> &str {
            "tickets"
        }
        fn call(&self, _method: &str, _argument: &Value) -> Result<(), Unfit> {
            Ok(())
        }
        fn initial(&self) -> Vec<i64> {
            vec![1, 2, 3]
        }
        fn outcomes(&self, left: &Vec<i64>, (): &(), each: &mut dyn FnMut(Value, Vec<i64>)) {
            for (i, &ticket) in left.iter().enumerate() {
                let mut rest = left.clone();
                rest.remove(i);
                each(ticket.into(), rest);
            }
        }
    }

    let mut history = History::new();
    history.push(0, "draw", (), 2, 0, 1);
    history.push(0, "draw", (), 1, 2, 3);
    let question = Question::new(&history, &Tickets, Criterion::Linearizable).expect("any call");
    assert_eq!(
        question.decide_all(&Unlimited),
        Decision::Holds(Decider::Search)
    );
    history.push(0, "draw", (), 2, 4, 5);
    let question = Question::new(&history, &Tickets, Criterion::Linearizable).expect("any call");
    let Verdict::Violated(evidence) = question.check(&Alone, &Unlimited).verdict else {
        panic!("2 is gone");
    };
    assert_eq!(evidence.core, [0, 2]);
    assert_eq!(evidence.allowed[0].results, [1.into(), 3.into()]);
}
