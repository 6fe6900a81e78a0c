//! Litmus tests through machine and walk: as many executions as the axioms have, under SC and under C20.

use linspect_core::client::{Client, Invocation};
use linspect_core::execution::{End, MemoryModel};
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_core::value::Value;
use linspect_explore::strategies::exhaustive::{self, exhaustive};
use linspect_explore::strategies::graph::{Options, graphs};
use linspect_testkit::litmus::{self, Litmus};
use linspect_vm::{LoadedProgram, Settings, frontend};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// What the litmus tests are written in.
#[derive(Clone, Copy)]
pub(crate) enum Language {
    C,
    Rust,
}

/// The litmus tests of the corpus, and all of them as one harness.
pub(crate) fn litmus_tests(language: Language) -> (LoadedProgram, Vec<Litmus>) {
    let list = std::fs::read_to_string(folder().join("expected.txt")).expect("it is there");
    let tests = litmus::read(&list);
    assert!(tests.len() >= 60);
    let (file, text) = match language {
        Language::C => ("litmus.c", litmus::c(&tests)),
        Language::Rust => ("litmus.rs", litmus::rust(&tests)),
    };
    let written = tempfile::tempdir().expect("a folder");
    let file = written.path().join(file);
    std::fs::write(&file, text).expect("it can be written");
    (load(file), tests)
}

/// A harness of the corpus.
pub(crate) fn corpus(file: &str) -> LoadedProgram {
    load(folder().join(file))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/litmus")
}

fn load(file: PathBuf) -> LoadedProgram {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../linspect-vm/include");
    let source = frontend::Source {
        files: vec![file],
        c_flags: vec![format!("-I{}", include.display())],
        ..frontend::Source::default()
    };
    let program = frontend::load(&source).unwrap_or_else(|e| panic!("{e}"));
    LoadedProgram::new(program, Settings::default()).expect("a harness")
}

pub(crate) fn weak(code: &LoadedProgram) -> LoadedProgram {
    code.with_settings(Settings {
        memory_model: MemoryModel::C20,
        ..code.settings().clone()
    })
}

/// Runs the operations `NAME_0`, `NAME_1` … beside each other.
pub(crate) fn client(code: &LoadedProgram, name: &str, threads: usize) -> Client {
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
fn by_graphs(code: &LoadedProgram, client: &Client, model: MemoryModel) -> usize {
    let mut machine = code.start(client).expect("it starts");
    machine.set_retries(Retries::Park);
    let mut executions = 0;
    graphs(&mut machine, &Options::of(model), &mut |leaf| {
        executions += usize::from(*leaf.end == End::Complete);
        ControlFlow::Continue(())
    });
    executions
}

fn by_wakeup_trees(code: &LoadedProgram, client: &Client) -> usize {
    let mut machine = code.start(client).expect("it starts");
    let options = exhaustive::Options::default();
    exhaustive(&mut machine, &options, &mut |_| ControlFlow::Continue(())).executions as usize
}

fn compare(language: Language) {
    let (code, tests) = litmus_tests(language);
    let weak = weak(&code);
    let mut wrong = Vec::new();
    for Litmus {
        name,
        threads,
        sc,
        c20,
        ..
    } in tests
    {
        let client = client(&code, &name, threads.len());
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
    compare(Language::C);
}

#[test]
fn litmus_tests_in_rust() {
    compare(Language::Rust);
}
