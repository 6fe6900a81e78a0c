//! Waits that end though nobody ended them. The first line of each file of `corpus/spurious` says what `linspect test` has to say of it: who waits with `if` fails, who looks at
//! the condition again holds, and the verdict names what was explored.

use crate::linspect::{Run, repository, run};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const FOLDER: &str = "corpus/spurious";

/// What the steps of a failing run say.
const WAKES: &str = "wakes though nobody woke it (a condition may)";

/// Whether `text` says `words`, however it is broken into lines.
fn says(text: &str, words: &str) -> bool {
    let words: Vec<&str> = words.split_whitespace().collect();
    let text: Vec<&str> = text.split_whitespace().collect();
    text.join(" ").contains(&words.join(" "))
}

fn test(file: &str, options: &[&str]) -> Run {
    let out = tempfile::tempdir().expect("a folder");
    let out = out.path().to_str().expect("its name is text");
    let mut arguments = vec!["test", file, "--out", out];
    arguments.extend(options);
    run(&arguments)
}

/// The files whose names end so, and what their first line says.
fn files(extension: &str) -> Vec<(String, String)> {
    let files = std::fs::read_dir(repository().join(FOLDER)).expect("the corpus");
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == extension));
    files.sort();
    let expected = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).expect("a file of the corpus");
        let verdict = text
            .lines()
            .next()?
            .strip_prefix("// verdict: ")?
            .to_owned();
        let name = file.file_name()?.to_str()?;
        Some((format!("{FOLDER}/{name}"), verdict))
    };
    files.into_iter().filter_map(expected).collect()
}

fn judge_all(extension: &str, right: usize, wrong: usize) {
    let files = files(extension);
    let holds = files
        .iter()
        .filter(|(_, verdict)| verdict.starts_with("holds"));
    assert_eq!((holds.count(), files.len()), (right, right + wrong));
    for (file, verdict) in files {
        // Time for the smallest clients, and some more.
        let done = test(&file, &["--budget", "6s"]);
        match verdict.as_str() {
            "holds" => {
                assert_eq!(done.code, Some(0), "{file}: {done:?}");
                assert!(says(&done.out, "; spurious wake-ups"), "{file}: {done:?}");
                assert!(
                    says(&done.out, "one spurious wake-up or delay per thread"),
                    "{file}: {done:?}"
                );
            }
            "holds, and nobody sleeps at a condition" => {
                assert_eq!(done.code, Some(0), "{file}: {done:?}");
                assert!(!says(&done.out, "spurious wake-up"), "{file}: {done:?}");
            }
            fault => {
                assert_eq!(done.code, Some(1), "{file}: {done:?}");
                assert!(
                    done.out.starts_with(&format!("✗ {fault}")),
                    "{file}: {done:?}"
                );
                assert!(says(&done.out, WAKES), "{file}: {done:?}");
                let hint = "wait in a loop that looks at the condition again";
                assert!(says(&done.out, hint), "{file}: {done:?}");
                let note = "only a spurious wake-up or a delay allows this";
                let all = format!("{}{}", done.out, done.err);
                assert!(says(&all, note), "{file}: {done:?}");
            }
        }
    }
}

#[test]
fn programs_in_c_get_their_verdicts() {
    judge_all("c", 2, 2);
}

#[test]
fn programs_in_cpp_get_their_verdicts() {
    judge_all("cpp", 1, 1);
}

#[test]
fn programs_in_rust_get_their_verdicts() {
    judge_all("rs", 3, 3);
}

/// What was found is seen again by its token alone, and made smaller, without a word on wake-ups.
#[test]
fn what_is_found_is_seen_again() {
    for file in ["gate_if.c", "gate_if.cpp", "park_if.rs"] {
        let out = tempfile::tempdir().expect("a folder");
        let folder = out.path().to_str().expect("its name is text");
        let file = format!("{FOLDER}/{file}");
        let done = run(&["test", &file, "--out", folder]);
        let stem = Path::new(&file).file_stem().expect("a name");
        let finding = out.path().join(stem).with_extension("json");
        let text = std::fs::read_to_string(&finding).unwrap_or_else(|e| panic!("{e}: {done:?}"));
        let found: serde_json::Value = serde_json::from_str(&text).expect("a finding");
        let token = found["replay"]["token"].as_str().expect("a token");
        let finding = finding.to_str().expect("its name is text");
        for again in [
            run(&["replay", token, &file]),
            run(&["replay", finding]),
            run(&["minimise", finding, "--out", folder]),
        ] {
            assert_eq!(again.code, Some(1), "{file}: {again:?}");
            assert!(says(&again.out, WAKES), "{file}: {again:?}");
        }
    }
}

/// `--spurious` explores every client so; what is not explored so is said.
#[test]
fn the_verdict_says_what_was_explored() {
    let file = format!("{FOLDER}/gate_while.c");
    let done = test(&file, &["--spurious", "--max-operations", "2"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(
        says(&done.out, "one spurious wake-up or delay per thread"),
        "{done:?}"
    );
    assert!(!says(&done.out, "; spurious wake-ups"), "{done:?}");
    let done = test(&format!("{FOLDER}/gate_if.c"), &["--spurious"]);
    assert_eq!(done.code, Some(1), "{done:?}");

    let client = test(&file, &["--client", "open | pass"]);
    assert!(
        says(&client.out, "; spurious wake-ups: exhausted"),
        "{client:?}"
    );
    let wrong = test(&format!("{FOLDER}/gate_if.c"), &["--client", "open | pass"]);
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    // Where there is no clock, the smallest clients are explored so.
    let all = test(&file, &["--budget", "none", "--max-operations", "3"]);
    assert!(says(&all.out, "; spurious wake-ups: "), "{all:?}");
    assert_eq!(
        all.out,
        test(&file, &["--budget", "none", "--max-operations", "3"]).out
    );

    let random = "--strategy random --runs 5 --client";
    let mut options: Vec<&str> = random.split(' ').collect();
    options.push("open | pass");
    let sampled = test(&file, &options);
    assert!(
        says(&sampled.out, "spurious wake-ups: sampled"),
        "{sampled:?}"
    );
}

/// The outcomes of `outcomes.c` in one of its forms, asked for one by one.
fn outcomes(options: &[&str], flags: &[&str]) -> BTreeSet<u32> {
    let file = format!("{FOLDER}/outcomes.c");
    let exists = |outcome: &u32| {
        let outcome = format!("--cflag=-DOUTCOME={outcome}");
        let flags: Vec<String> = flags
            .iter()
            .map(|flag| format!("--cflag=-D{flag}"))
            .collect();
        let mut arguments = vec!["--memory-model=sc", "--budget", "none", outcome.as_str()];
        arguments.extend(flags.iter().map(String::as_str));
        arguments.extend(options);
        let done = test(&file, &arguments);
        match done.code {
            Some(0) => false,
            Some(1) if done.out.starts_with("✗ ASSERTION FAILED") => true,
            _ => panic!("{flags:?} {outcome}: {done:?}"),
        }
    };
    (0..9).filter(exists).collect()
}

/// The machine's wake-ups have the outcomes of a choice that the program makes by itself, and, of one thread, of somebody who wakes everybody at any time.
#[test]
fn outcomes_are_those_of_programs_that_wake_by_themselves() {
    let spurious = ["--spurious"];
    let one = outcomes(&spurious, &["WAITERS=1"]);
    assert_eq!(one, [0, 1, 2].into());
    assert_eq!(outcomes(&[], &["WAITERS=1", "BY_CHOICE"]), one);
    assert_eq!(outcomes(&[], &["WAITERS=1", "BY_HELPER"]), one);
    let two = outcomes(&spurious, &["WAITERS=2"]);
    assert_eq!(two, (0..9).collect());
    assert_eq!(outcomes(&[], &["WAITERS=2", "BY_CHOICE"]), two);
    // Another walk, which reduces nothing.
    let states = ["--spurious", "--strategy", "states"];
    assert_eq!(outcomes(&states, &["WAITERS=2"]), two);
    // Whoever looks again sees nothing of it.
    for waiters in ["WAITERS=1", "WAITERS=2"] {
        let all = outcomes(&spurious, &[waiters, "LOOP"]);
        assert!(!all.contains(&0), "{all:?}");
        assert_eq!(outcomes(&[], &[waiters, "LOOP", "BY_CHOICE"]), all);
    }
    assert_eq!(outcomes(&spurious, &["WAITERS=1", "LOOP"]), [1, 2].into());
}

/// Every file is one that the tests above read, so that none is forgotten.
#[test]
fn every_file_is_tested() {
    let known = ["c", "cpp", "rs"]
        .iter()
        .map(|e| files(e).len())
        .sum::<usize>();
    let all = std::fs::read_dir(repository().join(Path::new(FOLDER))).expect("the corpus");
    assert_eq!(
        all.count(),
        known + 1,
        "outcomes.c has no verdict of its own"
    );
}
