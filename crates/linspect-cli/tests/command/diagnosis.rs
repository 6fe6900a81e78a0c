//! Where a fault is decided and what repairs it, as a user sees it.

use crate::linspect::run;
use serde_json::Value;
use std::path::Path;

/// The story, without line breaks: it must show what the threads did to each other in this run, not what a larger test would need.
fn told(file: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let done = run(&["test", file, "--out", text(folder.path())]);
    assert_eq!(done.code, Some(1), "{done:?}");
    done.out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A repair of several blocks, of which this run was interrupted in one: that one is the headline, and the write that came too late is told.
#[test]
fn the_block_that_was_interrupted_is_the_headline() {
    let told = told("corpus/harness/c/claimed_ring.c");
    for part in [
        "· ring_push:18–19 pop() returned 0",
        "ring.place[0] is 0 ── back to T1: T2 has read ring.place[0] at step 6 already",
        "one step: ring_push:18–19, ring_push:14–15",
    ] {
        assert!(told.contains(part), "{part}\n{told}");
    }
}

/// A use after free shows what its thread did before, and who freed it.
#[test]
fn a_use_after_free_shows_who_freed_it() {
    let told = told("corpus/harness/cpp/kept_iterator.cpp");
    let rows = [
        "T2 find:13",
        "T1 runs put(1, 10) to its end",
        "T1 put:30",
        "T2 get:24",
    ];
    let places: Vec<Option<usize>> = rows.iter().map(|row| told.find(row)).collect();
    assert!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{told}"
    );
}

/// Accesses in a helper that makes only one are told by who calls it; the graph is written; at the granularity of the paper it is small.
#[test]
fn a_graph_of_interleavings_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let flag = folder.path().join("flag.c");
    std::fs::write(&flag, FLAG).unwrap();
    let (dot, json) = (folder.path().join("t.dot"), folder.path().join("t.json"));
    let out = text(folder.path());
    for (tree, granularity) in [(&dot, "all"), (&json, "folded")] {
        let (tree, flag) = (text(tree), text(&flag));
        let options = ["--tree", tree, "--granularity", granularity, "--out", out];
        let done = run(&[&["test", "-v", flag], &options[..]].concat());
        assert_eq!(done.code, Some(1), "{done:?}");
        for part in [
            "if (get(&flag->taken))",
            "let T1 go first (flag.c:15)",
            "use `atomic_compare_exchange_strong` with what was read",
        ] {
            assert!(done.out.contains(part), "{part}\n{}", done.out);
        }
    }
    let dot = std::fs::read_to_string(dot).unwrap();
    assert!(dot.starts_with("digraph interleavings {"), "{dot}");
    // One has read and the other has not: twice.
    assert_eq!(dot.matches("fillcolor=gold").count(), 2, "{dot}");
    let graph: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(graph["granularity"], "folded");
    assert_eq!(graph["complete"], true);
    let sequences = graph["sequences"].as_array().unwrap();
    assert!(!sequences.is_empty());
    assert_eq!(sequences[0]["races"][0]["label"], "G");
    let wrong = run(&["test", text(&flag), "--tree", "t.svg"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("FILE.dot or FILE.json"), "{}", wrong.err);
}

/// No section helps an object that is wrong when its operations run one after the other; the history that shows it is printed.
#[test]
fn a_serial_fault_is_told_with_its_history() {
    let out = tempfile::tempdir().unwrap();
    let done = run(&["zoo", "run", "two_stack_pool", "--out", text(out.path())]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let flat: Vec<&str> = done.out.split_whitespace().collect();
    let flat = flat.join(" ");
    assert!(
        flat.contains(
            "not a matter of threads: it is wrong even when every operation runs alone, as put(1), take() → -1"
        ),
        "{}",
        done.out
    );
    assert!(!done.out.contains("make atomic"), "{}", done.out);
}

/// A test-and-set in two steps, its accesses wrapped.
const FLAG: &str = "\
#include <linspect.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct { atomic_int taken; } flag_t;

static flag_t *flag_new(void) { return calloc(1, sizeof(flag_t)); }
static int get(atomic_int *word) { return atomic_load(word); }
static void set(atomic_int *word, int value) { atomic_store(word, value); }

static bool flag_take(flag_t *flag) {
    if (get(&flag->taken))
        return false;
    set(&flag->taken, 1);
    return true;
}

LINSPECT_OBJECT(flag_t *, flag, flag_new())
LINSPECT_OP_RET(bool, take, flag_take(flag))
";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
