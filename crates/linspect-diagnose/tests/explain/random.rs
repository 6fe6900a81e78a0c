//! Random traces, explained at every level; every step certified by our own rules and, where it is installed, by z3.

use crate::LEVELS;
use crate::trace::{E, Trace, c, compute};
use linspect_core::statement::{Relation, Rule};
use linspect_diagnose::explain::explain;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

const NAMES: [&str; 6] = ["g0", "g1", "g2", "a", "b", "c"];

fn relation() -> impl Strategy<Value = Relation> {
    use Relation::{Eq, Ge, Gt, Le, Lt, Ne, Uge, Ult};
    prop::sample::select(vec![Eq, Ne, Lt, Le, Gt, Ge, Ult, Uge])
}

fn expression() -> impl Strategy<Value = E> {
    let leaf = prop_oneof![
        (-4i64..5).prop_map(E::C),
        (0usize..6).prop_map(|i| E::V(NAMES[i]))
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        let one = inner.clone();
        let two = (inner.clone(), inner.clone()).prop_map(|(a, b)| vec![a, b]);
        let three = (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| vec![a, b, c]);
        let rules = vec![
            Rule::Add,
            Rule::Add,
            Rule::Add,
            Rule::Sub,
            Rule::Sub,
            Rule::Mul,
            Rule::And,
            Rule::Or,
            Rule::Xor,
            Rule::Function,
        ];
        let widths = vec![Rule::Truncate, Rule::ZeroExtend(8), Rule::SignExtend(8)];
        prop_oneof![
            10 => (prop::sample::select(rules), two.clone()).prop_map(|(r, of)| E::Apply(r, of)),
            1 => (relation(), two).prop_map(|(r, of)| E::Apply(Rule::Compare(r), of)),
            1 => three.prop_map(|of| E::Apply(Rule::Select, of)),
            1 => (prop::sample::select(widths), one).prop_map(narrowed),
            1 => Just(E::Apply(Rule::Input, Vec::new())),
        ]
    })
}

/// What is widened has been narrowed before.
fn narrowed((rule, of): (Rule, E)) -> E {
    let narrow = E::Apply(Rule::Truncate, vec![of]);
    match rule {
        Rule::Truncate => narrow,
        wide => E::Apply(wide, vec![narrow]),
    }
}

#[derive(Clone, Debug)]
enum Random {
    Set(usize, E),
    When(E, Relation, E),
    End,
}

fn statement() -> impl Strategy<Value = Random> {
    prop_oneof![
        6 => (0usize..6, expression()).prop_map(|(x, e)| Random::Set(x, e)),
        2 => (expression(), relation(), expression()).prop_map(|(a, r, b)| Random::When(a, r, b)),
        1 => Just(Random::End),
    ]
}

fn evaluate(e: &E, values: &[i64; 6]) -> i64 {
    match e {
        E::C(n) => *n,
        E::V(name) => values[NAMES.iter().position(|n| n == name).expect("known")],
        E::Apply(rule, of) => {
            let of: Vec<i64> = of.iter().map(|e| evaluate(e, values)).collect();
            compute(*rule, &of)
        }
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
                let e = if value.abs() < 10_000 {
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
    t.claim(0, last, Relation::Le, &c(value - 1));
    t
}

/// Explanations of `cases` random runs, all certified.
fn certify(cases: u32, seed: u8) {
    let mut runner = TestRunner::new_with_rng(
        Config {
            cases,
            failure_persistence: None,
            ..Config::default()
        },
        TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]),
    );
    let asked = std::cell::RefCell::new(BTreeSet::new());
    let program = prop::collection::vec((0u16..3, statement()), 5..40);
    runner
        .run(&(program, expression()), |(program, last)| {
            let t = random_trace(&program, &last);
            for level in LEVELS {
                let explained = explain(&t.recording, level).expect("complete");
                explained
                    .certify()
                    .map_err(|flaw| TestCaseError::fail(flaw.to_string()))?;
                let (script, _) = explained.smt_lib();
                let queries = script.lines().filter(|l| l.contains("(check-sat)"));
                asked.borrow_mut().extend(queries.map(str::to_string));
            }
            Ok(())
        })
        .expect("every explanation is sound");
    let asked = Vec::from_iter(asked.into_inner());
    assert!(asked.len() > cases as usize, "vacuous: {}", asked.len());
    if let Some(answers) = z3(&asked.join("\n")) {
        let mut answered = asked.iter().zip(answers.lines());
        assert_eq!(answered.find(|a| a.1 != "unsat"), None);
        assert_eq!(answers.lines().count(), asked.len());
    }
}

#[test]
fn random_explanations_are_certified() {
    let long = std::env::var_os("LINSPECT_LONG").is_some();
    certify(if long { 2_000 } else { 200 }, 1);
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
