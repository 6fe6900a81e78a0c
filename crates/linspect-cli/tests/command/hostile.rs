//! Names that mean something to a shell, a terminal, a compiler or a browser are only names here.

use crate::linspect::{Run, command, repository, run_with};
use std::path::Path;
use std::process::Command;

/// Stems of files.
const NAMES: [&str; 5] = [
    "it's \"a\" `$(touch pwned)`; touch pwned #",
    "two\nlines",
    "-o pwned",
    "red\u{1b}[31m\u{7}, back\u{202e}wards",
    "<img onerror=hostile></script>",
];

fn drives(c: char) -> bool {
    c != '\n' && (c.is_control() || c == '\u{202e}')
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn run_in(folder: &Path, arguments: &[&str]) -> Run {
    let output = command(arguments)
        .current_dir(folder)
        .output()
        .expect("it runs");
    Run {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

/// Tests the object of `sample` under every name, with every output there is, and looks into all of them.
fn every_name(sample: &str, extension: &str, names: &[&str]) {
    let sample = std::fs::read(repository().join(sample)).expect("a sample");
    for name in names {
        let folder = tempfile::tempdir().expect("a folder");
        let file = format!("{name}.{extension}").replace('/', "∕");
        std::fs::write(folder.path().join(&file), &sample).expect("the name is possible");
        let outputs = [
            "--html=a.html",
            "--sarif=a.sarif",
            "--junit=a.xml",
            "--tree=a.dot",
        ];
        let emit = format!("--emit-test=t.{extension}");
        let mut arguments = vec!["test", "--out=out", &emit];
        arguments.extend(outputs);
        arguments.extend(["--", &file]);
        let done = run_in(folder.path(), &arguments);
        assert_eq!(done.code, Some(1), "{name:?}: {done:?}");
        assert!(!done.out.contains(drives), "{done:?}");
        assert!(!done.err.contains(drives), "{done:?}");
        for output in ["a.html", "a.sarif", "a.xml", "a.dot"] {
            let written = std::fs::read_to_string(folder.path().join(output)).expect(output);
            assert!(!written.contains(drives), "{name:?}: {output}");
            let markup = output != "a.dot";
            assert!(
                !markup || !written.contains("<img onerror"),
                "{name:?}: {output}"
            );
        }
        assert!(!folder.path().join("pwned").exists(), "{name:?}");
        assert!(!folder.path().join(format!("pwned.{extension}")).exists());
        replay(folder.path(), &done, name);
        let emitted = folder.path().join(format!("t.{extension}"));
        if emitted.exists() {
            let again = run_in(folder.path(), &["test", text(&emitted), "--out=out"]);
            assert_eq!(again.code, Some(1), "{name:?}: {again:?}");
        } else {
            assert!(
                done.err.contains("no test was written"),
                "{name:?}: {}",
                done.err
            );
        }
    }
}

/// The command that is shown can be given to a shell, if every character of it was shown.
fn replay(folder: &Path, done: &Run, name: &str) {
    if name.contains(|c| drives(c) || c == '\n') {
        return;
    }
    let saved = std::fs::read_dir(folder.join("out"))
        .expect("a folder")
        .flatten();
    let saved = saved
        .map(|e| e.path())
        .find(|p| p.extension().is_some_and(|e| e == "json"));
    let saved = std::fs::read_to_string(saved.expect("a finding")).expect("readable");
    let finding = linspect_report::json::read(&saved).expect("a finding");
    let command = finding.replay.expect("it can be replayed").command;
    let bin = Path::new(env!("CARGO_BIN_EXE_linspect"))
        .parent()
        .expect("a folder");
    let path = std::env::var("PATH").expect("a PATH");
    let output = Command::new("sh")
        .args(["-c", &format!("{command} --out out")])
        .env("PATH", format!("{}:{path}", bin.display()))
        .current_dir(folder)
        .output()
        .expect("a shell starts");
    assert_eq!(
        output.status.code(),
        Some(1),
        "{command}\n{output:?}\n{done:?}"
    );
    assert!(!folder.join("pwned").exists(), "{command}");
}

#[test]
fn names_of_rust_files() {
    // Loading Rust takes longer, and names of crates have a test of their own.
    every_name("examples/rust/flag.rs", "rs", &[NAMES[0], NAMES[3]]);
}

#[test]
fn names_of_c_files() {
    every_name("examples/c/stack.c", "c", &NAMES);
}

/// What a compiler complains about is shown in its own lines.
#[test]
fn complaints_of_compilers_keep_their_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wrong.c");
    std::fs::write(&path, "int main(void) {\n\treturn \u{1b}[31m x;\n}\n").expect("written");
    let done = run_in(folder.path(), &["test", "wrong.c"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.starts_with("error: "), "{}", done.err);
    assert!(done.err.lines().count() > 4, "{}", done.err);
    let mut lines = done.err.lines();
    assert!(
        lines.any(|l| l.trim_start().starts_with("wrong.c:2:")),
        "{}",
        done.err
    );
    assert!(
        !done.err.contains(|c| c != '\t' && drives(c)),
        "{}",
        done.err
    );
}

/// Names and values of a history.
#[test]
fn histories_are_only_text() {
    let hostile = "</script><img onerror=hostile>\\u001b[2J\\u202e\\u0007]]>";
    let history = format!(
        "{{\"process\":0,\"f\":\"write\",\"value\":\"{hostile}\",\"call\":1,\"return\":2}}\n\
         {{\"process\":1,\"f\":\"read\",\"result\":\"{hostile}!\",\"call\":3,\"return\":4}}\n"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let (page, log, suite) = (place("a.html"), place("a.sarif"), place("a.xml"));
    let done = run_with(
        &[
            "check",
            "-",
            "--spec",
            "register",
            "--html",
            text(&page),
            "--sarif",
            text(&log),
            "--junit",
            text(&suite),
        ],
        history.as_bytes(),
    );
    assert_eq!(done.code, Some(1), "{done:?}");
    for shown in [done.out, done.err] {
        assert!(!shown.contains(drives), "{shown:?}");
    }
    for path in [page, log, suite] {
        let written = std::fs::read_to_string(&path).expect("written");
        assert!(!written.contains(drives), "{}", path.display());
        let is_log = path.extension().is_some_and(|e| e == "sarif");
        assert!(
            is_log || !written.contains("<img onerror"),
            "{}",
            path.display()
        );
    }
}
