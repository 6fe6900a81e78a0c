//! `linspect explain` on a program and an object: the lines that matter, what holds between them, who gets in whose way.

use crate::linspect::run;
use serde_json::Value;
use std::path::Path;

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The bank account of the literature: the lost update, in both threads, with what holds.
#[test]
fn a_lost_update_is_explained() {
    let out = tempfile::tempdir().expect("a folder");
    let file = "zoo/c/programs/bankaccount_simple_lock.c";
    let done = run(&["explain", file, "--out", text(out.path())]);
    assert_eq!(done.code, Some(1), "{done:?}");
    for part in [
        "why it fails",
        "int bal = balance;",
        "war: ",
        "lines left out: the failure does not depend on them",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
    assert!(!done.out.contains("make atomic"), "{}", done.out);
    let data = out.path().join("bankaccount_simple_lock.json");
    let data = std::fs::read_to_string(data).expect("written");
    let finding: Value = serde_json::from_str(&data).expect("JSON");
    let why = &finding["explanation"];
    assert_eq!(why["reflects"], true, "{why}");
    let (kept, all) = (why["kept"].as_u64(), why["statements"].as_u64());
    assert!(kept < all && kept > Some(4), "{kept:?} of {all:?}");
}

/// More is taken into account at higher levels, never less.
#[test]
fn levels_grow() {
    let out = tempfile::tempdir().expect("a folder");
    let file = "zoo/c/programs/counter_seq.c";
    let kept = |level: &str| {
        let folder = text(out.path());
        let done = run(&["explain", file, "--level", level, "--json", "--out", folder]);
        assert_eq!(done.code, Some(1), "{done:?}");
        let finding: Value = serde_json::from_str(&done.out).expect("JSON");
        finding["explanation"]["kept"].as_u64().expect("a number")
    };
    let [ds, hs, cs, all] = ["ds", "hs", "cs", "all"].map(kept);
    assert!(
        ds <= hs && hs <= all && ds <= cs && cs <= all,
        "{ds} {hs} {cs} {all}"
    );
    assert!(ds < all);
}

/// Invariants are not broken inside an atom: their spaces are others.
fn breakable(said: &str) -> String {
    said.replace('\u{a0}', " ")
}

/// The explanation of a program; every part must be in it.
fn explained(name: &str, program: &str, parts: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    std::fs::write(&file, program).expect("written");
    let done = run(&["explain", text(&file), "--out", text(folder.path())]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let out = breakable(&done.out);
    for part in parts {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

/// Operations of a plain program: the item that came too late.
#[test]
fn functions_that_are_operations_are_explained() {
    let out = tempfile::tempdir().expect("a folder");
    let file = "examples/programs/queue.c";
    let ops = ["--ops", "enqueue,dequeue", "--spec", "queue"];
    let mut args = vec!["explain", file, "--out", text(out.path())];
    args.extend(ops);
    let done = run(&args);
    assert_eq!(done.code, Some(1), "{done:?}");
    let out = breakable(&done.out);
    for part in [
        "NOT LINEARIZABLE · ",
        "why it fails",
        "*value = q->items[at];",
        "⎡ value = 0 ⎤",
        "war: T1 queue.c:16 overwrites shared.items[0]",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

/// A `main` that panics: the value came too late.
#[test]
fn a_panic_of_main_is_explained() {
    let program = "\
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);
static VALUE: AtomicU32 = AtomicU32::new(0);

fn main() {
    let writer = thread::spawn(|| {
        READY.store(true, SeqCst);
        VALUE.store(42, SeqCst);
    });
    if READY.load(SeqCst) {
        assert_eq!(VALUE.load(SeqCst), 42);
    }
    writer.join().unwrap();
}
";
    let parts = [
        "why it fails",
        "VALUE → 0",
        "VALUE.store(42",
        "war: T1 once.rs:10 overwrites VALUE after main once.rs:13 has read it",
    ];
    explained("once.rs", program, &parts);
}

/// A thread that panics, and a `main` that passes it on: the thread is what is explained.
#[test]
fn the_panic_of_a_joined_thread_is_explained() {
    let program = "\
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};
use std::thread;

fn main() {
    let level = Arc::new(AtomicI32::new(3));
    let take = |level: Arc<AtomicI32>| {
        move || {
            if level.load(SeqCst) >= 2 {
                let left = level.fetch_sub(2, SeqCst) - 2;
                assert!(left >= 0, \"overdrawn\");
            }
        }
    };
    let other = thread::spawn(take(Arc::clone(&level)));
    let one = thread::spawn(take(level));
    one.join().unwrap();
    other.join().unwrap();
}
";
    let parts = ["Panicked: overdrawn", "why it fails", "level.fetch_sub(2"];
    explained("overdrawn.rs", program, &parts);
}
