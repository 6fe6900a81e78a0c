//! Operations that may fail under contention: what they may not do without saying so, what they may then, and what they may never do.

use crate::linspect::{Run, run};
use std::path::Path;

/// A stack whose pop tries once.
const STACK: &str = "\
#include <linspect.h>
#include <stdatomic.h>
#include <stdlib.h>
#define NOTHING (-1)
struct node { int value; struct node *next; };
static _Atomic(struct node *) top;
static void add(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = top;
    while (!atomic_compare_exchange_strong(&top, &node->next, node)) {}
}
static int take(void) {
#ifdef NEVER
    return NOTHING;
#endif
    struct node *node = top;
    if (!node || !atomic_compare_exchange_strong(&top, &node, node->next)) return NOTHING;
    return node->value;
}
LINSPECT_SETUP { top = 0; }
LINSPECT_OP(push, add(v), int v, 1, 2)
LINSPECT_OP_RET(int, pop, take())
LINSPECT_SPEC(stack, .empty = NOTHING)
#ifdef SAID
LINSPECT_MAY_FAIL(pop, NOTHING)
#endif
#ifdef ELSEWHERE
LINSPECT_MAY_FAIL(push, NOTHING)
#endif
";

/// A stack whose pop does not wait for the lock.
const POLITE: &str = "\
use std::sync::Mutex;
struct Polite(Mutex<Vec<u8>>);
impl Polite {
    fn push(&self, value: u8) { self.0.lock().unwrap().push(value); }
    fn pop(&self) -> Option<u8> { self.0.try_lock().ok()?.pop() }
}
linspect::harness! {
    stack: Polite = Polite(Mutex::new(Vec::new()));

    fn push(&self, value: u8 in [1]);
    @
    fn pop(&self) -> Option<u8>;

    spec = stack;
}
";

fn tested(folder: &Path, file: &str, text: &str, flags: &[&str]) -> Run {
    let path = folder.join(file);
    std::fs::write(&path, text).expect("a file");
    let (path, out) = (path.to_str().expect("UTF-8"), folder.join("out"));
    let words = [
        "test",
        path,
        "--max-operations",
        "3",
        "--threads",
        "2",
        "--memory-model",
        "sc",
    ];
    let out = ["--out", out.to_str().expect("UTF-8")];
    run(&[&words[..], &out, flags].concat())
}

#[test]
fn a_pop_that_gives_up_is_right_only_if_it_may() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let done = tested(folder, "a.c", STACK, &[]);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.contains("NOT LINEARIZABLE"), "{done:?}");
    let done = tested(folder, "a.c", STACK, &["--cflag=-DSAID"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    // That another operation may fail is no excuse.
    let done = tested(folder, "a.c", STACK, &["--cflag=-DELSEWHERE"]);
    assert_eq!(done.code, Some(1), "{done:?}");
}

#[test]
fn one_that_fails_alone_is_told_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = ["--cflag=-DSAID", "--cflag=-DNEVER"];
    let done = tested(folder.path(), "a.c", STACK, &flags);
    assert_eq!(done.code, Some(2), "{done:?}");
    let said = "pop() after push(1) returned -1, although nobody else runs";
    assert!(done.err.contains(said), "{done:?}");
}

#[test]
fn rust_says_it_above_the_operation() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let done = tested(folder, "a.rs", &POLITE.replace('@', ""), &[]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let done = tested(
        folder,
        "a.rs",
        &POLITE.replace('@', "#[may_fail(nil)]"),
        &[],
    );
    assert_eq!(done.code, Some(0), "{done:?}");
}
