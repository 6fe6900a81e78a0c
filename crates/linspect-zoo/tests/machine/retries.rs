//! Attempts that change nothing are cut: how many runs are left of real code, and that nothing is lost with them.

use crate::reduction::compare;
use linspect_core::check::Unlimited;
use linspect_core::client::{Client, Invocation};
use linspect_core::defect::Defect;
use linspect_core::machine::{Retries, Subject};
use linspect_core::property::FaultFree;
use linspect_core::value::Value;
use linspect_explore::search::{Coverage, Explored, Plan, explore};
use linspect_vm::LoadedProgram;
use std::path::Path;

fn load(file: &str) -> LoadedProgram {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/retries");
    super::load(&folder, &[file.to_owned()]).expect("it can be run")
}

/// `push 1 pop`: calls of one thread, each with its argument if it has one.
fn thread(code: &LoadedProgram, calls: &str) -> Vec<Invocation> {
    let mut thread: Vec<Invocation> = Vec::new();
    for word in calls.split_whitespace() {
        match word.parse() {
            Ok(number) => {
                let last = thread.last_mut().expect("a call comes before its argument");
                last.argument = Value::Int(number);
            }
            Err(_) => {
                let named = code.operations().iter().position(|o| o.name == word);
                thread.push(Invocation {
                    operation: named.expect("it has this operation") as u16,
                    argument: Value::Unit,
                });
            }
        }
    }
    thread
}

fn client(code: &LoadedProgram, threads: &[&str]) -> Client {
    Client {
        threads: threads.iter().map(|calls| thread(code, calls)).collect(),
        ..Client::default()
    }
}

fn explored(code: &LoadedProgram, threads: &[&str], retries: Retries) -> Explored {
    let client = client(code, threads);
    let plan = Plan {
        retries,
        ..Plan::exhaustive()
    };
    explore(code, client, FaultFree, &plan, &Unlimited, &|_, _| {}).expect("it runs")
}

/// Complete runs and retries cut.
fn counts(code: &LoadedProgram, threads: &[&str]) -> (u64, u64) {
    match explored(code, threads, Retries::Park).coverage {
        Coverage::Exhausted {
            executions,
            retries_cut,
        } => (executions, retries_cut),
        other => panic!("{threads:?}: {other:?}"),
    }
}

/// A failed exchange stands for the load that it repeats, so both ways to write a counter have as many runs as there are orders.
#[test]
fn both_ways_to_retry_an_exchange_are_one() {
    let counter = load("counter.rs");
    for way in ["reload", "keep"] {
        assert_eq!(counts(&counter, &[way; 3]), (6, 21), "{way}");
        assert_eq!(counts(&counter, &[way; 4]), (24, 256), "{way}");
    }
}

#[test]
fn structures_and_locks_have_few_runs() {
    let stack = load("stack.rs");
    assert_eq!(counts(&stack, &["push 1 pop", "push 2 pop"]), (10, 10));
    assert_eq!(counts(&stack, &["push 1", "push 2", "pop", "pop"]).0, 38);
    assert_eq!(
        counts(&stack, &["push 1 pop", "push 2 pop", "push 3 pop"]).0,
        270
    );
    let queue = load("queue.c");
    assert_eq!(
        counts(&queue, &["enqueue 1 dequeue", "enqueue 2 dequeue"]).0,
        16
    );
    assert_eq!(
        counts(&queue, &["enqueue 1", "enqueue 2", "dequeue", "dequeue"]).0,
        158
    );
    let locks = load("locks.c");
    assert_eq!(counts(&locks, &["ttas"; 2]).0, 4);
    assert_eq!(counts(&locks, &["ttas"; 3]).0, 36);
    assert_eq!(counts(&locks, &["ticket"; 3]).0, 6);
    assert_eq!(counts(&locks, &["ticket"; 4]).0, 24);
}

/// A lock of Rust's standard library has as many runs as there are orders in which it is taken; nobody fails to take it.
#[test]
fn a_mutex_has_a_run_for_each_order() {
    let code = load("mutex.rs");
    for way in ["lock", "write"] {
        let calls = |n: usize| [way].repeat(n).join(" ");
        assert_eq!(counts(&code, &[calls(4).as_str(); 2]), (70, 0), "{way}");
        assert_eq!(counts(&code, &[calls(2).as_str(); 3]), (90, 0), "{way}");
        assert_eq!(counts(&code, &[calls(3).as_str(); 3]), (1_680, 0), "{way}");
    }
    for one in ["lock", "lock try_lock", "write read"] {
        for other in ["lock lock", "try_lock lock", "read write"] {
            compare(&code, &client(&code, &[one, other]), "mutex.rs");
        }
    }
}

/// What loops keep of rounds in vain, in registers or in memory, is told apart from what they do not.
#[test]
fn what_a_loop_remembers_is_not_cut() {
    let memory = load("memory.c");
    for one in ["patient", "first", "before", "forgets"] {
        for other in ["patient", "first", "before", "forgets forgets"] {
            compare(&memory, &client(&memory, &[one, other]), "memory.c");
        }
    }
    assert_eq!(counts(&memory, &["forgets"; 3]).0, 6);
    let counter = load("counter.rs");
    compare(
        &counter,
        &client(&counter, &["keep", "reload keep"]),
        "counter.rs",
    );
    let locks = load("locks.c");
    compare(&locks, &client(&locks, &["ttas", "ttas"]), "locks.c");
    compare(
        &locks,
        &client(&locks, &["ticket ticket", "ticket"]),
        "locks.c",
    );
    let stack = load("stack.rs");
    compare(&stack, &client(&stack, &["push 1 pop", "pop"]), "stack.rs");
    let queue = load("queue.c");
    compare(
        &queue,
        &client(&queue, &["enqueue 1", "dequeue"]),
        "queue.c",
    );
}

/// A data race is seen although the read is one of a round that is cut, and although a cut exchange would have synchronised.
#[test]
fn races_of_rounds_that_are_cut_are_seen() {
    for (file, threads) in [
        ("hidden_race.rs", ["read", "write"]),
        ("hidden_order.rs", ["take", "give"]),
    ] {
        let code = load(file);
        for retries in [Retries::Wake, Retries::Park] {
            let found = explored(&code, &threads, retries).found;
            let race = found.iter().any(|f| matches!(f.kind, Defect::DataRace(_)));
            assert!(race, "{file} {retries:?}: {found:?}");
        }
    }
}
