//! `linspect run`: one schedule of a program, its outcome with source lines, and the same again.

use crate::linspect::run;

/// Runs a program of `corpus/fail` and looks for `expected` in what is said of it.
fn check(program: &str, code: i32, expected: &str) {
    let done = run(&["run", &format!("corpus/fail/c/{program}")]);
    assert_eq!(done.code, Some(code), "{program}: {done:?}");
    let said = done.out + &done.err;
    assert!(said.contains(expected), "{program}: {expected}\n{said}");
}

#[test]
fn what_goes_wrong_is_an_outcome_with_its_lines() {
    check(
        "assertion.c",
        1,
        "assertion.c:3: assertion `argc == 2` failed",
    );
    check(
        "deadlock.c",
        1,
        "deadlock.c:8 waits for the lock b, which T2 holds",
    );
    check("divide.c", 1, "divide.c:2: division by zero");
    check("double_free.c", 1, "see also corpus/fail/c/double_free.c:4");
    check("null.c", 1, "null.c:4: access through a null pointer");
    check("out_of_bounds.c", 1, "of which there are only 16");
    check("spin.c", 1, "spin.c:6 waits for a change of flag");
    check("uninitialised.c", 1, "is read but was never written");
    check(
        "unlock_by_stranger.c",
        1,
        "unlock of a mutex that this thread does not hold",
    );
    check(
        "use_after_free.c",
        1,
        "see also corpus/fail/c/use_after_free.c:5",
    );
}

#[test]
fn what_does_not_end_is_bounded_and_what_cannot_be_run_is_an_error() {
    check("endless.c", 3, "an endless loop?");
    check("recursion.c", 3, "endless recursion?");
    check("unmodelled.c", 2, "calls nobody_knows_this");
}

/// The same seed gives the same trace, byte for byte; a token gives its run again; seeds differ.
#[test]
fn a_seed_and_a_token_give_the_same_trace() {
    let trace = |how: &[&str]| {
        let mut arguments = vec!["run", "corpus/harness/c/philosophers.c", "--trace"];
        arguments.extend(how);
        run(&arguments)
    };
    let first = trace(&["--seed", "7"]);
    assert_eq!(trace(&["--seed", "7"]).out, first.out);
    let said = first.out.clone() + &first.err;
    let token = said
        .split_whitespace()
        .find(|word| word.starts_with("L2:"))
        .expect("a token");
    let again = trace(&["--schedule", token]);
    let steps = |out: &str| -> Vec<String> {
        let lines = out.lines().filter(|l| l.starts_with('T'));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(steps(&again.out), steps(&first.out));
    assert!(steps(&first.out).len() > 10, "{}", first.out);
    let others: Vec<_> = (0..8).map(|s| trace(&["--seed", &s.to_string()])).collect();
    assert!(others.iter().any(|o| o.out != first.out));
    // Some seed finds the deadlock, some does not.
    assert!(others.iter().any(|o| o.code == Some(0)));
}
