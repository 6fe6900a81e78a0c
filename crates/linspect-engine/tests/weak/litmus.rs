//! Litmus tests through machine and walk: as many executions as the axioms have, under SC and under C20.

use linspect_core::client::{Client, Invocation};
use linspect_core::execution::{End, MemoryModel};
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_core::value::Value;
use linspect_explore::strategies::exhaustive::{self, exhaustive};
use linspect_explore::strategies::graph::{Options, graphs};
use linspect_vm::{Code, Settings, frontend};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn corpus(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus/litmus")
        .join(file)
}

pub(crate) fn code(file: &str) -> Code {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../linspect-vm/include");
    let source = frontend::Source {
        files: vec![corpus(file)],
        c_flags: vec![format!("-I{}", include.display())],
        ..frontend::Source::default()
    };
    let program = frontend::load(&source).unwrap_or_else(|e| panic!("{e}"));
    Code::new(program, Settings::default()).expect("a harness")
}

fn weak(code: &Code) -> Code {
    code.with_settings(Settings {
        memory_model: MemoryModel::C20,
        ..code.settings().clone()
    })
}

/// A test by name: its threads, and its executions under SC and under C20.
struct Litmus {
    name: String,
    threads: usize,
    sc: u64,
    c20: u64,
}

fn expected() -> Vec<Litmus> {
    let text = std::fs::read_to_string(corpus("expected.txt")).expect("it is there");
    let lines: Vec<&str> = text
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
        .collect();
    let read = |pair: &[&str]| {
        let (name, threads) = pair[0].split_once(": ").expect("a name");
        let (counts, _) = pair[1].trim().split_once(": ").expect("counts");
        let (sc, c20) = counts.split_once(", ").expect("two");
        let number = |text: &str| text.split(' ').nth(1).and_then(|n| n.parse().ok());
        Litmus {
            name: name.to_owned(),
            threads: threads.split(" | ").count(),
            sc: number(sc).expect("a number"),
            c20: number(c20).expect("a number"),
        }
    };
    lines.chunks(2).map(read).collect()
}

pub(crate) fn client(code: &Code, name: &str, threads: usize) -> Client {
    let operation = |thread: usize| {
        let name = format!("{name}_{thread}");
        let at = code.operations().iter().position(|o| o.name == name);
        vec![Invocation {
            operation: at.unwrap_or_else(|| panic!("{name} is missing")) as u16,
            argument: Value::Unit,
        }]
    };
    Client {
        threads: (0..threads).map(operation).collect(),
        ..Client::default()
    }
}

/// Executions that the graph walk shows.
fn by_graphs(code: &Code, client: &Client, model: MemoryModel) -> u64 {
    let mut machine = code.start(client).expect("it starts");
    machine.set_retries(Retries::Park);
    let mut executions = 0;
    graphs(&mut machine, &Options::of(model), &mut |leaf| {
        executions += u64::from(*leaf.end == End::Complete);
        ControlFlow::Continue(())
    });
    executions
}

fn by_wakeup_trees(code: &Code, client: &Client) -> u64 {
    let mut machine = code.start(client).expect("it starts");
    let options = exhaustive::Options::default();
    exhaustive(&mut machine, &options, &mut |_| ControlFlow::Continue(())).executions
}

fn compare(file: &str) {
    let code = code(file);
    let weak = weak(&code);
    let mut wrong = Vec::new();
    for Litmus {
        name,
        threads,
        sc,
        c20,
    } in expected()
    {
        let client = client(&code, &name, threads);
        let found = (
            by_wakeup_trees(&code, &client),
            by_graphs(&weak, &client, MemoryModel::Sc),
            by_graphs(&weak, &client, MemoryModel::C20),
        );
        if found != (sc, sc, c20) {
            wrong.push(format!("{name}: {found:?}, expected {sc}, {sc}, {c20}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn litmus_tests_in_c() {
    compare("litmus.c");
}

#[test]
fn litmus_tests_in_rust() {
    compare("litmus.rs");
}
