//! What the command does with good input.

use crate::linspect::{repository, run, run_with};
use serde_json::Value;

fn corpus(file: &str) -> String {
    format!("corpus/histories/{file}")
}

#[test]
fn standard_input_is_a_file() {
    let history = std::fs::read(repository().join(corpus("fail/stack.jsonl"))).unwrap();
    let done = run_with(&["check", "-"], &history);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(
        done.out
            .starts_with("✗ NOT LINEARIZABLE · standard input, as a stack"),
        "{}",
        done.out
    );
    assert!(!done.out.contains('\u{1b}'), "no colours in a pipe");
}

#[test]
fn what_is_assumed_is_said() {
    let done = run(&["check", &corpus("pass/queue-open.edn")]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(
        done.err.ends_with(
            "queue-open.edn: assuming queue, as its methods suggest; choose another with --spec\n"
        ),
        "{}",
        done.err
    );
    let done = run(&["check", &corpus("pass/queue-open.edn"), "--spec", "queue"]);
    assert_eq!((done.code, &*done.err), (Some(0), ""));
}

#[test]
fn many_files_make_a_table_and_one_exit_code() {
    let missing = "/no/such/file";
    let (pass, fail) = (corpus("pass/queue.jsonl"), corpus("fail/kv-log.txt"));
    let words = |done: &crate::linspect::Run| -> Vec<String> {
        let lines = done.out.lines();
        lines
            .map(|l| l.split_whitespace().nth(1).unwrap_or_default().to_owned())
            .collect()
    };
    let done = run(&["check", &pass, &fail, missing]);
    assert_eq!(
        words(&done)[..3],
        ["holds", "VIOLATED", "ERROR"],
        "{}",
        done.out
    );
    assert!(
        done.out
            .ends_with("3 histories: 1 hold, 1 violated, 0 undecided, 1 not checked\n"),
        "{}",
        done.out
    );
    assert!(done.err.contains("error: /no/such/file: "), "{}", done.err);
    assert_eq!(done.code, Some(2));
    assert_eq!(run(&["check", &pass, &fail]).code, Some(1));
    assert_eq!(run(&["check", &pass, &pass]).code, Some(0));
    let done = run(&["check", &pass, &fail, "--details"]);
    assert!(
        done.out.contains("✓ LINEARIZABLE (queue)")
            && done
                .out
                .contains("✗ NOT LINEARIZABLE · kv-log.txt, as a map"),
        "{}",
        done.out
    );
}

#[test]
fn findings_are_json() {
    let (pass, fail) = (corpus("pass/queue.jsonl"), corpus("fail/kv-log.txt"));
    let done = run(&["check", &pass, &fail, "/no/such/file", "--json"]);
    let findings: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(findings[0]["verdict"]["answer"], "holds");
    assert_eq!(findings[1]["verdict"]["answer"], "violated");
    assert_eq!(
        findings[2]["error"]["message"],
        "/no/such/file: No such file or directory (os error 2)"
    );
    assert_eq!(done.code, Some(2));
    let one: Value = serde_json::from_str(&run(&["check", &pass, "--json"]).out).unwrap();
    assert_eq!(one, findings[0]);
}

#[test]
fn pages_of_many_files_go_to_a_folder() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().join("pages");
    let done = run(&[
        "check",
        &corpus("pass/queue.jsonl"),
        &corpus("fail/queue.jsonl"),
        "--html",
        folder.to_str().unwrap(),
    ]);
    assert_eq!(done.code, Some(1));
    let mut pages: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    assert_eq!(pages, ["queue-2.html", "queue.html"]);
}

#[test]
fn a_limit_makes_it_inconclusive() {
    // Limits hold for reading, too, and for deciders that ask nobody.
    for spec in ["cas-register", "register"] {
        let made = run(&["generate", spec, "--ops", "5000", "--clients", "8"]);
        let check = |limit: &[&str]| {
            let arguments = [&["check", "-"], limit].concat();
            run_with(&arguments, made.out.as_bytes())
        };
        let done = check(&["--timeout", "0s"]);
        assert_eq!(done.code, Some(3), "{done:?}");
        assert!(
            done.err.contains("the time limit was reached"),
            "{}",
            done.err
        );
        let done = check(&["--memory", "0"]);
        assert_eq!(done.code, Some(3), "{done:?}");
        assert!(
            done.err.contains("the memory limit was reached"),
            "{}",
            done.err
        );
        assert_eq!(check(&["--timeout", "none"]).code, Some(0));
    }
}

#[test]
fn weaker_criteria_pass_more() {
    let file = corpus("fail/queue.jsonl");
    let done = run(&["check", &file, "--min-k"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(
        done.out
            .contains("smallest k: 1, with less it does not hold"),
        "{}",
        done.out
    );
    assert_eq!(run(&["check", &file, "--relax", "0"]).code, Some(1));
    assert_eq!(run(&["check", &file, "--relax", "1"]).code, Some(0));
    let never = run(&["check", &corpus("fail/queue-empty.edn"), "--min-k"]);
    assert_eq!(never.code, Some(1), "{never:?}");
    assert!(never.out.contains("smallest k: none"), "{}", never.out);
    let table = run(&["check", &file, &corpus("pass/queue.jsonl"), "--min-k"]);
    assert!(
        table.out.contains("smallest k: 1") && table.out.contains("smallest k: 0"),
        "{}",
        table.out
    );
    // The reader may be behind, but not go back.
    let stale = corpus("fail/register-stale.jsonl");
    assert_eq!(
        run(&["check", &stale, "--criterion", "sequential"]).code,
        Some(0)
    );
    let back = corpus("fail/register-back.jsonl");
    assert_eq!(
        run(&["check", &back, "--criterion", "sequential"]).code,
        Some(1)
    );
    assert_eq!(
        run(&["check", &stale, "--criterion", "quiescent"]).code,
        Some(1)
    );
}

#[test]
fn an_initial_value_can_be_given() {
    let read = "{:process 0 :type :invoke :f :read :value nil}{:process 0 :type :ok :f :read :value 0}\
                {:process 0 :type :invoke :f :write :value 1}{:process 0 :type :ok :f :write :value 1}";
    assert_eq!(run_with(&["check", "-"], read.as_bytes()).code, Some(1));
    assert_eq!(
        run_with(&["check", "-", "--initial", "0"], read.as_bytes()).code,
        Some(0)
    );
    let nil = read.replace(":value 0", ":value nil");
    assert_eq!(
        run_with(&["check", "-", "--initial", "0"], nil.as_bytes()).code,
        Some(0)
    );
    assert_eq!(
        run_with(&["check", "-", "--initial", "nil"], nil.as_bytes()).code,
        Some(0)
    );
}

#[test]
fn what_a_file_says_about_its_object_holds_under_any_name() {
    let header = "{\"linspect\":1,\"initial\":0}\n{\"process\":0,\"f\":\"read\",\"result\":0,\"call\":1,\"return\":2}\n\
                  {\"process\":0,\"f\":\"write\",\"value\":1,\"call\":3,\"return\":4}\n";
    assert_eq!(run_with(&["check", "-"], header.as_bytes()).code, Some(0));
    assert_eq!(
        run_with(&["check", "-", "--spec", "cas-register"], header.as_bytes()).code,
        Some(0)
    );
    assert_eq!(
        run_with(&["check", "-", "--initial", "5"], header.as_bytes()).code,
        Some(1)
    );
    // A missing key of a key-value log holds the empty text, whatever the map is called.
    assert_eq!(
        run(&["check", &corpus("pass/kv-log.txt"), "--spec", "map"]).code,
        Some(0)
    );
}

#[test]
fn colours_are_used_when_asked_for() {
    let file = corpus("fail/queue.jsonl");
    let done = run(&["check", &file, "--color", "always"]);
    assert!(done.out.contains('\u{1b}'));
    let mut command = crate::linspect::command(&["check", &file]);
    let output = command
        .env("NO_COLOR", "1")
        .env("COLUMNS", "60")
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(!out.contains('\u{1b}'));
    assert!(out.lines().all(|line| line.chars().count() <= 60), "{out}");
}

#[test]
fn what_is_generated_is_decided() {
    for spec in [
        "register",
        "queue",
        "stack",
        "set",
        "kv",
        "priority-queue",
        "mutex",
    ] {
        for format in ["jsonl", "edn"] {
            let made = run(&[
                "generate",
                spec,
                "--ops",
                "300",
                "--clients",
                "3",
                "--seed",
                "5",
                "--format",
                format,
            ]);
            assert_eq!(made.code, Some(0), "{spec} {}", made.err);
            let done = run_with(&["check", "-", "--spec", spec], made.out.as_bytes());
            assert_eq!(done.code, Some(0), "{spec} {format} {done:?}");
        }
        let again = |seed: &str| run(&["generate", spec, "--ops", "50", "--seed", seed]).out;
        assert_eq!(again("1"), again("1"));
        assert_ne!(again("1"), again("2"));
    }
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("bad.jsonl");
    let file = file.to_str().unwrap();
    let made = run(&[
        "generate", "queue", "--ops", "2000", "--fault", "lost", "--seed", "3", "--out", file,
    ]);
    assert_eq!((made.code, &*made.out), (Some(0), ""));
    let done = run(&["check", file, "--timings"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.err.contains("decided them in"), "{}", done.err);
}

#[test]
fn help_has_examples_and_versions_are_told() {
    let help = run(&["help", "check"]);
    assert_eq!(help.code, Some(0));
    assert!(
        help.out.contains("Examples:") && help.out.contains("Exit codes:"),
        "{}",
        help.out
    );
    let version = run(&["--version"]);
    assert_eq!(
        version.out,
        concat!("linspect ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

/// Somebody who reads only the first line is no reason to fail.
#[test]
fn a_closed_output_is_no_failure() {
    let mut child = crate::linspect::command(&["generate", "queue", "--ops", "20000"])
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_it_as_inconclusive() {
    let mut child = crate::linspect::command(&["check", "-"]).spawn().unwrap();
    let stdin = child.stdin.take();
    let status = format!("/proc/{}/status", child.id());
    // Once the signal is caught, it is safe to send it.
    let catches = || {
        let status = std::fs::read_to_string(&status).unwrap();
        let mask = status
            .lines()
            .find_map(|l| l.strip_prefix("SigCgt:\t"))
            .unwrap();
        u64::from_str_radix(mask, 16).unwrap() & (1 << 1) != 0
    };
    while !catches() {
        std::thread::yield_now();
    }
    let id = child.id().to_string();
    let kill = std::process::Command::new("kill")
        .args(["-INT", &id])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}
