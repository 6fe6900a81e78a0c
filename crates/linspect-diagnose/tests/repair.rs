//! Repairs of small objects: found, ranked, enforced.

use linspect_core::client::{Client, Invocation};
use linspect_core::machine::Subject;
use linspect_core::property::Linearizable;
use linspect_core::spec::{Spec, Stack};
use linspect_core::value::Value;
use linspect_diagnose::repair::{Diagnosis, Effort, repair};
use linspect_explore::toy::{Program, objects};

fn client(program: &Program, before: &str, threads: &[&str], after: &str) -> Client {
    let declared = program.operations();
    let calls = |text: &str| {
        text.split_whitespace()
            .map(|call| {
                let (name, argument) = call
                    .split_once('=')
                    .map_or((call, None), |(n, a)| (n, Some(a)));
                let operation = declared
                    .iter()
                    .position(|d| d.name == name)
                    .expect("declared");
                Invocation {
                    operation: operation.try_into().expect("few"),
                    argument: argument
                        .map_or(Value::Unit, |a| Value::Int(a.parse().expect("a number"))),
                }
            })
            .collect()
    };
    Client {
        before: calls(before),
        threads: threads.iter().map(|t| calls(t)).collect(),
        after: calls(after),
    }
}

fn diagnose<S: Spec>(program: &Program, client: &Client, spec: &S) -> Diagnosis {
    let property = || Linearizable::new(spec, client, program.operations()).expect("fits");
    repair(program, client, &property, &Effort::default()).expect("starts")
}

/// Per repair: its sections, and how many good classes it disables, of good and of bad ones.
fn sections(diagnosis: &Diagnosis) -> Vec<(Vec<String>, [usize; 3])> {
    let Diagnosis::Sections(repairs) = diagnosis else {
        panic!("{diagnosis:?}");
    };
    repairs
        .iter()
        .map(|r| {
            assert!(r.recheck.exhausted && r.recheck.executions > 0);
            (
                r.sections.iter().map(ToString::to_string).collect(),
                [r.disabled, r.good, r.bad],
            )
        })
        .collect()
}

#[test]
fn a_correct_object_needs_nothing() {
    let stack = objects::treiber();
    let client = client(&stack, "push=1", &["pop", "push=2 pop"], "pop");
    assert_eq!(
        diagnose(&stack, &client, &Stack::default()),
        Diagnosis::Clean
    );
}

#[test]
fn a_blind_pop_must_be_atomic_from_read_to_write() {
    let stack = objects::treiber_blind_pop();
    let client = client(&stack, "push=1 push=2", &["pop", "pop"], "");
    // From reading the top to writing it.
    let expected = [(vec!["pop treiber_blind_pop:1–5".to_string()], [0, 2, 2])];
    assert_eq!(
        sections(&diagnose(&stack, &client, &Stack::default())),
        expected
    );
}

/// The stack of Figure 1 of the paper: `pop` reads an item and clears it in two steps.
fn figure_1() -> Program {
    Program::parse(
        "object figure_1
         global range = 0
         global items[8] = 0
         op push 1 2 3 4
           i = faa range 1
           write items+i arg
           return
         op pop
           i = read range
         down:
           if i==0 goto empty
           i = set i-1
           v = read items+i
           write items+i 0
           if v==0 goto down
           return v
         empty:
           return nil",
    )
    .expect("a program")
}

/// Figure 2 of the paper.
#[test]
fn the_stack_of_afek_is_repaired_in_pop_first() {
    let stack = figure_1();
    let client = client(&stack, "", &["push=1", "push=2 pop", "pop"], "");
    let expected = [(vec!["pop figure_1:4–5".to_string()], [57, 88, 67])];
    assert_eq!(
        sections(&diagnose(&stack, &client, &Stack::default())),
        expected
    );
}

#[test]
fn two_stacks_are_wrong_even_serially() {
    let pool = objects::two_stacks();
    let client = client(&pool, "", &["push=1", "push=2"], "pop");
    let Diagnosis::Serial(execution) = diagnose(&pool, &client, &Stack::default()) else {
        panic!("no section helps");
    };
    assert_eq!(execution.steps.len(), 2, "every operation is one step");
}
