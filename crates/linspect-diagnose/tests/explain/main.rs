//! The figures of *Error Invariants for Concurrent Traces*, and random traces certified step by step.

mod trace;

use linspect_core::statement::Relation::{Eq, Ge, Le};
use linspect_core::statement::{Recording, Relation};
use linspect_diagnose::explain::{
    Dependency, Explained, Hazards, Level, Role, absent, climb, explain, explain_turn,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};
use trace::{E, Trace, c, v};

fn certified(recording: &Recording, level: Level) -> Explained<'_> {
    let explained = explain(recording, level).expect("the recording is complete");
    explained.certify().expect("the explanation is sound");
    explained
}

fn kept<'a>(trace: &'a Trace, explained: &Explained<'_>) -> BTreeSet<&'a str> {
    let values = explained
        .slice
        .kept
        .iter()
        .filter(|(_, r)| **r != Role::Guard);
    trace.labels(values.map(|(i, _)| *i))
}

fn set<'a>(labels: &[&'a str]) -> BTreeSet<&'a str> {
    labels.iter().copied().collect()
}

/// Figure 4: without control dependence only the last assignment matters; with it, what let the branch be taken.
#[test]
fn figure_4_control_adds_what_opened_the_branch() {
    let mut t = Trace::new(&[]);
    t.set(0, "MIN:=100", "MIN", &c(100))
        .set(0, "bal:=300", "bal", &c(300))
        .set(0, "amount:=250", "amount", &c(250))
        .set(0, "log:=bal", "log", &v("bal"))
        .when(0, "[bal-amount>=0]", &(v("bal") - v("amount")), Ge, &c(0))
        .set(0, "bal:=0", "bal", &c(0))
        .end(0)
        .claim(0, &v("bal"), Ge, &v("MIN"));
    let data = certified(&t.recording, Level::DATA);
    assert_eq!(kept(&t, &data), set(&["MIN:=100", "bal:=0"]));
    let control = certified(&t.recording, Level::CONTROL);
    let expected = [
        "MIN:=100",
        "bal:=300",
        "amount:=250",
        "[bal-amount>=0]",
        "bal:=0",
    ];
    assert_eq!(kept(&t, &control), set(&expected));
    let before_claim: Vec<String> = data
        .slice
        .invariant(t.recording.statements.len() - 1)
        .map(|a| data.show(a))
        .collect();
    assert_eq!(before_claim, ["bal < MIN"]);
}

/// Figure 5: the overwritten deposit is in the slice only as a hazard, and the switch to it matters.
#[test]
fn figure_5_hazards_add_the_lost_write() {
    let mut t = Trace::new(&["balance"]);
    t.set(1, "bal1:=22", "bal1", &c(22))
        .set(2, "bal2:=22", "bal2", &c(22))
        .set(0, "a3:=30", "a3", &c(30))
        .set(0, "a5:=3", "a5", &c(3))
        .set(1, "L2", "balance", &(v("bal1") + v("a3")))
        .set(2, "L2'", "balance", &(v("bal2") - v("a5")))
        .claim(0, &v("balance"), Eq, &c(49));
    let data = certified(&t.recording, Level::DATA);
    assert_eq!(kept(&t, &data), set(&["bal2:=22", "a5:=3", "L2'"]));
    assert!(data.slice.switches.is_empty() || data.slice.switches.len() == 1);
    let hazard = certified(&t.recording, Level::HAZARD);
    assert_eq!(kept(&t, &hazard), set(&["bal2:=22", "a5:=3", "L2", "L2'"]));
    let only: Vec<usize> = hazard
        .slice
        .kept
        .iter()
        .filter(|(_, r)| **r == Role::Hazard)
        .map(|(i, _)| *i)
        .collect();
    assert_eq!(t.labels(only.into_iter()), set(&["L2"]));
    let switches: Vec<&str> = hazard
        .slice
        .switches
        .iter()
        .map(|&i| t.labels[t.recording.statements[i].site as usize].as_str())
        .collect();
    assert_eq!(switches, ["L2", "L2'"]);
}

fn deposit(t: &mut Trace, half: usize, i: usize, amount: &'static str) {
    let l = |s: &str| format!("d{i}:{s}");
    if half == 0 {
        t.when(1, &l("lock"), &v("l"), Eq, &c(0))
            .set(1, &l("l:=1"), "l", &c(1))
            .set(1, &l("L1"), "bal1", &v("balance"))
            .set(1, &l("l:=0"), "l", &c(0))
            .end(1);
    } else {
        t.when(1, &l("[<=MAX]"), &(v("bal1") + v(amount)), Le, &v("MAX"))
            .set(1, &l("bal+="), "bal1", &(v("bal1") + v(amount)))
            .end(1)
            .when(1, &l("lock2"), &v("l"), Eq, &c(0))
            .set(1, &l("l:=1 2"), "l", &c(1))
            .set(1, &l("L2"), "balance", &v("bal1"))
            .set(1, &l("l:=0 2"), "l", &c(0))
            .end(1);
    }
}

fn withdraw(t: &mut Trace, half: usize, i: usize, amount: &'static str) {
    let l = |s: &str| format!("w{i}:{s}");
    if half == 0 {
        t.when(2, &l("lock"), &v("l"), Eq, &c(0))
            .set(2, &l("l:=2"), "l", &c(2))
            .set(2, &l("L1'"), "bal2", &v("balance"))
            .set(2, &l("l:=0"), "l", &c(0))
            .end(2);
    } else {
        t.when(2, &l("[>=MIN]"), &(v("bal2") - v(amount)), Ge, &v("MIN"))
            .set(2, &l("bal-="), "bal2", &(v("bal2") - v(amount)))
            .end(2)
            .when(2, &l("lock2"), &v("l"), Eq, &c(0))
            .set(2, &l("l:=2 2"), "l", &c(2))
            .set(2, &l("L2'"), "balance", &v("bal2"))
            .set(2, &l("l:=0 2"), "l", &c(0))
            .end(2);
    }
}

/// Figures 1 and 2: five transactions, the deposit of a3 is lost between the two halves of the last withdrawal.
fn bank_account() -> Trace {
    let mut t = Trace::new(&["balance", "l"]);
    for (name, amount) in [
        ("a1", 10),
        ("a2", 20),
        ("a3", 30),
        ("a4", 5),
        ("a5", 3),
        ("MAX", 1000),
        ("MIN", 0),
        ("balance", 0),
        ("l", 0),
    ] {
        t.set(0, name, name, &c(amount));
    }
    for (i, amount) in [(1, "a1"), (2, "a2")] {
        deposit(&mut t, 0, i, amount);
        deposit(&mut t, 1, i, amount);
    }
    withdraw(&mut t, 0, 4, "a4");
    withdraw(&mut t, 1, 4, "a4");
    withdraw(&mut t, 0, 5, "a5");
    deposit(&mut t, 0, 3, "a3");
    deposit(&mut t, 1, 3, "a3");
    withdraw(&mut t, 1, 5, "a5");
    let right = v("a1") + v("a2") + v("a3") - v("a4") - v("a5");
    t.claim(0, &v("balance"), Eq, &right);
    t
}

#[test]
fn figure_2_hazards_add_exactly_the_lost_deposit() {
    let t = bank_account();
    let data = certified(&t.recording, Level::DATA);
    let hazard = certified(&t.recording, Level::HAZARD);
    let (without, with) = (kept(&t, &data), kept(&t, &hazard));
    let added: Vec<&&str> = with.difference(&without).collect();
    assert_eq!(added, [&"d3:L2"], "{without:?}");
    assert!(without.is_subset(&with));
    // The amounts cancel: only that a3 is missing matters.
    assert!(!with.contains("a1") && !with.contains("a5") && with.contains("a3"));
    let shown: BTreeSet<String> = hazard
        .slice
        .goals
        .iter()
        .map(|g| hazard.show(&g.atom))
        .collect();
    assert!(shown.contains("balance < a3"), "{shown:?}");
    assert!(shown.contains("a4 + bal2 < a1 + a2 + a3"), "{shown:?}");
    let full = certified(&t.recording, Level::FULL);
    assert!(
        full.slice
            .kept
            .values()
            .filter(|r| **r == Role::Guard)
            .count()
            > 5
    );
    let all = Level {
        hazards: Hazards::All,
        ..Level::HAZARD
    };
    assert!(kept(&t, &certified(&t.recording, all)).is_superset(&with));
}

/// Appendix B: a removal finds the first stack empty, then an item goes there and another leaves the second. The slice has the look into the
/// first stack and the insertion after it, and the edge between them; without control dependence it is empty but for the last line.
#[test]
fn the_pool_has_the_insertion_that_came_too_late() {
    let mut t = Trace::new(&["ts_top0", "ts_top1"]);
    t.set(0, "ts_top[0]:=-1", "ts_top0", &c(-1))
        .set(0, "ts_top[1]:=-1", "ts_top1", &c(-1))
        .set(2, "ts_top[1]:=1", "ts_top1", &c(1))
        .when(2, "[ts_top[0]=-1]", &v("ts_top0"), Eq, &c(-1))
        .set(1, "ts_top[0]:=0", "ts_top0", &c(0))
        .when(1, "[ts_top[1]=1]", &v("ts_top1"), Eq, &c(1))
        .set(1, "ts_top[1]:=-1 (taken)", "ts_top1", &c(-1))
        .end(1)
        .when(2, "[ts_top[1]=-1]", &v("ts_top1"), Eq, &c(-1))
        .set(2, "v:=EMPTY", "v", &c(-1))
        .end(2)
        .end(2)
        .claim(2, &v("v"), Ge, &c(0));
    let data = certified(&t.recording, Level::DATA);
    assert_eq!(kept(&t, &data), set(&["v:=EMPTY"]));
    let full = certified(&t.recording, Level::FULL);
    let lines = kept(&t, &full);
    assert!(
        lines.is_superset(&set(&[
            "[ts_top[0]=-1]",
            "ts_top[0]:=0",
            "ts_top[1]:=-1 (taken)"
        ])),
        "{lines:?}"
    );
    let label = |i: usize| t.labels[t.recording.statements[i].site as usize].as_str();
    let war = full.slice.edges.iter().any(|e| {
        e.dependency == Dependency::WriteAfterRead
            && label(e.from) == "[ts_top[0]=-1]"
            && label(e.to) == "ts_top[0]:=0"
    });
    assert!(war, "{:?}", full.slice.edges);
    let control = certified(&t.recording, Level::CONTROL);
    assert!(
        !kept(&t, &control).contains("ts_top[0]:=0"),
        "only hazards add it"
    );
}

/// A slice by lines: who, in which order, what holds after each, and where a switch matters.
#[test]
fn a_view_shows_lines_switches_and_what_holds() {
    let mut t = Trace::new(&["balance"]);
    t.set(1, "seen:=balance", "seen", &v("balance"))
        .set(2, "balance:=5", "balance", &c(5))
        .set(1, "log:=1", "log", &c(1))
        .set(1, "balance:=seen+1", "balance", &(v("seen") + c(1)))
        .claim(0, &v("balance"), Ge, &c(6));
    let explained = certified(&t.recording, Level::HAZARD);
    let view = explained.view(|site| site, |thread| format!("T{thread}"));
    let label = |i: usize| t.labels[view.lines[i].site as usize].as_str();
    let lines: Vec<&str> = (0..view.lines.len()).map(label).collect();
    assert_eq!(
        lines,
        ["seen:=balance", "balance:=5", "balance:=seen+1", "assert"]
    );
    assert_eq!(view.executed, 5, "log:=1 is left out");
    let switches: Vec<bool> = view.lines.iter().map(|l| l.switch).collect();
    assert_eq!(switches, [false, true, true, true]);
    assert_eq!(view.lines[0].invariant, ["seen ≤ 4"]);
    assert!(view.lines[1].invariant.is_empty(), "the same still holds");
    assert_eq!(view.lines[2].invariant, ["balance ≤ 5"]);
    assert_eq!(view.lines[1].deed.as_deref(), Some("balance := 5"));
    let between: Vec<(&str, &str, Dependency)> = view
        .links
        .iter()
        .map(|l| (label(l.from), label(l.to), l.dependency))
        .collect();
    assert!(between.contains(&("seen:=balance", "balance:=5", Dependency::WriteAfterRead)));
    assert!(between.contains(&("balance:=5", "balance:=seen+1", Dependency::WriteAfterWrite)));
}

/// The smallest level that shows the bug is enough.
#[test]
fn climbing_stops_at_the_first_level_that_shows_the_bug() {
    let mut t = Trace::new(&["balance"]);
    t.set(1, "balance:=5", "balance", &c(5))
        .set(2, "balance:=3", "balance", &c(3))
        .claim(0, &v("balance"), Ge, &c(5));
    let lost = |e: &Explained<'_>| kept(&t, e).contains("balance:=5");
    let (explained, shown) = climb(&t.recording, lost).expect("complete");
    assert!(shown);
    assert_eq!(explained.slice.level, Level::HAZARD);
    let (largest, shown) = climb(&t.recording, |_| false).expect("complete");
    assert!(!shown);
    assert_eq!(largest.slice.level, Level::FULL);
}

/// A branch that was not taken is in no slice, but beside the good run it shows.
#[test]
fn what_only_the_good_run_does_is_absent() {
    let run = |first: i64| {
        let mut t = Trace::new(&["ready"]);
        t.set(1, "ready:=", "ready", &c(first));
        if first == 1 {
            t.when(2, "[ready]", &v("ready"), Eq, &c(1))
                .set(2, "use", "x", &c(7))
                .end(2);
        } else {
            t.unless(2, "[ready]", &v("ready"), Eq, &c(1)).end(2);
        }
        t
    };
    let (bad, good) = (run(0), run(1));
    let label = |t: &Trace, site: u32| t.labels[site as usize].clone();
    // Both number their labels in the order of appearance, and `use` comes last.
    let only = absent(&bad.recording, &good.recording, |site| site);
    let lines: Vec<String> = only.iter().map(|a| label(&good, a.site)).collect();
    assert_eq!(lines, ["use"]);
    assert_eq!(only[0].thread, 2);
    let decided = only[0].decided.expect("the branch was reached");
    let site = bad.recording.statements[decided].site;
    assert_eq!(label(&bad, site), "[ready]");
    // Why it was not taken: the flag was not set.
    let why = explain_turn(&bad.recording, decided, |explained| {
        explained.certify().expect("sound");
        kept(&bad, explained).contains("ready:=")
    });
    assert_eq!(why, Ok(Some(true)));
}

/// An update that only helps the goal is sliced away, a thousand times over.
#[test]
fn recurring_invariants_need_no_statement() {
    let mut t = Trace::new(&["x"]);
    t.set(0, "x:=0", "x", &c(0)).set(0, "x:=3", "x", &c(3));
    for _ in 0..1000 {
        t.set(1, "x+=1", "x", &(v("x") + c(1)));
    }
    t.claim(0, &v("x"), Le, &c(2));
    let explained = certified(&t.recording, Level::DATA);
    assert_eq!(kept(&t, &explained), set(&["x:=3"]));
}

/// Conditions are no assumptions: a slice may not rely on a branch that it could block.
#[test]
fn a_condition_alone_explains_nothing() {
    let mut t = Trace::new(&["x"]);
    t.set(0, "x:=0", "x", &c(0))
        .set(0, "y:=x", "y", &v("x"))
        .set(0, "x:=5", "x", &c(5))
        .when(0, "[x>3]", &v("x"), Ge, &c(4))
        .end(0)
        .claim(0, &v("y"), Ge, &c(1));
    assert_eq!(
        kept(&t, &certified(&t.recording, Level::DATA)),
        set(&["x:=0", "y:=x"])
    );
}

const NAMES: [&str; 6] = ["g0", "g1", "g2", "a", "b", "c"];

fn expression() -> impl Strategy<Value = E> {
    let leaf = prop_oneof![
        (-4i64..5).prop_map(E::C),
        (0usize..6).prop_map(|i| E::V(NAMES[i]))
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        (inner.clone(), inner, 0u8..7).prop_map(|(a, b, kind)| match kind {
            0..3 => a + b,
            3..6 => a - b,
            _ => a * b,
        })
    })
}

#[derive(Clone, Debug)]
enum Random {
    Set(usize, E),
    When(E, Relation, E),
    End,
}

fn statement() -> impl Strategy<Value = Random> {
    let relation = prop_oneof![
        Just(Eq),
        Just(Relation::Ne),
        Just(Relation::Lt),
        Just(Le),
        Just(Relation::Gt),
        Just(Ge),
        Just(Relation::Ult),
        Just(Relation::Uge)
    ];
    prop_oneof![
        6 => (0usize..6, expression()).prop_map(|(x, e)| Random::Set(x, e)),
        2 => (expression(), relation, expression()).prop_map(|(a, r, b)| Random::When(a, r, b)),
        1 => Just(Random::End),
    ]
}

fn evaluate(e: &E, values: &[i64; 6]) -> i64 {
    match e {
        E::C(n) => *n,
        E::V(name) => values[NAMES.iter().position(|n| n == name).expect("known")],
        E::Add(a, b) => evaluate(a, values) + evaluate(b, values),
        E::Sub(a, b) => evaluate(a, values) - evaluate(b, values),
        E::Mul(a, b) => evaluate(a, values) * evaluate(b, values),
    }
}

/// A random run: conditions that would not hold are negated, values that would grow too large are reset, the claim is one that fails.
fn random_trace(program: &[(u16, Random)], last: &E) -> Trace {
    let mut t = Trace::new(&["g0", "g1", "g2"]);
    let mut values = [0i64; 6];
    let mut depth = [0; 3];
    for (i, name) in NAMES.iter().enumerate() {
        values[i] = i64::try_from(i).expect("small");
        t.set(0, name, name, &c(values[i]));
    }
    for (i, (thread, statement)) in program.iter().enumerate() {
        let label = format!("s{i}");
        match statement {
            Random::Set(x, e) => {
                let value = evaluate(e, &values);
                let e = if value.abs() < 1_000_000 {
                    e.clone()
                } else {
                    c(1)
                };
                values[*x] = evaluate(&e, &values);
                t.set(*thread, &label, NAMES[*x], &e);
            }
            Random::When(a, relation, b) => {
                let holds = relation.holds(evaluate(a, &values), evaluate(b, &values));
                let relation = if holds { *relation } else { relation.negated() };
                t.when(*thread, &label, a, relation, b);
                depth[usize::from(*thread)] += 1;
            }
            Random::End if depth[usize::from(*thread)] > 0 => {
                t.end(*thread);
                depth[usize::from(*thread)] -= 1;
            }
            Random::End => {}
        }
    }
    let value = evaluate(last, &values);
    t.claim(0, last, Le, &c(value - 1));
    t
}

/// Every step of every random explanation is checked, by our own rules and, where z3 is installed, by it.
#[test]
fn random_explanations_are_certified() {
    let cases = if std::env::var_os("LINSPECT_LONG").is_some() {
        2_000
    } else {
        60
    };
    let mut runner = TestRunner::new_with_rng(
        Config {
            cases,
            failure_persistence: None,
            ..Config::default()
        },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let scripts = std::cell::RefCell::new((String::new(), 0));
    let program = prop::collection::vec((0u16..3, statement()), 5..40);
    runner
        .run(&(program, expression()), |(program, last)| {
            let t = random_trace(&program, &last);
            for level in [Level::DATA, Level::CONTROL, Level::HAZARD, Level::FULL] {
                let explained = explain(&t.recording, level).expect("complete");
                explained
                    .certify()
                    .map_err(|flaw| TestCaseError::fail(flaw.to_string()))?;
                let (script, queries) = explained.smt_lib();
                let mut all = scripts.borrow_mut();
                all.0.push_str("(reset)");
                all.0.push_str(&script);
                all.1 += queries;
            }
            Ok(())
        })
        .expect("every explanation is sound");
    let (script, queries) = scripts.into_inner();
    assert!(queries > cases as usize, "vacuous: {queries}");
    if let Some(answers) = z3(&script) {
        let certified = answers.lines().filter(|l| *l == "unsat").count();
        let first = answers.lines().position(|l| l != "unsat");
        assert_eq!((certified, first), (queries, None));
    }
}

/// The answers of z3; `None` where it is not installed.
fn z3(script: &str) -> Option<String> {
    let mut child = Command::new("z3")
        .args(["-in", "-smt2", "-t:2000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take().expect("piped");
    let script = script.to_string();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().expect("z3 runs");
    writer.join().expect("writes").expect("z3 reads");
    Some(String::from_utf8(output.stdout).expect("z3 prints text"))
}
