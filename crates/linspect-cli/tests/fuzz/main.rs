//! Inputs that nobody would write: good ones, damaged at random. Every reader must answer, with a value or an error, and never crash.
//!
//! Each target runs for 8 seconds in `./test` and for ten minutes in `./test --long`. What was found here has a test of its own
//! beside the code that was mended.

mod damage;
mod inputs;
mod seal;
mod survive;

use linspect_core::check::{Alone, check};
use linspect_core::spec::Builtin;
use linspect_core::verdict::{Criterion, Limit};
use linspect_engine::Token;
use linspect_format::{Format, NilRead};
use linspect_report::{html, json, junit, sarif, terminal};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};
use survive::{Outcome, survive};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the command; it must end by itself, with one of its exit codes, in little memory.
fn command(arguments: &[&str], input: &Path) -> Outcome {
    // The system takes no longer words.
    if arguments.iter().any(|a| a.len() > 100_000) {
        return Outcome::Refused;
    }
    let done = Command::new("prlimit")
        .args(["--as=4000000000", env!("CARGO_BIN_EXE_linspect")])
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
    Outcome::of(done.status.code() != Some(2))
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
    let seeds = inputs::files(extension);
    survive(share, &seeds, inputs::HISTORY, &|bytes| {
        let read = [Some(format), None].map(|format| {
            let recorded = linspect_format::read(bytes, format, NilRead::Unknown);
            if let Ok(recorded) = &recorded
                && recorded.history.operations.len() < 50
            {
                decide(&recorded.history);
            }
            recorded.is_ok()
        });
        Outcome::of(read[0])
    });
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
    history(2, "txt", Format::Kv);
}

/// A finding that is read can be rendered by everything that renders, and what it says stays text.
#[test]
fn findings() {
    survive(1, &inputs::findings(), inputs::JSON, &|bytes| {
        let Ok(finding) = json::read(&String::from_utf8_lossy(bytes)) else {
            return Outcome::Refused;
        };
        for width in [1, 40, 80, 200] {
            let options = terminal::Options {
                width,
                ..terminal::Options::default()
            };
            let text = terminal::render(&finding, &options);
            assert!(!text.contains(drives_terminals), "{text:?}");
        }
        let page = html::render(&finding);
        assert!(!page.contains(inputs::HOSTILE), "{page}");
        let all = std::slice::from_ref(&finding);
        let log: serde_json::Value = serde_json::from_str(&sarif::write(all)).expect("JSON");
        assert_eq!(log["version"], "2.1.0");
        let case = junit::TestCase {
            finding: &finding,
            took: None,
        };
        junit_parser::from_reader(junit::write(&[case]).as_bytes()).expect("JUnit XML");
        let again = json::read(&json::write(&finding)).expect("what was written is read");
        assert_eq!(again, finding);
        Outcome::Read
    });
}

/// Control characters, and those that turn the direction of text.
fn drives_terminals(c: char) -> bool {
    c != '\n' && c.is_control()
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// Tokens as they might be copied wrongly, and tokens with the right check sum that nobody made.
#[test]
fn tokens() {
    let written: Vec<Vec<u8>> = inputs::tokens()
        .iter()
        .map(|t| t.clone().into_bytes())
        .collect();
    let read = |text: &str| {
        let Ok(token) = Token::from_str(text) else {
            return Outcome::Refused;
        };
        assert_eq!(token.to_string().parse(), Ok(token));
        Outcome::Read
    };
    survive(4, &written, inputs::TOKEN, &|bytes| {
        read(&String::from_utf8_lossy(bytes))
    });
    let payloads: Vec<Vec<u8>> = inputs::tokens().iter().map(|t| seal::open(t)).collect();
    survive(4, &payloads, &[], &|bytes| read(&seal::seal(bytes)));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let module = folder.path().join("harness.ll");
    std::fs::write(&module, inputs::harness()).expect("the file can be written");
    survive(2, &payloads, &[], &|bytes| {
        command(&["replay", &seal::seal(bytes)], &module)
    });
}

/// Bitcode and LLVM text that no compiler wrote, through the whole command: LLVM itself may crash, but not Linspect.
#[test]
fn modules() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (kind, dictionary) in [("bc", &[][..]), ("ll", inputs::LLVM)] {
        let path = folder.path().join(format!("module.{kind}"));
        let seeds = inputs::modules(kind);
        survive(2, &seeds, dictionary, &|bytes| {
            std::fs::write(&path, bytes).expect("the file can be written");
            command(&["run", "--steps", "1000"], &path)
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
        command(&["test", "--budget=100ms", "--json", &client], &module)
    });
    let damaged = folder.path().join("damaged.ll");
    survive(2, &[inputs::harness()], inputs::SETTINGS, &|bytes| {
        std::fs::write(&damaged, bytes).expect("the file can be written");
        command(&["test", "--budget=100ms", "--json"], &damaged)
    });
}
