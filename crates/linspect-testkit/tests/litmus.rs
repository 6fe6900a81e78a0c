//! The axioms of the testkit against litmus tests whose counts and outcomes come from elsewhere.

use linspect_testkit::litmus;
use linspect_testkit::weak::graphs::executions;
use linspect_testkit::weak::{Operand, Order, Outcome, Program, Statement};
use std::collections::BTreeSet;
use std::path::Path;

fn order(word: &str) -> Order {
    match word {
        "rlx" => Order::Relaxed,
        "acq" => Order::Acquire,
        "rel" => Order::Release,
        "ar" => Order::AcqRel,
        "sc" => Order::SeqCst,
        other => panic!("{other} is no ordering"),
    }
}

fn cell(word: &str) -> u8 {
    let all = ["x", "y", "z", "f", "l"];
    all.iter().position(|c| *c == word).expect("a cell") as u8
}

fn number(word: &str) -> i64 {
    word.parse().expect("a number")
}

/// A statement; what it reads goes to this register.
fn statement(text: &str, register: u8) -> Statement {
    match text.split(' ').collect::<Vec<_>>()[..] {
        ["ld", _, x, o] => Statement::Load(register, cell(x), order(o)),
        ["st", x, v, o] => Statement::Store(cell(x), Operand::Number(number(v)), order(o)),
        ["add", _, x, v, o] => Statement::Add(register, cell(x), number(v), order(o)),
        ["xchg", _, x, v, o] => Statement::Exchange(register, cell(x), number(v), order(o)),
        ["cas", _, x, e, n, o, f] => {
            Statement::Compare(register, cell(x), number(e), number(n), order(o), order(f))
        }
        ["f", o] => Statement::Fence(order(o)),
        _ => panic!("{text} is no statement"),
    }
}

/// What its threads read, as the list writes it.
fn written(outcome: &Outcome, reads: &[usize]) -> String {
    let thread = |(registers, reads): (&[i64; 4], &usize)| {
        let all: Vec<String> = registers[..*reads].iter().map(i64::to_string).collect();
        all.join(",")
    };
    let threads: Vec<String> = outcome.registers.iter().zip(reads).map(thread).collect();
    threads.join("|")
}

#[test]
fn litmus_tests_have_their_executions() {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/litmus/expected.txt");
    let tests = litmus::read(&std::fs::read_to_string(list).expect("the list is there"));
    assert!(tests.len() >= 60);
    for test in tests {
        let mut reads = Vec::new();
        let threads = test.threads.iter().map(|thread| {
            let mut register = 0;
            let statements = thread.iter().map(|text| {
                let next = statement(text, register);
                if !matches!(next, Statement::Store(..) | Statement::Fence(_)) {
                    register += 1;
                }
                next
            });
            let statements: Vec<Statement> = statements.collect();
            reads.push(usize::from(register));
            statements
        });
        let program = Program {
            threads: threads.collect(),
            atomics: 5,
            plains: 0,
            pointers: 0,
            cells: 0,
            mutexes: 0,
        };
        let found = executions(&program, 10_000_000).expect("it is small");
        let (all, sequential): (u64, u64) = (
            found.outcomes.values().sum(),
            found.sequential.values().sum(),
        );
        assert_eq!(
            (sequential as usize, all as usize),
            (test.sc, test.c20),
            "{}",
            test.name
        );
        let outcomes = found.outcomes.keys().map(|o| written(o, &reads));
        let outcomes: BTreeSet<String> = outcomes.collect();
        assert_eq!(outcomes, test.outcomes, "{}", test.name);
    }
}
