//! Promises of progress, in Rust, C and C++: what is kept, what is broken, and how that is told.

use crate::linspect::{Run, run};
use std::path::Path;

fn test(folder: &Path, name: &str, text: &str, options: &[&str]) -> Run {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    let out = folder.join("out");
    let mut words = vec!["test", path.to_str().expect("UTF-8"), "--budget", "20s"];
    words.extend(["--out", out.to_str().expect("UTF-8")]);
    words.extend(options);
    let said = run(&words);
    // As one line, however wide the terminal is.
    let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    Run {
        out: joined(&said.out),
        err: joined(&said.err),
        ..said
    }
}

/// Treiber's stack without reclamation.
const TREIBER: &str = r#"
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

struct Node {
    value: u8,
    next: *mut Node,
}

struct Stack(AtomicPtr<Node>);

impl Stack {
    fn push(&self, value: u8) {
        let node = Box::into_raw(Box::new(Node { value, next: null_mut() }));
        loop {
            let head = self.0.load(SeqCst);
            unsafe { (*node).next = head };
            if self.0.compare_exchange(head, node, SeqCst, SeqCst).is_ok() {
                return;
            }
        }
    }

    fn pop(&self) -> Option<u8> {
        loop {
            let head = self.0.load(SeqCst);
            if head.is_null() {
                return None;
            }
            let next = unsafe { (*head).next };
            if self.0.compare_exchange(head, next, SeqCst, SeqCst).is_ok() {
                return Some(unsafe { (*head).value });
            }
        }
    }
}

linspect::harness! {
    stack: Stack = Stack(AtomicPtr::new(null_mut()));

    fn push(&self, value: u8 in [1]);
    fn pop(&self) -> Option<u8>;

    progress = PROMISE;
    spec = stack;
}
"#;

#[test]
fn treibers_stack_is_lock_free_and_not_wait_free() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = TREIBER.replace("PROMISE", "lock_free");
    let run = test(
        folder.path(),
        "stack.rs",
        &text,
        &["--max-operations", "2", "--threads", "2"],
    );
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.err.contains("note: lock-free in all"), "{run:?}");
    let text = TREIBER.replace("PROMISE", "wait_free");
    let run = test(
        folder.path(),
        "waits.rs",
        &text,
        &["--max-operations", "2", "--threads", "2"],
    );
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("NOT WAIT-FREE"), "{run:?}");
    assert!(
        run.out
            .contains("others can keep it from returning for ever"),
        "{run:?}"
    );
}

const LOCKED: &str = r#"
use std::sync::Mutex;

linspect::harness! {
    count: Mutex<u8> = Mutex::new(0);

    fn next(&self) -> u8 => {
        let mut count = count.lock().unwrap();
        *count += 1;
        *count
    };

    progress = obstruction_free;
}
"#;

#[test]
fn a_lock_hinders_those_who_run_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = test(
        folder.path(),
        "locked.rs",
        LOCKED,
        &["--max-operations", "2", "--threads", "2"],
    );
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("NOT OBSTRUCTION-FREE"), "{run:?}");
    assert!(
        run.out
            .contains("if T1 stops where it is, next of T2 never returns"),
        "{run:?}"
    );
    // Nothing is promised, nothing is broken.
    let text = LOCKED.replace("    progress = obstruction_free;\n", "");
    let run = test(
        folder.path(),
        "free.rs",
        &text,
        &["--max-operations", "2", "--threads", "2"],
    );
    assert_eq!(run.code, Some(0), "{run:?}");
}

/// A counter behind a lock that spins.
const SPINNING: &str = r#"
#include <linspect.h>
#include <stdatomic.h>

static atomic_int held;
static int count;

static int next(void) {
    int free = 0;
    while (!atomic_compare_exchange_strong(&held, &free, 1)) {
        free = 0;
    }
    int mine = ++count;
    atomic_store(&held, 0);
    return mine;
}

LINSPECT_SETUP {
    atomic_store(&held, 0);
    count = 0;
}
LINSPECT_OP_RET(int, next, next())
LINSPECT_PROGRESS(PROMISE)
"#;

#[test]
fn a_lock_that_spins_is_not_lock_free() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ["--max-operations", "2", "--threads", "2"];
    let text = SPINNING.replace("PROMISE", "lock_free");
    let run = test(folder.path(), "spinning.c", &text, &options);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("NOT LOCK-FREE"), "{run:?}");
    assert!(run.out.contains("goes round until held changes"), "{run:?}");
    let text = SPINNING.replace("PROMISE", "fast");
    let run = test(folder.path(), "fast.c", &text, &options);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("progress `fast`"), "{run:?}");
}

const COUNTER: &str = r#"
#include <linspect.h>
#include <atomic>

static std::atomic<int> count;

LINSPECT_SETUP { count = 0; }
LINSPECT_OP_RET(int, next, count.fetch_add(1))
"#;

#[test]
fn a_fetch_and_add_is_wait_free() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = [
        "--max-operations",
        "2",
        "--threads",
        "2",
        "--progress",
        "wait-free",
    ];
    let run = test(folder.path(), "counter.cpp", COUNTER, &options);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.err.contains("note: wait-free in all"), "{run:?}");
}

const ANNOUNCED: &str = r#"
#include <linspect.h>
#include <atomic>

static std::atomic<int> last, drawn;

/// Whoever is not disturbed between the two lines returns.
static void enter() {
    const int own = ++drawn;
    do
        last = own;
    while (last != own);
}

LINSPECT_SETUP { last = drawn = 0; }
LINSPECT_OP(enter, enter())
"#;

/// Whoever runs alone returns, but two can undo each other's work for ever, however fairly they are scheduled.
#[test]
fn those_who_undo_each_other_go_round_for_ever() {
    let folder = tempfile::tempdir().expect("a folder");
    for promise in ["obstruction-free", "lock-free"] {
        let options = [
            "--max-operations",
            "2",
            "--threads",
            "2",
            "--progress",
            promise,
        ];
        let run = test(folder.path(), "announced.cpp", ANNOUNCED, &options);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.out.contains("LIVELOCK"), "{run:?}");
        assert!(run.out.contains("both go round for ever"), "{run:?}");
        assert!(!run.out.contains("NOT OBSTRUCTION-FREE"), "{run:?}");
    }
}

const HELPFUL: &str = r#"
#include <linspect.h>
#include <atomic>

struct Node {
    int value;
    std::atomic<Node *> next{nullptr};
};

/// Michael and Scott's queue without reclamation: whoever finds the tail behind helps.
static std::atomic<Node *> head, tail;

static void enqueue(int value) {
    Node *const node = new Node{value};
    for (;;) {
        Node *last = tail.load(), *next = last->next.load();
        if (next != nullptr)
            tail.compare_exchange_strong(last, next);
        else if (last->next.compare_exchange_strong(next, node)) {
            tail.compare_exchange_strong(last, node);
            return;
        }
    }
}

static int dequeue() {
    for (;;) {
        Node *first = head.load(), *last = tail.load(), *next = first->next.load();
        if (next == nullptr)
            return -1;
        if (first == last)
            tail.compare_exchange_strong(last, next);
        else if (head.compare_exchange_strong(first, next))
            return next->value;
    }
}

LINSPECT_SETUP { head = tail = new Node{0}; }
LINSPECT_OP(enqueue, enqueue(value), int value, 1)
LINSPECT_OP_RET(int, dequeue, dequeue())
LINSPECT_SPEC(queue, .empty = -1)
"#;

#[test]
fn michael_and_scotts_queue_is_lock_free() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = [
        "--max-operations",
        "2",
        "--threads",
        "2",
        "--progress",
        "lock-free",
    ];
    let run = test(folder.path(), "queue.cpp", HELPFUL, &options);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.err.contains("note: lock-free in all"), "{run:?}");
    // Who does not help waits for whoever is behind.
    let selfish = HELPFUL.replace("tail.compare_exchange_strong(last, next);", "continue;");
    let run = test(folder.path(), "selfish.cpp", &selfish, &options);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("NOT LOCK-FREE"), "{run:?}");
}
