//! The smallest test of larger clients, to the letter; and once more with another budget.

use crate::linspect::{Run, run};
use linspect_zoo::Zoo;
use serde_json::Value;
use std::path::Path;

/// Three operations at once go wrong, two never do.
const CROWD: &str = "\
#include <linspect.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int inside;

static bool enter(void) {
    bool crowded = atomic_fetch_add(&inside, 1) >= 2;
    atomic_fetch_sub(&inside, 1);
    return crowded;
}

LINSPECT_SETUP { atomic_init(&inside, 0); }
LINSPECT_OP_RET(bool, enter, enter())
LINSPECT_OP_RET(int, look, atomic_load(&inside) > 2)
";

/// A value that a flag does not publish.
const FLAG: &str = "\
#include <linspect.h>
#include <stdatomic.h>

static int value;
static atomic_int flag;

static void put(int v) {
    value = v;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
}

static int get(void) {
    return atomic_load_explicit(&flag, memory_order_relaxed) ? value : 0;
}

LINSPECT_SETUP { value = 0; atomic_init(&flag, 0); }
LINSPECT_OP(put, put(v), int v, 1, 2)
LINSPECT_OP_RET(int, get, get())
LINSPECT_SPEC(register, .initial = 0)
";

/// A set whose table grows with its sixth element; who adds meanwhile adds to the old table.
const GROWING: &str = "\
#include <linspect.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct {
    int size;
    atomic_int used;
    atomic_int *slots;
} table_t;

static _Atomic(table_t *) current;
static pthread_mutex_t growing = PTHREAD_MUTEX_INITIALIZER;

static table_t *table_new(int size) {
    table_t *table = malloc(sizeof *table);
    table->size = size;
    atomic_init(&table->used, 0);
    table->slots = calloc(size, sizeof *table->slots);
    return table;
}

static bool put(table_t *table, int key) {
    for (int i = key % table->size;; i = (i + 1) % table->size) {
        int found = 0;
        if (atomic_compare_exchange_strong(&table->slots[i], &found, key))
            return true;
        if (found == key)
            return false;
    }
}

static bool add(int key) {
    table_t *table = current;
    if (!put(table, key))
        return false;
    if (atomic_fetch_add(&table->used, 1) + 1 == 6) {
        pthread_mutex_lock(&growing);
        table_t *larger = table_new(64);
        for (int i = 0; i < table->size; i++)
            if (table->slots[i])
                put(larger, table->slots[i]);
        current = larger;
        pthread_mutex_unlock(&growing);
    }
    return true;
}

LINSPECT_SETUP { current = table_new(16); }
LINSPECT_OP_RET(bool, add, add(key), int key, 1, 2, 3, 4, 5, 6, 7, 8, 9)
LINSPECT_SPEC(set)
";

/// The parts of a test, in the words of its history.
fn parts(finding: &Value) -> String {
    let operations = finding["history"]["operations"].as_array().unwrap();
    let call = |id: &Value| {
        let found = operations.iter().find(|o| o["id"] == *id).unwrap();
        let argument = match &found["argument"] {
            Value::Object(_) => String::new(),
            argument => format!("({argument})"),
        };
        format!("{}{argument}", found["method"].as_str().unwrap())
    };
    let calls = |ids: &Value| {
        let ids = ids.as_array().unwrap().iter();
        ids.map(call).collect::<Vec<_>>().join(" ")
    };
    let test = &finding["minimal_test"];
    let threads = test["threads"].as_array().unwrap().iter();
    let threads: Vec<String> = threads.map(calls).collect();
    format!(
        "[{}] {} [{}]{}",
        calls(&test["before"]),
        threads.join(" | "),
        calls(&test["after"]),
        if test["certified"] == true {
            ""
        } else {
            " not certified"
        }
    )
}

fn smallest(files: &[&str], client: &str) -> String {
    let mut arguments = vec!["test", "--json", "--client", client];
    arguments.extend(files);
    let done = run(&arguments);
    assert_eq!(done.code, Some(1), "{done:?}");
    parts(&serde_json::from_str(&done.out).unwrap())
}

#[test]
fn large_clients_become_the_smallest() {
    let out = tempfile::tempdir().unwrap();
    Zoo::extract(out.path()).unwrap();
    let place = |name: &str| out.path().join(name).to_str().unwrap().to_owned();
    let crowd = place("crowd.c");
    std::fs::write(&crowd, CROWD).unwrap();
    let stack = [
        "c/treiber_stack/harness.c",
        "c/treiber_stack/careless_push_stack.c",
    ]
    .map(place);
    let afek = ["c/afek_stack/harness.c", "c/afek_stack/afek_stack.c"].map(place);
    let cases: [(&[&str], &str, &str); 3] = [
        // The paper's type 2: what is lost is missed only later.
        (
            &[&stack[0], &stack[1]],
            "[push(3) pop] push(1) pop | push(2) push(3) [pop pop pop]",
            "[push(2)] pop | push(1) [pop]",
        ),
        // Three threads where two are enough.
        (
            &[&afek[0], &afek[1]],
            "push(1) | push(2) pop | pop",
            "[push(1)] pop | pop []",
        ),
        // Three threads that are needed.
        (
            &[&crowd],
            "[look] enter look | look enter | enter [look]",
            "[] enter | enter | enter []",
        ),
    ];
    for (files, client, expected) in cases {
        assert_eq!(smallest(files, client), expected);
    }
}

/// Small clients never fill the table; long ones do, and little of them is left.
#[test]
fn long_clients_find_what_takes_many_operations() {
    let out = tempfile::tempdir().unwrap();
    let growing = out.path().join("growing.c");
    std::fs::write(&growing, GROWING).unwrap();
    let arguments = ["test", text(&growing), "--json", "--long", "2x12"];
    let done = run(&arguments);
    assert_eq!(done.code, Some(1), "{done:?}");
    let finding = serde_json::from_str(&done.out).unwrap();
    let test = parts(&finding);
    let count = |part: &str| part.matches("add").count();
    let (before, rest) = test.split_once(']').unwrap();
    let (threads, after) = rest.split_once('[').unwrap();
    assert_eq!((count(before), count(threads), count(after)), (5, 2, 1));
    assert!(!test.contains("not certified"), "{test}");
}

/// Type 2 is said, and so is that the schedule has the fewest switches.
#[test]
fn the_report_says_what_kind_of_fault_it_is() {
    let out = tempfile::tempdir().unwrap();
    let done = run(&[
        "zoo",
        "run",
        "careless_push_stack",
        "-v",
        "--out",
        text(out.path()),
    ]);
    for part in [
        "(certified: no operation can be removed; only the calls after reveal the fault)",
        "2 switches, no failing run has fewer",
        "the one different choice that saves it: at step ",
    ] {
        assert!(unwrapped(&done).contains(part), "{part}\n{}", done.out);
    }
}

/// Without time nothing is lost and nothing is claimed; with time the test becomes what it should have been.
#[test]
fn a_finding_is_minimised_again() {
    let out = tempfile::tempdir().unwrap();
    Zoo::extract(out.path()).unwrap();
    let place = |name: &str| out.path().join(name).to_str().unwrap().to_owned();
    let (harness, stack) = (
        place("c/treiber_stack/harness.c"),
        place("c/treiber_stack/careless_pop_stack.c"),
    );
    let client = "[push(3)] push(1) pop | push(2) pop";
    let first = place("first");
    let found = run(&[
        "test", &harness, &stack, "--client", client, "--out", &first,
    ]);
    assert_eq!(found.code, Some(1), "{found:?}");
    let finding = place("first/careless_pop_stack.json");
    let again = |budget: &str| {
        let again = place("again");
        run(&[
            "minimise", &finding, "--budget", budget, "--json", "--out", &again,
        ])
    };
    let rushed = again("0s");
    assert_eq!(rushed.code, Some(1), "{rushed:?}");
    let rushed: Value = serde_json::from_str(&rushed.out).unwrap();
    assert_eq!(parts(&rushed), "[push(1)] pop | pop [] not certified");
    let done = again("1m");
    let done: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(parts(&done), "[push(1)] pop | pop []");

    std::fs::copy(place("c/treiber_stack/treiber_stack.c"), &stack).unwrap();
    let changed = again("1m");
    assert_eq!(changed.code, Some(2), "{changed:?}");
    assert!(
        changed
            .err
            .contains("has changed since the finding was made"),
        "{}",
        changed.err
    );
    let nonsense = run(&["minimise", &harness]);
    assert_eq!(nonsense.code, Some(2));
    assert!(
        nonsense.err.contains("not a Linspect finding"),
        "{}",
        nonsense.err
    );
}

/// A data race is between two places; its test is made as small as any other, and what is left over races there.
#[test]
fn a_data_race_is_minimised() {
    let out = tempfile::tempdir().unwrap();
    let harness = out.path().join("flag.c");
    std::fs::write(&harness, FLAG).unwrap();
    let client = "put(1) get get | get put(2)";
    let (harness, first) = (text(&harness), out.path().join("first"));
    let found = run(&["test", harness, "--client", client, "--out", text(&first)]);
    assert_eq!(found.code, Some(1), "{found:?}");
    let saved = |folder: &Path| -> Value {
        let saved = std::fs::read_to_string(folder.join("flag.json")).unwrap();
        serde_json::from_str(&saved).unwrap()
    };
    let found = saved(&first);
    let fault = |finding: &Value| finding["verdict"]["fault"].clone();
    assert_eq!(fault(&found)["kind"], "data race");
    let operations = |finding: &Value| finding["history"]["operations"].as_array().unwrap().len();
    assert_eq!(operations(&found), 2, "{found:#}");
    assert_eq!(found["minimal_test"]["certified"], true);

    let finding = first.join("flag.json");
    let again = out.path().join("again");
    let done = run(&["minimise", text(&finding), "--out", text(&again)]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let done = saved(&again);
    assert_eq!(fault(&done)["span"], fault(&found)["span"]);
    assert_eq!(operations(&done), 2, "{done:#}");
    let seen = run(&["replay", text(&again.join("flag.json"))]);
    assert_eq!(seen.code, Some(1), "{seen:?}");
}

fn unwrapped(run: &Run) -> String {
    run.out.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Two operations that add without a lock, with arguments of their own.
const ADDS: &str = "\
#include <linspect.h>
#include <stdatomic.h>

static atomic_int sum;

static int add(int v) {
    int before = atomic_load(&sum);
    atomic_store(&sum, before + v);
    return before;
}

LINSPECT_SETUP { atomic_init(&sum, 0); }
LINSPECT_OP_RET(int, little, add(v), int v, 1, 2)
LINSPECT_OP_RET(int, much, add(v), int v, 50, 60)
";

/// Arguments become simpler within what their operation takes.
#[test]
fn no_operation_is_called_with_what_another_one_takes() {
    let folder = tempfile::tempdir().expect("a folder");
    let harness = folder.path().join("adds.c");
    std::fs::write(&harness, ADDS).expect("a file");
    let (path, out) = (
        harness.to_str().expect("UTF-8"),
        folder.path().to_str().expect("UTF-8"),
    );
    let done = run(&[
        "test",
        path,
        "--client",
        "little(2) | much(60)",
        "--out",
        out,
    ]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let calls = ["little(1)", "much(50)", "much(60)"];
    assert!(done.out.contains(calls[0]), "{}", done.out);
    let is_its_own = calls[1..].iter().any(|call| done.out.contains(call));
    assert!(is_its_own && !done.out.contains("much(2)"), "{}", done.out);
}
