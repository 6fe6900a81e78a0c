//! Locks of the standard library are taken for right and wait at gates; their own code, which `--std visible` runs, is the oracle: what operations return, and who waits for ever, is the same.

use linspect_core::client::{Client, Invocation};
use linspect_core::execution::{End, MemoryModel};
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_explore::strategies::exhaustive::{self, exhaustive};
use linspect_explore::strategies::{Leaf, graph};
use linspect_vm::{LoadedProgram, Settings, frontend};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

/// What each operation returned, and how the run ended.
type Outcome = (BTreeSet<String>, String);

struct Object {
    gates: LoadedProgram,
    code: LoadedProgram,
}

fn load(file: &str, memory_model: MemoryModel) -> Object {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/harness/rust");
    let source = frontend::Source {
        files: vec![root.join(file)],
        ..frontend::Source::default()
    };
    let with = |std_visible| {
        let program = frontend::load(&source).unwrap_or_else(|e| panic!("{e}"));
        let settings = Settings {
            std_visible,
            memory_model,
            ..Settings::default()
        };
        LoadedProgram::new(program, settings).expect("a harness")
    };
    Object {
        gates: with(false),
        code: with(true),
    }
}

/// The outcomes of all executions of a client, and how many executions there are.
fn outcomes(subject: &LoadedProgram, client: &Client) -> (BTreeSet<Outcome>, u64) {
    let mut machine = subject.start(client).expect("it starts");
    let mut all = BTreeSet::new();
    let mut visit = |leaf: &Leaf<'_>| {
        // Somebody has tried in vain; what comes of it comes without that, too.
        if *leaf.end == End::Covered {
            return ControlFlow::Continue(());
        }
        let returned = leaf.trace.steps().filter_map(|s| s.returned.as_ref());
        let returned = returned
            .map(|(id, ending)| format!("{id:?} {ending:?}"))
            .collect();
        let fault = || leaf.trace.steps().last().and_then(|s| s.fault.as_ref());
        let end = match leaf.end {
            End::Fault => fault().map_or(String::new(), |f| format!("{:?}: {}", f.kind, f.message)),
            end => format!("{end:?}"),
        };
        all.insert((returned, end));
        ControlFlow::Continue(())
    };
    let walk = match subject.memory_model() {
        MemoryModel::Sc => exhaustive(&mut machine, &exhaustive::Options::default(), &mut visit),
        MemoryModel::C20 => {
            machine.set_retries(Retries::Park);
            let options = graph::Options::of(MemoryModel::C20);
            graph::graphs(&mut machine, &options, &mut visit)
        }
    };
    assert_eq!(walk.limited, 0, "every run ends");
    (all, walk.executions)
}

/// The client with these operations, each thread's names apart by spaces.
fn client(subject: &LoadedProgram, threads: &[&str]) -> Client {
    let declared = subject.operations();
    let call = |name: &str| {
        let at = declared
            .iter()
            .position(|o| o.name == name)
            .expect("an operation");
        Invocation {
            operation: at as u16,
            argument: declared[at].domain[0].clone(),
        }
    };
    let thread = |calls: &&str| calls.split_whitespace().map(call).collect();
    Client {
        before: Vec::new(),
        threads: threads.iter().map(thread).collect(),
        warm: Vec::new(),
        after: Vec::new(),
    }
}

/// Compares gates with code; what there is in both.
fn compare(object: &Object, threads: &[&str]) -> BTreeSet<Outcome> {
    let client = client(&object.gates, threads);
    let (gates, fewer) = outcomes(&object.gates, &client);
    let (code, more) = outcomes(&object.code, &client);
    assert_eq!(gates, code, "{threads:?}");
    println!("{threads:?}: {fewer} executions, {more} of the library's own code");
    assert!(fewer <= more, "{threads:?}: {fewer} {more}");
    gates
}

fn can_wait_for_ever(outcomes: &BTreeSet<Outcome>) -> bool {
    outcomes.iter().any(|(_, end)| end.starts_with("Deadlock"))
}

/// Whether the comparisons are made that take hundreds of thousands of executions of the library's own code.
fn is_long() -> bool {
    std::env::var_os("LINSPECT_LONG").is_some()
}

/// Every pair of operations but those that take long, and some that say more.
fn compare_all(object: &Object, long: &[&[&str]], more: &[&[&str]]) {
    let declared = object.gates.operations().iter();
    let names: Vec<&str> = declared.map(|o| o.name.as_str()).collect();
    for (i, first) in names.iter().enumerate() {
        for second in &names[i..] {
            let threads = [*first, *second];
            if is_long() || !long.contains(&&threads[..]) {
                compare(object, &threads);
            }
        }
    }
    for threads in more {
        compare(object, threads);
    }
}

#[test]
fn read_write_locks_do_what_their_code_does() {
    let object = load("number_rwlock.rs", MemoryModel::Sc);
    let twice: &[&str] = &["set", "get_twice"];
    compare_all(&object, &[twice], &[&["try_set", "get_twice try_get"]]);
    if is_long() {
        compare(&object, &["set", "get get"]);
    }
    // A writer that waits lets no reader in: whoever reads twice waits for it.
    let (outcomes, _) = outcomes(&object.gates, &client(&object.gates, twice));
    assert!(can_wait_for_ever(&outcomes));
    assert!(!can_wait_for_ever(&compare(&object, &["set", "get"])));
}

#[test]
fn mutexes_do_what_their_code_does() {
    let object = load("number_mutex.rs", MemoryModel::Sc);
    compare_all(&object, &[&["there", "there"], &["back", "back"]], &[]);
    assert!(can_wait_for_ever(&compare(&object, &["there", "back"])));
}

#[test]
fn what_is_initialised_once_does_what_its_code_does() {
    let object = load("number_once.rs", MemoryModel::Sc);
    compare_all(
        &object,
        &[],
        &[
            &["get_or_init", "get_or_init", "get"],
            &["poison", "call", "forgive"],
        ],
    );
}

/// What a lock orders it orders under C20, too: nothing else is returned than by the library's own code, which says how it is ordered.
#[test]
fn the_same_holds_with_weak_orderings() {
    let pairs = |file: &str, all: &[[&str; 2]]| {
        let object = load(file, MemoryModel::C20);
        for threads in all {
            compare(&object, threads);
        }
    };
    pairs(
        "number_rwlock.rs",
        &[
            ["set", "set"],
            ["set", "get"],
            ["try_set", "get"],
            ["get", "get"],
            ["set", "try_get"],
            ["get_twice", "try_set"],
        ],
    );
    pairs(
        "number_mutex.rs",
        &[["add", "add"], ["add", "try_add"], ["try_add", "try_add"]],
    );
    pairs(
        "number_once.rs",
        &[["get_or_init", "get_or_init"], ["get_or_init", "get"]],
    );
}
