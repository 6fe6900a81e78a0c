//! Inputs that nobody would write: good ones, damaged at random. Every reader must answer, with a value or an error, and never crash.
//!
//! Each target runs for 10 seconds in `./test` and for ten minutes in `./test --long`. What was found here has a test of its own
//! beside the code that was mended.

mod damage;
mod inputs;

use damage::survive;
use linspect_core::check::{Alone, check};
use linspect_core::spec::Builtin;
use linspect_core::verdict::{Criterion, Limit};
use linspect_explore::token::Token;
use linspect_format::{Format, NilRead};
use linspect_report::{html, json, junit, sarif, terminal};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the command; it must end by itself, with one of its exit codes.
fn command(arguments: &[&str], input: &Path) {
    let done = Command::new(env!("CARGO_BIN_EXE_linspect"))
        .args(arguments)
        .arg(input)
        .current_dir(repository())
        .stdin(Stdio::null())
        .output()
        .expect("the command starts");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(
        matches!(done.status.code(), Some(0..=3)),
        "{:?}\n{said}",
        done.status
    );
    assert!(!said.contains("panicked"), "{said}");
}

/// Decides a history that was read, but not for long.
fn decide(history: &linspect_core::history::History) {
    for name in ["register", "queue", "kv", "counter", "set"] {
        let spec = Builtin::named(name).expect("a built-in specification");
        let asked = AtomicU32::new(0);
        let budget = |_: usize| {
            let asked = asked.fetch_add(1, Ordering::Relaxed);
            (asked > 50).then_some(Limit::Time)
        };
        // A history that does not fit is an error, and that is an answer.
        let _ = check(history, &spec, Criterion::Linearizable, &Alone, &budget);
    }
}

fn history(share: u32, extension: &str, format: Format) {
    survive(
        share,
        &inputs::files(extension),
        inputs::HISTORY,
        &|bytes| {
            for format in [Some(format), None] {
                if let Ok(recorded) = linspect_format::read(bytes, format, NilRead::Unknown)
                    && recorded.history.operations.len() < 50
                {
                    decide(&recorded.history);
                }
            }
        },
    );
}

#[test]
fn json_lines() {
    history(1, "jsonl", Format::JsonLines);
}

#[test]
fn edn() {
    history(1, "edn", Format::Edn);
}

#[test]
fn logs() {
    history(2, "log", Format::Etcd);
    history(2, "log", Format::Kv);
}

/// A finding that is read can be rendered by everything that renders.
#[test]
fn findings() {
    survive(1, &inputs::findings(), inputs::JSON, &|bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(finding) = json::read(&text) {
            for width in [40, 80, 200] {
                let options = terminal::Options {
                    width,
                    ..terminal::Options::default()
                };
                let _ = terminal::render(&finding, &options);
            }
            let _ = html::render(&finding);
            let all = std::slice::from_ref(&finding);
            let (_, _) = (sarif::write(all), junit::write(all));
            let again = json::read(&json::write(&finding)).expect("what was written is read");
            assert_eq!(again, finding);
        }
    });
}

#[test]
fn tokens() {
    survive(1, &inputs::tokens(), inputs::TOKEN, &|bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(token) = Token::from_str(&text) {
            assert_eq!(token.to_string().parse(), Ok(token));
        }
    });
}

/// Bitcode and LLVM text that no compiler wrote, through the whole command: LLVM itself may crash, but not Linspect.
#[test]
fn modules() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (kind, dictionary) in [("bc", &[][..]), ("ll", inputs::LLVM)] {
        let path = folder.path().join(format!("module.{kind}"));
        survive(2, &[inputs::module(kind)], dictionary, &|bytes| {
            std::fs::write(&path, bytes).expect("the file can be written");
            command(&["run", "--steps", "1000"], &path);
        });
    }
}

/// Declarations of a harness and clients on the command line.
#[test]
fn harnesses() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let module = folder.path().join("harness.ll");
    std::fs::write(&module, inputs::harness()).expect("the file can be written");
    survive(2, &inputs::clients(), inputs::CLIENT, &|bytes| {
        let client = String::from_utf8_lossy(bytes).replace('\0', "0");
        let client = format!("--client={client}");
        command(&["test", "--budget=100ms", "--json", &client], &module);
    });
    let damaged = folder.path().join("damaged.ll");
    survive(2, &[inputs::harness()], inputs::SETTINGS, &|bytes| {
        std::fs::write(&damaged, bytes).expect("the file can be written");
        command(&["test", "--budget=100ms", "--json"], &damaged);
    });
}
