//! Suites of loom run as they are: `cargo linspect` compiles Linspect's own crate where a package asks for loom.

use crate::cargo::{cargo_linspect, lines, write};
use std::process::Command;

/// What stands for loom: if it were compiled, nothing would be.
const NOT_COMPILED: &str = "compile_error!(\"loom itself is compiled\");";

const SUITE: &str = r#"
#![cfg(loom)]
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use loom::sync::{Arc, Notify};
use loom::thread;

struct Message {
    ready: AtomicBool,
    value: UnsafeCell<u32>,
}

unsafe impl Sync for Message {}

fn send(publish: Ordering) {
    loom::model(move || {
        let message = Arc::new(Message {
            ready: AtomicBool::new(false),
            value: UnsafeCell::new(0),
        });
        let sender = message.clone();
        thread::spawn(move || {
            sender.value.with_mut(|value| unsafe { *value = 1 });
            sender.ready.store(true, publish);
        });
        if message.ready.load(Ordering::Acquire) {
            assert_eq!(message.value.with(|value| unsafe { *value }), 1);
        }
    });
}

#[test]
fn released() {
    send(Ordering::Release);
}

#[test]
fn relaxed() {
    send(Ordering::Relaxed);
}

#[test]
fn counted_in_two_steps() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(|| {
        let count = Arc::new(AtomicUsize::new(0));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let count = count.clone();
                thread::spawn(move || {
                    let old = count.load(Ordering::SeqCst);
                    count.store(old + 1, Ordering::SeqCst);
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(unsafe { count.unsync_load() }, 2);
    });
}

#[test]
fn nobody_joins_the_one_that_panics() {
    loom::model(|| {
        thread::spawn(|| panic!("nobody sees this"));
    });
}

#[test]
fn told() {
    loom::model(|| {
        let notify = Arc::new(Notify::new());
        let other = notify.clone();
        let thread = thread::spawn(move || other.notify());
        notify.wait();
        thread.join().unwrap();
    });
}

#[test]
fn never_told() {
    loom::model(|| {
        let notify = Notify::new();
        let thread = thread::spawn(|| ());
        notify.wait();
        thread.join().unwrap();
    });
}
"#;

#[test]
fn a_suite_runs_unchanged() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let manifest = "[package]\nname = \"messages\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
                    [target.'cfg(loom)'.dependencies]\nloom = { path = \"loom\" }\n\n[workspace]\n";
    write(folder.path(), "Cargo.toml", manifest);
    let loom = "[package]\nname = \"loom\"\nversion = \"0.7.2\"\nedition = \"2018\"\n";
    write(folder.path(), "loom/Cargo.toml", loom);
    write(folder.path(), "loom/src/lib.rs", NOT_COMPILED);
    write(folder.path(), "src/lib.rs", "");
    write(folder.path(), "tests/loom.rs", SUITE);

    // Without the flag the suite is empty.
    let run = cargo_linspect(folder.path(), &[]);
    assert_eq!(run.code, Some(4), "{run:?}");

    let run = Command::new(env!("CARGO_BIN_EXE_cargo-linspect"))
        .args(["linspect", "--quiet"])
        .current_dir(folder.path())
        .env("RUSTFLAGS", "--cfg loom")
        .env("COLUMNS", "400")
        .output()
        .expect("the command starts");
    let run = crate::linspect::Run {
        code: run.status.code(),
        out: String::from_utf8(run.stdout).expect("output is UTF-8"),
        err: String::from_utf8(run.stderr).expect("output is UTF-8"),
    };
    let said = lines(&run);
    let expected = [
        "FAIL messages::loom counted_in_two_steps · ASSERTION FAILED",
        "FAIL messages::loom never_told · DEADLOCK",
        "FAIL messages::loom nobody_joins_the_one_that_panics · PANIC",
        "FAIL messages::loom relaxed · DATA RACE",
        "PASS messages::loom released ·",
        "PASS messages::loom told ·",
    ];
    assert_eq!(said.len(), expected.len(), "{said:?}\n{}", run.err);
    for (line, start) in said.iter().zip(expected) {
        assert!(line.starts_with(start), "{line:?} is not {start:?}");
    }
    assert_eq!(run.code, Some(100));
}
