//! The examples do what their comments and examples/README.md say.

use crate::linspect::{Run, repository, run};
use std::path::Path;

/// What each example shows: its arguments, its exit code, and what its report says.
const EXAMPLES: [(&[&str], i32, &[&str]); 11] = [
    (
        &["examples/c/stack.c"],
        1,
        &[
            "NOT LINEARIZABLE · ",
            "as a stack",
            "fix · pop, lines 29–32, must be one step",
        ],
    ),
    (
        &["examples/c/accounts.c"],
        1,
        &[
            "NOT LINEARIZABLE · ",
            "as its model",
            "transfer(5) → true  ✗ only false would be right",
            "object: a -5, b 10",
        ],
    ),
    (
        &["examples/c/stripes.cpp"],
        1,
        &["NOT LINEARIZABLE · ", "as its model", "sum() →"],
    ),
    (
        &["examples/c/deque.c"],
        1,
        &[
            "NOT LINEARIZABLE · ",
            "as a deque",
            "1 was popped twice, but pushed only once.",
            "deque.c:25–32 in pop",
        ],
    ),
    (
        &["examples/rust/lock.rs"],
        0,
        &["✓ LINEARIZABLE (mutex)", "each exhausted"],
    ),
    (
        &["examples/rust/flag.rs"],
        1,
        &[
            "NOT LINEARIZABLE · Flag, as it is when run alone",
            "flag.rs:11–14 in",
        ],
    ),
    (
        &["examples/rust/queue.rs", "--operations", "3"],
        0,
        &["✓ LINEARIZABLE (queue)", "each exhausted"],
    ),
    (
        &["examples/rust/cache.rs"],
        1,
        &[
            "NOT LINEARIZABLE · ",
            "only 8 would be right",
            "object: locked",
        ],
    ),
    (
        &["examples/programs/counter.c"],
        1,
        &[
            "ASSERTION FAILED",
            "`counter == 2` failed: counter is 1",
            "T1   counter.c:11",
        ],
    ),
    (
        &[
            "examples/programs/queue.c",
            "--ops",
            "enqueue,dequeue",
            "--spec",
            "queue",
        ],
        1,
        &["NOT LINEARIZABLE · ", "as a queue"],
    ),
    (
        &[
            "examples/programs/stack.rs",
            "--ops",
            "Stack::push,Stack::pop",
            "--spec",
            "stack",
        ],
        0,
        &["✓ LINEARIZABLE (stack)", "exhausted"],
    ),
];

#[test]
fn every_example_shows_what_it_says() {
    for (arguments, code, parts) in EXAMPLES {
        let done = test(arguments);
        assert_eq!(done.code, Some(code), "{arguments:?}: {done:?}");
        for part in parts {
            assert!(done.out.contains(part), "{part}\n{}", done.out);
        }
    }
}

/// Every example stands in the table, and says itself how it is run.
#[test]
fn every_example_is_described() {
    let folder = repository().join("examples");
    let table = std::fs::read_to_string(folder.join("README.md")).unwrap();
    for (arguments, _, _) in EXAMPLES {
        let source = std::fs::read_to_string(repository().join(arguments[0])).unwrap();
        assert!(table.contains(arguments[0]), "{arguments:?}");
        let named = format!("linspect test {}", arguments[0]);
        assert!(source.contains(&named), "{named}");
    }
    let mut files = 0;
    for kind in ["c", "rust", "programs"] {
        files += std::fs::read_dir(folder.join(kind)).unwrap().count();
    }
    assert_eq!(files, EXAMPLES.len());
}

/// The command at the end of a program's report sees the same run again.
#[test]
fn the_run_of_a_program_is_seen_again() {
    let is_queue = |e: &&(&[&str], i32, &[&str])| e.0[0] == "examples/programs/queue.c";
    let done = test(EXAMPLES.iter().find(is_queue).unwrap().0);
    let command = done.out.rsplit("linspect replay").next().unwrap();
    let words: Vec<&str> = command.split_whitespace().collect();
    let out = tempfile::tempdir().unwrap();
    let mut arguments = vec!["replay"];
    arguments.extend(&words);
    arguments.extend(["--out", text(out.path())]);
    let again = run(&arguments);
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(
        again.out.starts_with("✗ NOT LINEARIZABLE · "),
        "{}",
        again.out
    );
}

fn test(arguments: &[&str]) -> Run {
    let out = tempfile::tempdir().unwrap();
    let mut all = vec!["test", "-v"];
    all.extend(arguments);
    all.extend(["--out", text(out.path())]);
    run(&all)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
