//! A run that a report shows can be seen again: the printed command gives the same verdict and the same exit code, whatever is wrong and
//! whichever options decide what the schedule means; so does a test made smaller from the saved finding.

use crate::linspect::{command, repository, run};
use linspect_zoo::{Call, Case, Language, Object, Zoo};
use serde_json::Value;
use std::path::Path;

/// A program, the options of its test, and what is wrong with it.
struct Wrong {
    name: &'static str,
    source: &'static str,
    options: &'static [&'static str],
    /// The fault's kind; none for a history that is not linearizable.
    fault: Option<&'static str>,
}

const WRONG: &[Wrong] = &[
    Wrong {
        name: "flag.c",
        source: FLAG,
        options: &[],
        fault: None,
    },
    Wrong {
        name: "crossed.c",
        source: CROSSED,
        options: &[],
        fault: Some("deadlock"),
    },
    Wrong {
        name: "crossed program.c",
        source: CROSSED_PROGRAM,
        options: &[],
        fault: Some("deadlock"),
    },
    Wrong {
        name: "polite.c",
        source: POLITE,
        options: &[],
        fault: Some("livelock"),
    },
    Wrong {
        name: "lost_update.c",
        source: LOST_UPDATE,
        options: &[],
        fault: Some("assertion failed"),
    },
    Wrong {
        name: "freed.c",
        source: FREED,
        options: &["--allocator=fresh"],
        fault: Some("use after free"),
    },
    Wrong {
        name: "leak.c",
        source: LEAK,
        options: &["--leaks"],
        fault: Some("leak"),
    },
    Wrong {
        name: "suffix.c",
        source: SUFFIX,
        options: &["--cflag=-DLIMIT=1", "--client=[] add | add [check]"],
        fault: Some("assertion failed"),
    },
    Wrong {
        name: "stack.c",
        source: STACK,
        options: &["--spec=stack(.empty = -1)"],
        fault: None,
    },
    Wrong {
        name: "lifo.c",
        source: STACK,
        options: &["--spec=queue(.empty = -1)", "--relax=0"],
        fault: None,
    },
    Wrong {
        name: "panics.rs",
        source: PANICS,
        options: &["--std=visible"],
        fault: Some("aborted"),
    },
];

#[test]
fn every_kind_of_finding_is_seen_again() {
    for case in WRONG {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(case.name);
        std::fs::write(&file, case.source).unwrap();
        let finding = seen_again(&[text(&file)], case.options, folder.path());
        let kind = finding["verdict"]["fault"]["kind"].as_str();
        assert_eq!(kind, case.fault, "{}: {}", case.name, finding["verdict"]);
    }
}

/// All that fails in the long run, else some of each kind: the clients of the papers, and programs.
#[test]
fn every_finding_of_the_zoo_and_the_examples_is_seen_again() {
    let all = std::env::var_os("LINSPECT_LONG").is_some();
    let folder = tempfile::tempdir().unwrap();
    Zoo::extract(folder.path()).unwrap();
    let zoo = Zoo::bundled().unwrap();
    let of_object = |object: &Object| {
        let case = object.cases.iter().find(|case| !case.linearizable)?;
        let files = object.harness.iter().chain(&object.files).cloned();
        Some((files.collect(), vec![format!("--client={}", client(case))]))
    };
    let is_bound = |object: &&Object| object.language != Language::Rust;
    let objects = zoo.objects.iter().filter(is_bound).filter_map(of_object);
    let programs = zoo.programs.iter().map(|p| (p.files.clone(), Vec::new()));
    let findings: Vec<(Vec<String>, Vec<String>)> = objects.chain(programs).collect();
    let chosen = findings.iter().enumerate();
    let chosen: Vec<_> = chosen.filter(|(i, _)| all || i.is_multiple_of(9)).collect();
    assert!(chosen.len() > 5, "{}", chosen.len());
    for (i, (files, options)) in chosen {
        let path = |file: &String| text(&folder.path().join(file)).to_owned();
        let paths: Vec<String> = files.iter().map(path).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        seen_again(&paths, &options, &folder.path().join(format!("out{i}")));
    }
    let queue = ["--ops=enqueue,dequeue", "--spec=queue"];
    let examples: [(&str, &[&str]); 4] = [
        ("examples/c/stack.c", &[]),
        ("examples/c/accounts.c", &[]),
        ("examples/programs/counter.c", &[]),
        ("examples/programs/queue.c", &queue),
    ];
    for (i, (file, options)) in examples.into_iter().enumerate() {
        let out = folder.path().join(format!("example{i}"));
        seen_again(&[file], options, &out);
    }
}

/// A schedule of a program that has been corrected since is not the schedule of a fault.
#[test]
fn the_schedule_of_a_corrected_program_does_not_fit() {
    for (name, source) in [("crossed.c", CROSSED_PROGRAM), ("update.c", LOST_UPDATE)] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, source).unwrap();
        let out = text(folder.path());
        let found = run(&["test", text(&file), "--json", "--out", out]);
        assert_eq!(found.code, Some(1), "{found:?}");
        let found: Value = serde_json::from_str(&found.out).unwrap();
        std::fs::write(&file, format!("#define MENDED\n{source}")).unwrap();
        let token = found["replay"]["token"].as_str().unwrap();
        let again = run(&["replay", token, text(&file), "--out", out]);
        assert_eq!(again.code, Some(3), "{again:?}");
        let said = again.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            said.contains("the schedule no longer fits the program"),
            "{said}"
        );
    }
}

/// Memory that is used after another thread has freed it, while the object is not linearizable either: no step on the way loses the finding.
#[test]
fn an_object_with_two_faults_keeps_its_finding() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stack.c");
    std::fs::write(&file, FREEING_STACK).unwrap();
    let finding = seen_again(&[text(&file)], &["--allocator=fresh"], folder.path());
    assert_ne!(finding["verdict"]["answer"], "holds");
}

/// A case as `--client` reads it.
fn client(case: &Case) -> String {
    let part = |calls: &[Call]| {
        let calls = calls.iter().map(|call| match call.argument.items().len() {
            0 => call.method.clone(),
            _ => call.to_string(),
        });
        calls.collect::<Vec<_>>().join(" ")
    };
    let threads: Vec<String> = case.threads.iter().map(|t| part(t)).collect();
    let (before, after) = (part(&case.before), part(&case.after));
    format!("[{before}] {} [{after}]", threads.join(" | "))
}

/// Tests `files`, runs the command that is printed, and makes the test smaller; gives the finding.
fn seen_again(files: &[&str], options: &[&str], out: &Path) -> Value {
    let out = text(out);
    let said = run(&[&["test"], files, options, &["--out", out]].concat());
    assert_eq!(said.code, Some(1), "{files:?}: {said:?}");
    assert!(
        !said.err.contains("internal error"),
        "{files:?}: {}",
        said.err
    );
    let data = said
        .err
        .lines()
        .find_map(|line| line.strip_prefix("data: "));
    let data = data.unwrap_or_else(|| panic!("{files:?}: {}", said.err));
    let read = |path: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    let finding = read(data);
    let printed = finding["replay"]["command"].as_str().unwrap();
    let typed = printed.strip_prefix("linspect ").unwrap();
    let again = shell(&format!("{typed} --json"));
    assert_eq!(again.0, Some(1), "{files:?}: {printed}: {}", again.2);
    let replayed: Value = serde_json::from_str(&again.1).unwrap();
    assert_eq!(
        replayed["verdict"], finding["verdict"],
        "{files:?}: {printed}"
    );
    assert_eq!(
        replayed["history"], finding["history"],
        "{files:?}: {printed}"
    );
    // The saved finding is told as it was, but for what was tried.
    let told = |report: &str| report.split("\n  tried").next().map(str::to_owned);
    let saved = run(&["replay", data, "--out", out]);
    assert_eq!(saved.code, Some(1), "{files:?}: {saved:?}");
    assert_eq!(told(&saved.out), told(&said.out), "{files:?}");
    let smaller = run(&["minimise", data, "--budget", "10s", "--json", "--out", out]);
    assert_eq!(smaller.code, Some(1), "{files:?}: {smaller:?}");
    let smaller: Value = serde_json::from_str(&smaller.out).unwrap();
    let what = |finding: &Value| {
        let verdict = &finding["verdict"];
        (verdict["answer"].clone(), verdict["fault"]["kind"].clone())
    };
    assert_eq!(what(&smaller), what(&finding), "{files:?}");
    finding
}

/// Types `words` into a shell, after the command.
fn shell(words: &str) -> (Option<i32>, String, String) {
    let done = std::process::Command::new("sh")
        .args(["-c", &format!("\"$0\" {words}")])
        .arg(command(&[]).get_program())
        .current_dir(repository())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (done.status.code(), text(done.stdout), text(done.stderr))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A test-and-set in two steps.
const FLAG: &str = r#"#include <linspect.h>
#include <stdatomic.h>
#include <stdbool.h>
static atomic_int taken;
static bool take(void) { if (atomic_load(&taken)) return false; atomic_store(&taken, 1); return true; }
LINSPECT_SETUP { atomic_init(&taken, 0); }
LINSPECT_OP_RET(bool, take, take())
"#;

/// Two locks, taken in either order.
const CROSSED: &str = r#"#include <linspect.h>
#include <pthread.h>
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int in_order(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first); pthread_mutex_lock(second);
    pthread_mutex_unlock(second); pthread_mutex_unlock(first);
    return 0;
}
LINSPECT_SETUP { }
LINSPECT_OP_RET(int, right_way, in_order(&left, &right))
LINSPECT_OP_RET(int, wrong_way, in_order(&right, &left))
"#;

/// The same in a program.
const CROSSED_PROGRAM: &str = r#"#include <pthread.h>
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first); pthread_mutex_lock(second);
    pthread_mutex_unlock(second); pthread_mutex_unlock(first);
}
#ifdef MENDED
#define OTHER both(&left, &right)
#else
#define OTHER both(&right, &left)
#endif
static void *one(void *p) { both(&left, &right); return p; }
static void *other(void *p) { OTHER; return p; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0); pthread_create(&b, 0, other, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    return 0;
}
"#;

/// Who wants to enter waits for the other not to want to.
const POLITE: &str = r#"#include <linspect.h>
#include <stdatomic.h>
static atomic_int wants[2];
static int enter(int me) {
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[1 - me])) { }
    atomic_store(&wants[me], 0);
    return 0;
}
LINSPECT_SETUP { wants[0] = wants[1] = 0; }
LINSPECT_OP_RET(int, left, enter(0))
LINSPECT_OP_RET(int, right, enter(1))
"#;

/// A counter in two steps.
const LOST_UPDATE: &str = r#"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
#ifdef MENDED
static void *add(void *p) { atomic_fetch_add(&count, 1); atomic_load(&count); atomic_load(&count); return p; }
#else
static void *add(void *p) { int seen = atomic_load(&count); atomic_store(&count, seen + 1); return p; }
#endif
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0); pthread_create(&b, 0, add, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(atomic_load(&count) == 2);
    return 0;
}
"#;

/// What is looked at may be freed meanwhile.
const FREED: &str = r#"#include <linspect.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) cell;
static int look(void) { int *p = atomic_load(&cell); return p ? *p : -1; }
static void drop(void) { int *p = atomic_exchange(&cell, (int *)0); free(p); }
LINSPECT_SETUP { int *p = malloc(sizeof *p); *p = 7; cell = p; }
LINSPECT_OP_RET(int, look, look())
LINSPECT_OP(drop, drop())
"#;

/// What is set after it was cleared is never freed.
const LEAK: &str = r#"#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) cell;
static void *set(void *p) { atomic_store(&cell, malloc(4)); return p; }
static void *clear(void *p) { free(atomic_exchange(&cell, (int *)0)); return p; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, set, 0); pthread_create(&b, 0, clear, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    atomic_store(&cell, (int *)0);
    return 0;
}
"#;

/// A counter whose lost update an assertion finds later.
const SUFFIX: &str = r#"#include <assert.h>
#include <linspect.h>
#include <stdatomic.h>
static atomic_int count;
static void add(void) { int seen = atomic_load(&count); atomic_store(&count, seen + 1); }
static int check(void) { int seen = atomic_load(&count); assert(seen != LIMIT); return 0; }
LINSPECT_SETUP { count = 0; }
LINSPECT_OP(add, add())
LINSPECT_OP_RET(int, check, check())
"#;

/// A pop that does not compare before it writes.
const STACK: &str = r#"#include <linspect.h>
#include <stdatomic.h>
#include <stdlib.h>
typedef struct node { int value; struct node *next; } node;
static _Atomic(node *) top;
static void push(int v) { node *n = malloc(sizeof *n); n->value = v; n->next = atomic_load(&top); while (!atomic_compare_exchange_weak(&top, &n->next, n)) { } }
static int pop(void) { node *n = atomic_load(&top); if (!n) return -1; atomic_store(&top, n->next); int v = n->value; return v; }
LINSPECT_SETUP { top = 0; }
LINSPECT_OP(push, push(v), int v, 1, 2)
LINSPECT_OP_RET(int, pop, pop())
"#;

/// An operation that panics when another comes between.
const PANICS: &str = r#"use std::sync::atomic::{AtomicUsize, Ordering};
#[derive(Default)]
pub struct Slots { used: AtomicUsize }
impl Slots {
    pub fn take(&self) -> usize {
        let used = self.used.load(Ordering::SeqCst);
        self.used.store(used + 1, Ordering::SeqCst);
        let now = self.used.load(Ordering::SeqCst);
        if now != used + 1 { panic!("slot {used} was taken twice"); }
        0
    }
}
linspect::harness! {
    slots: Slots = Slots::default();
    fn take(&self) -> usize;
}
"#;

/// A push that loses elements and a pop that frees what others look at.
const FREEING_STACK: &str = r#"#include <linspect.h>
#include <stdatomic.h>
#include <stdlib.h>
struct cell { struct cell *below; int held; };
static struct cell *_Atomic head;
static void put(int held) {
    struct cell *cell = malloc(sizeof *cell);
    cell->held = held;
    cell->below = head;
    head = cell;
}
static int get(void) {
    struct cell *cell = head;
    while (cell && !atomic_compare_exchange_strong(&head, &cell, cell->below)) { }
    if (!cell) return 0;
    int held = cell->held;
    free(cell);
    return held;
}
LINSPECT_SETUP { head = 0; }
LINSPECT_OP(push, put(held), int held, 1, 2)
LINSPECT_OP_RET(int, pop, get())
LINSPECT_SPEC(stack, .empty = 0)
"#;
