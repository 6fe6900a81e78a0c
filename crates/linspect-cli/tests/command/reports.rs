//! A finding that was saved is shown again with the bytes of the original run; signals end a test with what is known.

use crate::linspect::{command, repository, run};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command};

const FLAG: &str = "examples/rust/flag.rs";

#[test]
fn a_saved_finding_is_rendered_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let original = run(&[
        "test",
        FLAG,
        "--html",
        &file("a.html"),
        "--sarif",
        &file("a.sarif"),
        "--junit",
        &file("a.xml"),
        "--out",
        &file("out"),
    ]);
    assert_eq!(original.code, Some(1), "{original:?}");
    let saved = file("out/flag.json");
    let again = run(&[
        "report",
        &saved,
        "--html",
        &file("b.html"),
        "--sarif",
        &file("b.sarif"),
        "--junit",
        &file("b.xml"),
    ]);
    assert_eq!(again.code, Some(1), "{again:?}");
    // Who shows a saved finding again has written neither its page nor its data, which the original names.
    let is_told = |line: &&str| !line.starts_with("  page") && !line.starts_with("  replay");
    let told = |out: &str| -> Vec<String> {
        let lines = out.lines().filter(is_told);
        lines.map(str::to_owned).collect()
    };
    assert_eq!(told(&again.out), told(&original.out));
    let read = |name: &str| std::fs::read_to_string(file(name)).unwrap();
    for (a, b) in [("a.html", "b.html"), ("a.sarif", "b.sarif")] {
        let (a, b) = (read(a), read(b));
        assert!(!a.is_empty() && a == b);
    }
    // Only who ran it knows how long that took.
    let untimed = |xml: &str| -> String {
        let mut parts = xml.split(" time=\"");
        let first = parts.next().unwrap_or_default().to_owned();
        let rest = parts.map(|part| part.split_once('"').expect("a time ends").1);
        rest.fold(first, |text, part| text + part)
    };
    let (a, b) = (read("a.xml"), read("b.xml"));
    assert!(
        a.contains(" time=\"") && !b.contains(" time=\""),
        "{a}\n{b}"
    );
    assert!(
        a.contains("<testcase classname=\"flag\" name=\"examples/rust/flag.rs\""),
        "{a}"
    );
    assert_eq!(untimed(&a), untimed(&b));
    let json = run(&["report", &saved, "--json"]);
    assert_eq!(json.out, std::fs::read_to_string(&saved).unwrap());
    let printed = run(&["test", FLAG, "--json"]);
    assert_eq!(printed.out, json.out);
    assert_eq!(printed.err, "");
}

#[test]
fn what_is_no_finding_is_refused() {
    for (path, part) in [
        ("absent.json", "absent.json: "),
        ("Cargo.toml", "not a Linspect finding"),
        ("docs/finding.schema.json", "not a Linspect finding"),
    ] {
        let done = run(&["report", path]);
        assert_eq!(done.code, Some(2), "{path}: {done:?}");
        assert!(done.err.contains(part), "{path}: {}", done.err);
        assert!(done.err.contains("help:"), "{path}: {}", done.err);
    }
}

#[test]
fn histories_are_written_for_machines_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let histories = ["crates/linspect-cli/src/command/demo.jsonl"; 2];
    let (sarif, junit) = (file("all.sarif"), file("all.xml"));
    let mut arguments = vec!["check"];
    arguments.extend(histories);
    arguments.extend(["--sarif", &sarif, "--junit", &junit]);
    let done = run(&arguments);
    assert_eq!(done.code, Some(1), "{done:?}");
    let log: Value = serde_json::from_slice(&std::fs::read(sarif).unwrap()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 2);
    let suite = std::fs::read_to_string(junit).unwrap();
    assert_eq!(suite.matches("<testcase").count(), 2, "{suite}");
    assert_eq!(suite.matches(" time=\"").count(), 4, "{suite}");
}

/// GitHub shows histories, too: one annotation each, and a part of the step's summary.
#[test]
fn histories_are_announced_on_github() {
    let folder = tempfile::tempdir().unwrap();
    let summary = folder.path().join("summary.md");
    let demo = "crates/linspect-cli/src/command/demo.jsonl";
    let mut checked = command(&["check", demo, "corpus/histories/pass/counter.jsonl", demo]);
    checked.env("GITHUB_ACTIONS", "true");
    checked.env("GITHUB_STEP_SUMMARY", &summary);
    let done = checked.output().unwrap();
    let err = String::from_utf8(done.stderr).unwrap();
    let said: Vec<&str> = err.lines().filter(|l| l.starts_with("::error ")).collect();
    assert_eq!(said.len(), 2, "{err}");
    let annotation = "::error file=crates/linspect-cli/src/command/demo.jsonl,title=NOT LINEARIZABLE · demo.jsonl%2C as a queue::2 was enqueued before 3, but dequeued after it.";
    assert_eq!(said[0], annotation);
    let summary = std::fs::read_to_string(summary).unwrap();
    assert_eq!(summary.matches("### ").count(), 3, "{summary}");
    // Elsewhere nobody is told.
    let quiet = run(&["check", demo]);
    assert!(!quiet.err.contains("::error"), "{}", quiet.err);
}

/// An object that takes longer than anybody waits: signals end its test with a finding that says so.
#[test]
fn a_signal_ends_a_test_with_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.c");
    let source = "
        #include <linspect.h>
        #include <stdatomic.h>
        static atomic_int x;
        static int turn(void) { int n = 0; for (int i = 0; i < 40; i++) n += atomic_fetch_add(&x, 1); return n; }
        LINSPECT_SETUP { x = 0; }
        LINSPECT_OP(turn, turn())";
    std::fs::write(&path, source).unwrap();
    let arguments = ["test", path.to_str().unwrap(), "--budget", "none", "--json"];
    // `--json` says nothing before the end, so a second test that does tells when to send the signals.
    let mut loud = command(&arguments[..4]).spawn().unwrap();
    let silent = command(&arguments).spawn().unwrap();
    let mut lines = BufReader::new(loud.stderr.take().unwrap()).lines();
    let said = lines.find(|line| line.as_ref().unwrap().contains("executions"));
    let said = said.unwrap().unwrap();
    assert!(said.contains("Ctrl-C ends with what is known"), "{said}");
    send("INT", &loud);
    send("TERM", &silent);
    drop(lines);
    let loud = loud.wait_with_output().unwrap();
    assert_eq!(loud.status.code(), Some(3), "{loud:?}");
    let out = String::from_utf8(loud.stdout).unwrap();
    assert!(out.starts_with("? UNDECIDED WHETHER LINEARIZABLE"), "{out}");

    let silent = silent.wait_with_output().unwrap();
    assert_eq!(silent.status.code(), Some(3), "{silent:?}");
    assert_eq!(silent.stderr, b"");
    let finding: Value = serde_json::from_slice(&silent.stdout).unwrap();
    let schema = repository().join("docs/finding.schema.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(schema).unwrap()).unwrap();
    assert!(
        jsonschema::validator_for(&schema)
            .unwrap()
            .is_valid(&finding)
    );
    assert_eq!(finding["verdict"]["answer"], "unknown", "{finding}");
    let reason = finding["verdict"]["reason"].as_str().unwrap();
    assert!(reason.contains("interrupted"), "{reason}");
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &id]).status();
    assert!(sent.unwrap().success());
}

#[test]
fn the_command_line_describes_itself() {
    for (shell, part) in [
        ("bash", "complete -F _linspect"),
        ("zsh", "#compdef linspect"),
        ("fish", "complete -c linspect"),
        ("elvish", "linspect"),
        ("powershell", "linspect"),
    ] {
        let done = run(&["completions", shell]);
        assert_eq!(done.code, Some(0), "{shell}: {done:?}");
        assert!(done.out.contains(part), "{shell}: {}", done.out);
    }
    let page = run(&["man"]);
    assert!(page.out.contains(".TH linspect 1"), "{}", page.out);
    assert!(page.out.contains("linspect demo"), "{}", page.out);
    let page = run(&["man", "test"]);
    assert!(page.out.contains("\\-\\-functions"), "{}", page.out);
    assert_eq!(run(&["man", "unicorn"]).code, Some(2));
    for command in ["test", "check", "report", "replay"] {
        let help = run(&["help", command]);
        assert_eq!(help.code, Some(0), "{command}");
        assert!(help.out.contains("Exit codes:"), "{command}: {}", help.out);
    }
}
