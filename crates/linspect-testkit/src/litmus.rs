//! Litmus tests as `corpus/litmus/expected.txt` has them, and the same tests as harnesses in C and in Rust.
//!
//! Thread `i` of the test `mp` is the operation `mp_i`, which returns what it read as digits.

use std::collections::BTreeSet;
use std::fmt::Write;

/// A litmus test, and what is known of its executions.
pub struct Litmus {
    /// What it is called.
    pub name: String,
    /// What each thread does, statement by statement, in words: `st x 1 rlx`.
    pub threads: Vec<Vec<String>>,
    /// How many executions it has under SC.
    pub sc: usize,
    /// How many executions it has under C20.
    pub c20: usize,
    /// What its threads read under C20: `0|1,0`.
    pub outcomes: BTreeSet<String>,
}

/// The tests of a list: two lines each, the threads and what they come to. Lines that begin with `#` are remarks.
pub fn read(list: &str) -> Vec<Litmus> {
    let mut lines = list
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty());
    let mut tests = Vec::new();
    while let (Some(test), Some(counts)) = (lines.next(), lines.next()) {
        tests.push(Litmus::read(test, counts).unwrap_or_else(|| panic!("{test}\n{counts}")));
    }
    tests
}

impl Litmus {
    fn read(test: &str, counts: &str) -> Option<Self> {
        let (name, threads) = test.split_once(": ")?;
        let (counts, outcomes) = counts.trim().split_once(": ")?;
        let (sc, c20) = counts.strip_prefix("sc ")?.split_once(", c20 ")?;
        let statements = |thread: &str| thread.split("; ").map(str::to_owned).collect();
        let outcome = |text: &str| text.trim_matches(['[', ']']).to_owned();
        Some(Self {
            name: name.to_owned(),
            threads: threads.split(" | ").map(statements).collect(),
            sc: sc.parse().ok()?,
            c20: c20.parse().ok()?,
            outcomes: outcomes.split(' ').map(outcome).collect(),
        })
    }
}

/// Every thread of every test, by the name of its operation.
fn operations(tests: &[Litmus]) -> impl Iterator<Item = (String, &[String])> {
    tests.iter().flat_map(|test| {
        let threads = test.threads.iter().enumerate();
        threads.map(|(i, thread)| (format!("{}_{i}", test.name), &thread[..]))
    })
}

/// A statement's words: what it does, then its operands.
fn words(statement: &str) -> Vec<&str> {
    statement.split(' ').collect()
}

/// What a thread read, as digits, in an expression that both languages have.
fn digits(thread: &[String]) -> String {
    let registers = thread.iter().filter_map(|s| match words(s)[..] {
        ["ld" | "add" | "xchg" | "cas", register, ..] => Some(register.to_owned()),
        _ => None,
    });
    let all = registers.reduce(|so_far, register| format!("10 * ({so_far}) + {register}"));
    all.unwrap_or_else(|| "0".to_owned())
}

/// The tests as a harness in C.
pub fn c(tests: &[Litmus]) -> String {
    let mut text =
        "#include <linspect.h>\n#include <stdatomic.h>\n\nstatic atomic_int x, y, z, f, l;\n"
            .to_owned();
    for (name, thread) in operations(tests) {
        let _ = writeln!(text, "\nstatic int run_{name}(void) {{");
        for statement in thread {
            let _ = writeln!(text, "    {}", c_statement(statement));
        }
        let _ = writeln!(text, "    return {};\n}}", digits(thread));
        let _ = writeln!(text, "LINSPECT_OP_RET(int, {name}, run_{name}())");
    }
    text
}

fn c_statement(statement: &str) -> String {
    let order = |word: &str| {
        let name = match word {
            "rlx" => "relaxed",
            "acq" => "acquire",
            "rel" => "release",
            "ar" => "acq_rel",
            "sc" => "seq_cst",
            other => panic!("{other} is no ordering"),
        };
        format!("memory_order_{name}")
    };
    match words(statement)[..] {
        ["ld", r, cell, o] => format!("int {r} = atomic_load_explicit(&{cell}, {});", order(o)),
        ["st", cell, value, o] => format!("atomic_store_explicit(&{cell}, {value}, {});", order(o)),
        ["add", r, cell, by, o] => {
            format!(
                "int {r} = atomic_fetch_add_explicit(&{cell}, {by}, {});",
                order(o)
            )
        }
        ["xchg", r, cell, new, o] => {
            format!(
                "int {r} = atomic_exchange_explicit(&{cell}, {new}, {});",
                order(o)
            )
        }
        ["cas", r, cell, old, new, o, failure] => format!(
            "int {r} = {old}; atomic_compare_exchange_strong_explicit(&{cell}, &{r}, {new}, {}, {});",
            order(o),
            order(failure)
        ),
        ["f", o] => format!("atomic_thread_fence({});", order(o)),
        _ => panic!("{statement} is no statement"),
    }
}

/// The tests as a harness in Rust.
pub fn rust(tests: &[Litmus]) -> String {
    let mut text = "\
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicI32, fence};

#[derive(Default)]
pub struct Cells {
    x: AtomicI32,
    y: AtomicI32,
    z: AtomicI32,
    f: AtomicI32,
    l: AtomicI32,
}

impl Cells {
"
    .to_owned();
    let mut harness = "linspect::harness! {\n    cells: Cells = Cells::default();\n\n".to_owned();
    for (name, thread) in operations(tests) {
        let _ = writeln!(text, "    pub fn {name}(&self) -> i32 {{");
        for statement in thread {
            let _ = writeln!(text, "        {}", rust_statement(statement));
        }
        let _ = writeln!(text, "        {}\n    }}\n", digits(thread));
        let _ = writeln!(harness, "    fn {name}(&self) -> i32;");
    }
    text + "}\n\n" + &harness + "}\n"
}

fn rust_statement(statement: &str) -> String {
    let order = |word: &str| match word {
        "rlx" => "Relaxed",
        "acq" => "Acquire",
        "rel" => "Release",
        "ar" => "AcqRel",
        "sc" => "SeqCst",
        other => panic!("{other} is no ordering"),
    };
    match words(statement)[..] {
        ["ld", r, cell, o] => format!("let {r} = self.{cell}.load({});", order(o)),
        ["st", cell, value, o] => format!("self.{cell}.store({value}, {});", order(o)),
        ["add", r, cell, by, o] => format!("let {r} = self.{cell}.fetch_add({by}, {});", order(o)),
        ["xchg", r, cell, new, o] => format!("let {r} = self.{cell}.swap({new}, {});", order(o)),
        ["cas", r, cell, old, new, o, failure] => format!(
            "let {r} = self.{cell}.compare_exchange({old}, {new}, {}, {}).unwrap_or_else(|seen| seen);",
            order(o),
            order(failure)
        ),
        ["f", o] => format!("fence({});", order(o)),
        _ => panic!("{statement} is no statement"),
    }
}
