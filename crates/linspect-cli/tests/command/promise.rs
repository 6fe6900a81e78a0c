//! What a test promises: it holds only if all of that was covered.

use crate::linspect::run;
use serde_json::Value;
use std::path::PathBuf;

/// Runs `linspect test` on a program of this text, with these arguments.
fn test(text: &str, arguments: &[&str]) -> (Option<i32>, Value) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("object.c");
    std::fs::write(&path, text).unwrap();
    let mut all = vec!["test", path.to_str().unwrap(), "--json"];
    all.extend(arguments);
    let done = run(&all);
    let finding = serde_json::from_str(&done.out);
    (done.code, finding.unwrap_or_else(|_| panic!("{done:?}")))
}

/// What the finding says was covered.
fn covered(finding: &Value) -> &str {
    let coverage = &finding["coverage"];
    let said = coverage["bound"]
        .as_str()
        .or(coverage["guarantee"].as_str());
    said.unwrap_or_default()
}

const CELL: &str = "
#include <linspect.h>
#include <stdatomic.h>
static atomic_int cell;
LINSPECT_SETUP { cell = 0; }
LINSPECT_OP(write, atomic_store(&cell, v), int v, 1, 2)
LINSPECT_OP_RET(int, read, atomic_load(&cell))
LINSPECT_SPEC(register, .initial = 0)
";

#[test]
fn what_can_be_exhausted_holds() {
    let (code, finding) = test(CELL, &["--budget", "none", "--operations", "2"]);
    assert_eq!(code, Some(0), "{finding}");
    assert_eq!(finding["verdict"]["answer"], "holds");
    let said = covered(&finding);
    assert!(said.starts_with("all "), "{said}");
    assert!(
        said.ends_with(
            " clients of at most 3 operations, 2 of them concurrent, in 2 threads, each exhausted"
        ),
        "{said}"
    );
}

/// More clients than anybody could list, and no time for them: what was asked for was not covered, so nothing holds.
#[test]
fn what_was_not_covered_does_not_hold() {
    let sizes = ["--operations", "9", "--threads", "4"];
    let (code, finding) = test(CELL, &[&sizes[..], &["--budget", "300ms"]].concat());
    assert_eq!(code, Some(3), "{finding}");
    assert_eq!(finding["verdict"]["answer"], "unknown");
    let reason = finding["verdict"]["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("the time limit was reached when "),
        "{reason}"
    );
    assert!(reason.ends_with(", and all are promised"), "{reason}");
    let (code, finding) = test(CELL, &["--memory", "1M"]);
    assert_eq!(code, Some(3), "{finding}");
    let reason = finding["verdict"]["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("the memory limit was reached"),
        "{reason}"
    );
}

/// Where there are too many clients a smaller promise is made, and said.
#[test]
fn a_smaller_promise_is_named() {
    let many = CELL.replace(
        "1, 2)",
        "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)",
    );
    let (_, finding) = test(&many, &["--budget", "1s"]);
    let said = covered(&finding);
    assert!(
        said.contains(
            "no more than 2 operations are promised, for there are over 4000 larger clients"
        ),
        "{said}"
    );
}

/// The specification treats values alike; the code does not.
#[test]
fn every_declared_value_is_tried() {
    let uneven = "
#include <linspect.h>
#include <stdatomic.h>
static atomic_int taken[4];
static int take(int k) {
    if (k < 3)
        return atomic_exchange(&taken[k], 1);
    int was = taken[k];
    taken[k] = 1;
    return was;
}
LINSPECT_SETUP { for (int i = 0; i < 4; i++) taken[i] = 0; }
LINSPECT_OP_RET(int, take, take(k), int k, 1, 2, 3)
";
    let (code, finding) = test(uneven, &["--operations", "2"]);
    assert_eq!(code, Some(1), "{finding}");
    assert_eq!(finding["verdict"]["answer"], "violated");
}

/// A thread of a plain program has no operations, but steps at which it can be interrupted.
#[test]
fn dpct_interrupts_plain_programs() {
    let lost = "
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int sum;
static void *add(void *x) {
    for (int i = 0; i < 3; i++) {
        int old = atomic_load(&sum);
        atomic_store(&sum, old + 1);
    }
    return x;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == 6);
}
";
    for strategy in ["dpct", "pct"] {
        let (code, finding) = test(lost, &["--strategy", strategy, "--runs", "200"]);
        assert_eq!(code, Some(1), "{strategy}: {finding}");
    }
    // However often its few classes are run, they stay few.
    let right = lost.replace("int old = atomic_load(&sum);", "").replace(
        "atomic_store(&sum, old + 1);",
        "if (!i) atomic_fetch_add(&sum, 3);",
    );
    let (code, finding) = test(&right, &["--strategy", "dpct", "--runs", "500"]);
    assert_eq!(code, Some(0), "{finding}");
    let executions = finding["coverage"]["executions"].as_u64().unwrap();
    assert!((1..50).contains(&executions), "{finding}");
}
