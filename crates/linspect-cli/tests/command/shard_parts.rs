//! One large client on many machines, under C20: whoever walks which of its parts, and whatever happens to them, the finding is that of one process, byte for byte.

use crate::linspect::{command, run};
use crate::shard::{alone, folder, merge, random, same, text};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A program whose threads see little of each other: so many executions, none or some of them wrong.
const PROGRAM: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen[2][ROUNDS];

static void *one(void *unused) {
    for (int i = 1; i <= ROUNDS; i++) {
        atomic_store_explicit(&x, i, memory_order_release);
        seen[0][i - 1] = atomic_load_explicit(&y, memory_order_acquire);
    }
    return unused;
}

static void *two(void *unused) {
    for (int i = 1; i <= ROUNDS; i++) {
        atomic_store_explicit(&y, i, memory_order_release);
        seen[1][i - 1] = atomic_load_explicit(&x, memory_order_acquire);
    }
    return unused;
}

static void *three(void *unused) {
    atomic_fetch_add_explicit(&x, 10, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, two, 0);
    pthread_create(&threads[2], 0, three, 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    assert(!WRONG);
    return 0;
}
"#;

/// What only weaker orderings allow, and few of their executions show.
const LATE: &str = "(seen[0][0]==0&&seen[0][1]==1&&seen[1][0]==0&&seen[1][1]==1)";

/// A stack that uses freed memory again, so that it is explored twice.
const STACK: &str = r#"
#include <linspect.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
} node;

typedef struct {
    pthread_mutex_t lock;
    node *top;
    atomic_int calls;
} stack;

static stack *stack_new(void) {
    stack *s = calloc(1, sizeof *s);
    pthread_mutex_init(&s->lock, 0);
    return s;
}

static void push(stack *s, int value) {
    node *n = malloc(sizeof *n);
    n->value = value;
    atomic_fetch_add_explicit(&s->calls, 1, memory_order_relaxed);
    pthread_mutex_lock(&s->lock);
    n->next = s->top;
    s->top = n;
    pthread_mutex_unlock(&s->lock);
}

static int pop(stack *s) {
    int value = -1;
    atomic_fetch_add_explicit(&s->calls, 1, memory_order_relaxed);
    pthread_mutex_lock(&s->lock);
    node *n = s->top;
    if (n) {
        value = n->value;
        s->top = n->next;
        free(n);
    }
    pthread_mutex_unlock(&s->lock);
    return value;
}

LINSPECT_OBJECT(stack *, s, stack_new())
LINSPECT_OP(push, push(s, v), int v, 1, 2)
LINSPECT_OP_RET(int, pop, pop(s))
LINSPECT_SPEC(stack, .empty = -1)
"#;

/// The words of a test whose sources lie in `root`.
struct Tested(Vec<String>);

impl Tested {
    fn program(root: &Path, rounds: usize, wrong: &str) -> Self {
        let path = root.join("program.c");
        fs::create_dir_all(root).expect("a folder");
        fs::write(&path, PROGRAM).expect("written");
        let words = [
            text(&path),
            &format!("--cflag=-DROUNDS={rounds}"),
            &format!("--cflag=-DWRONG={wrong}"),
            "--memory-model=c20",
        ];
        Self(words.map(str::to_owned).to_vec())
    }

    fn stack(root: &Path) -> Self {
        let path = root.join("stack.c");
        fs::create_dir_all(root).expect("a folder");
        fs::write(&path, STACK).expect("written");
        let client = "push(1) pop | push(2) pop";
        let words = [text(&path), "--client", client, "--memory-model=c20"];
        Self(words.map(str::to_owned).to_vec())
    }

    fn words(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }
}

fn plan(folder: &Path, shards: usize, each: usize, test: &[&str]) {
    let (shards, each) = (shards.to_string(), each.to_string());
    let plan = [
        "shard",
        "plan",
        text(folder),
        "--shards",
        &shards,
        "--each",
        &each,
        "--",
    ];
    let planned = run(&[&plan[..], test].concat());
    assert_eq!(planned.code, Some(0), "{planned:?}");
}

/// The tasks that have no result.
fn missing(folder: &Path) -> Vec<String> {
    let status = run(&["shard", "status", text(folder)]);
    let line = status
        .out
        .lines()
        .find_map(|l| l.strip_prefix("no result yet: "));
    let numbers = line.unwrap_or_default().split_whitespace();
    numbers.map(str::to_owned).collect()
}

#[test]
fn parts_of_one_client_come_to_what_one_process_does() {
    let root = folder("parts");
    for (name, test) in [
        ("right", Tested::program(&root, 2, "0")),
        ("wrong", Tested::program(&root, 2, LATE)),
        ("stack", Tested::stack(&root)),
    ] {
        let test = &test.words();
        let one = alone(test);
        for (shards, each) in [(1, 1_000_000), (7, 60), (100, 6)] {
            let folder = root.join(format!("{name}-{shards}"));
            plan(&folder, shards, each, test);
            let mut rounds = 0;
            // Last come, first served.
            while let tasks = missing(&folder)
                && !tasks.is_empty()
            {
                for task in tasks.iter().rev() {
                    let done = run(&["shard", "run", text(&folder), task]);
                    assert_eq!(done.code, Some(0), "{done:?}");
                }
                merge(&folder);
                rounds += 1;
            }
            assert!(rounds > 1 || shards < 100, "{name} was never cut");
            same(&merge(&folder), &one);
        }
    }
}

/// A third of the workers are killed, one result loses its end.
#[test]
fn whoever_walks_a_part_may_be_killed() {
    let root = folder("parts-killed");
    let folder = root.join("tasks");
    let test = Tested::program(&root, 2, "0");
    let test = &test.words();
    plan(&folder, 9, 20, test);
    let mut random = random(3);
    let mut damaged = false;
    while let tasks = missing(&folder)
        && !tasks.is_empty()
    {
        for (i, task) in tasks.iter().enumerate() {
            let mut worker = command(&["shard", "run", text(&folder), task]);
            let worker = worker.stdout(Stdio::null()).stderr(Stdio::null());
            let mut worker = worker.spawn().expect("it starts");
            if i % 3 == 2 {
                std::thread::sleep(Duration::from_millis(random() % 200));
                worker.kill().expect("it is a child");
            }
            worker.wait().expect("it ends");
        }
        let last = folder
            .join("results")
            .join(format!("task-{:0>6}", tasks[0]));
        if !damaged && tasks.len() > 3 {
            let bytes = fs::read(&last).expect("a result");
            fs::write(&last, &bytes[..bytes.len() / 2]).expect("written");
            let refused = merge(&folder);
            assert!(
                refused.err.contains("is not used: it is damaged"),
                "{refused:?}"
            );
            assert_eq!(
                run(&["shard", "run", text(&folder), &tasks[0]]).code,
                Some(0)
            );
            assert!(
                fs::read(&last).expect("a result") == bytes,
                "not the same bytes"
            );
            damaged = true;
        }
        merge(&folder);
    }
    assert!(damaged, "there was never a result to damage");
    same(&merge(&folder), &alone(test));
}

/// Killed again and again in the middle of one client, a test goes on from there.
#[test]
fn one_client_goes_on_after_kills() {
    let root = folder("parts-checkpoint");
    let folder = root.join("kept");
    let test = Tested::program(&root, 4, "0");
    let test = &test.words()[..];
    let start = Instant::now();
    let one = alone(test);
    let usual = start.elapsed();
    let mut random = random(4);
    for kill in 0..20 {
        let option = match folder.join("plan").exists() {
            true => "--resume",
            false => "--checkpoint",
        };
        let mut worker = command(&[&["test"], test, &[option, text(&folder), "--json"]].concat());
        let mut worker = worker.stdout(Stdio::null()).spawn().expect("it starts");
        let share = u32::try_from(1 + random() % 60).expect("a small number");
        std::thread::sleep(usual * share / 100);
        worker.kill().expect("it is a child");
        let ended = worker.wait().expect("it ends");
        assert!(
            ended.code().is_none_or(|code| Some(code) == one.code),
            "{kill}: {ended}"
        );
    }
    let last = run(&[&["test"], test, &["--resume", text(&folder), "--json"]].concat());
    same(&last, &one);
    let results = fs::read_dir(folder.join("results")).expect("results");
    let has_parts = results.flatten().any(|entry| {
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        text.contains("\"path\":[")
    });
    assert!(has_parts, "no part of the client was kept");
}
