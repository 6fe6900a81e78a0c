//! Clients whose threads warm up: typed, found by themselves, made smaller, replayed and told.

use crate::linspect::{Run, run};
use serde_json::Value;
use std::path::Path;

fn tested(folder: &Path, text: &str, flags: &[&str]) -> (Run, Value) {
    let path = folder.join("object.c");
    std::fs::write(&path, text).expect("a file");
    let (path, out) = (path.to_str().expect("UTF-8"), folder.join("out"));
    let done = run(&[
        &["test", path, "--out", out.to_str().expect("UTF-8")][..],
        flags,
    ]
    .concat());
    let finding = std::fs::read_to_string(out.join("object.json"));
    let finding = finding.map_or(Value::Null, |text| {
        serde_json::from_str(&text).expect("a finding")
    });
    (done, finding)
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A counter whose threads do five steps at first that conflict with each other's. Three threads have 756 756 orders of these alone.
const REGISTERING: &str = "\
#include <linspect.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int list, count;
static _Thread_local bool known;

static void enter(void) {
    if (known)
        return;
    int seen = 0;
    for (int i = 0; i < 5; i++)
        seen = atomic_fetch_add(&list, seen + 1);
    known = true;
}
static void increment(void) { enter(); INCREMENT; }
static int get(void) { enter(); return atomic_load(&count); }

LINSPECT_SETUP { list = 0; count = 0; }
LINSPECT_OP(increment, increment())
LINSPECT_OP_RET(int, get, get())
LINSPECT_SPEC(counter)
";

/// Which clients were covered warm is said, and with which call; the smallest are cold.
#[test]
fn a_verdict_says_what_was_covered_with_threads_that_had_registered() {
    let folder = tempfile::tempdir().expect("a folder");
    let right = REGISTERING.replace("INCREMENT", "atomic_fetch_add(&count, 1)");
    let flags = ["--memory-model", "sc", "--budget", "12s", "--json"];
    let (done, _) = tested(folder.path(), &right, &flags);
    let said = words(&format!("{}{}", done.out, done.err));
    assert!(
        said.contains("of them only with threads that had called get before, each alone)"),
        "{done:?}"
    );
    assert!(said.contains("in 2 threads, each exhausted"), "{done:?}");
}

/// Wrong for threads that have said hello, and for them alone.
const HELLO: &str = "\
#include <linspect.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int flag;
static _Thread_local bool known;

static void hello(void) { known = true; }
static int take(void) {
    if (!known)
        return atomic_exchange(&flag, 1);
    if (flag)
        return 1;
    flag = 1;
    return 0;
}

LINSPECT_SETUP { flag = 0; }
LINSPECT_OP(hello, hello())
LINSPECT_OP_RET(int, take, take())
";

#[test]
fn a_warm_up_that_is_needed_stays_and_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let client = "[T1:hello T2:hello] take | take []";
    let emitted = folder.join("again.c");
    let emit = emitted.to_str().expect("UTF-8");
    let flags = ["--client", client, "--emit-test", emit];
    let (done, finding) = tested(folder, HELLO, &flags);
    assert_eq!(done.code, Some(1), "{done:?}");
    // One of the two is enough.
    let test = &finding["minimal_test"];
    assert_eq!(test["before"].as_array().map(Vec::len), Some(1), "{test}");
    assert_eq!(test["certified"], true, "{test}");
    let warm = test["before"][0].as_u64().expect("an operation") as usize;
    let process = &finding["history"]["operations"][warm]["process"];
    let process = process.as_u64().expect("a process");
    assert!(process < 2, "{finding}");
    let shown = format!("T{}: hello()", process + 1);
    assert!(done.out.contains(&shown), "{done:?}");
    let token = finding["replay"]["token"].as_str().expect("a token");
    assert!(token.starts_with("L3:"), "{token}");
    // The run is seen again, and the test that is written fails.
    let path = folder.join("object.c");
    let path = path.to_str().expect("UTF-8");
    let out = folder.join("replayed");
    let out = out.to_str().expect("UTF-8");
    let again = run(&["replay", token, path, "--out", out]);
    assert_eq!(again.code, Some(1), "{again:?}");
    let text = std::fs::read_to_string(&emitted).expect("a test");
    let typed = format!("T{}:hello", process + 1);
    assert!(text.contains(&typed), "{text}");
    let tested = run(&["test", emit, "--out", out]);
    assert_eq!(tested.code, Some(1), "{tested:?}");
    // Cold, the same calls are right.
    let (cold, _) = self::tested(folder, HELLO, &["--client", "take | take"]);
    assert_eq!(cold.code, Some(0), "{cold:?}");
}

/// A fault that needs no warm-up is shown without one.
#[test]
fn a_warm_up_that_is_not_needed_goes() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = REGISTERING.replace("INCREMENT", "int n = count; count = n + 1");
    let client = "[T1:get T2:get] increment | increment [get]";
    let (done, finding) = tested(folder.path(), &wrong, &["--client", client]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let test = &finding["minimal_test"];
    assert_eq!(test["before"].as_array().map(Vec::len), Some(0), "{test}");
    assert_eq!(test["threads"].as_array().map(Vec::len), Some(2), "{test}");
}

/// What memory threads have shared while they warmed up is everybody's past: it does not race with what they do then.
const CACHED: &str = "\
#include <linspect.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct entry { int value; struct entry *next; } entry;
static _Atomic(entry *) all;
static _Thread_local entry *mine;

static int sum(void) {
    if (!mine) {
        mine = malloc(sizeof *mine);
        mine->value = 0;
        mine->next = atomic_load_explicit(&all, memory_order_relaxed);
        while (!atomic_compare_exchange_weak_explicit(&all, &mine->next, mine,
                                                      memory_order_relaxed, memory_order_relaxed))
            ;
    }
    int sum = 0;
    for (entry *e = atomic_load_explicit(&all, memory_order_relaxed); e; e = e->next)
        sum += e->value;
    return sum;
}

LINSPECT_SETUP { all = NULL; }
LINSPECT_OP_RET(int, sum, sum())
";

#[test]
fn what_was_shared_before_does_not_race() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for model in ["sc", "c20"] {
        let flags = |client| ["--client", client, "--memory-model", model];
        let (warm, _) = tested(folder, CACHED, &flags("[T1:sum T2:sum] sum | sum"));
        assert_eq!(warm.code, Some(0), "{model} {warm:?}");
        let (cold, _) = tested(folder, CACHED, &flags("sum | sum"));
        assert_eq!(
            cold.code,
            Some(1),
            "{model}: nobody publishes an entry, {cold:?}"
        );
    }
}
