//! Every limit is survived, and a run that reached one says so and claims nothing.

use crate::linspect::{Run, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program in a folder that stays, so that what was compiled from it is found again.
fn program(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the file can be written");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn unwrapped(run: &Run) -> String {
    let words: Vec<&str> = run.out.split_whitespace().collect();
    words.join(" ")
}

/// Neither `run` nor `test` calls it a fault, and both say which bound it was, and where.
fn bounded(name: &str, source: &str, bound: &str) {
    let path = program(name, source);
    for verb in ["run", "test"] {
        let done = run(&[verb, text(&path)]);
        assert_eq!(done.code, Some(3), "{verb} {name}: {done:?}");
        let expected = format!("{name}:{bound}");
        assert!(unwrapped(&done).contains(&expected), "{expected}: {done:?}");
    }
}

#[test]
fn memory_without_end() {
    bounded(
        "memory.c",
        "#include <stdlib.h>\nint main(void) {\n    for (;;)\n        *(char *)malloc(1 << 20) = 1;\n}\n",
        "4: more than 256 MiB are allocated: an endless structure?",
    );
}

/// What no system would give is refused as every system does, and that is no bound.
#[test]
fn a_request_for_everything_is_refused() {
    let path = program(
        "everything.c",
        "#include <assert.h>\n#include <stdlib.h>\nint main(void) { assert(!malloc((size_t)1 << 40)); }\n",
    );
    let done = run(&["test", text(&path)]);
    assert_eq!(done.code, Some(0), "{done:?}");
}

#[test]
fn a_loop_without_end() {
    bounded(
        "loop.c",
        "int main(void) {\n    for (volatile int x = 0;; x++)\n        ;\n}\n",
        "2: more than 20000000 instructions without a visible access: an endless loop?",
    );
}

#[test]
fn recursion_without_end() {
    bounded(
        "recursion.c",
        "int f(volatile int *n) {\n    int m = ++*n;\n    return f(&m) + m;\n}\nint main(void) { int n = 0; return f(&n); }\n",
        "3: more than 4000 calls in calls: endless recursion?",
    );
}

#[test]
fn ten_thousand_threads() {
    bounded(
        "threads.c",
        "#include <pthread.h>\nstatic void *idle(void *x) { return x; }\nint main(void) {\n    for (int i = 0; i < 10000; i++) {\n        pthread_t t;\n        pthread_create(&t, 0, idle, 0);\n    }\n}\n",
        "6: more than 119 threads",
    );
}

#[test]
fn output_without_end() {
    let path = program(
        "output.c",
        "#include <stdio.h>\nint main(void) {\n    for (int i = 0; i < 40000; i++)\n        puts(\"a line that is fifty characters long, with its end\");\n}\n",
    );
    let done = run(&["run", text(&path)]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(
        done.err
            .contains("only the first MiB of the output is shown")
    );
    assert!((1 << 20..(1 << 20) + 1000).contains(&done.out.len()));
}

/// A thread that has a limit in one schedule only: the others are no reason to say that it holds.
#[test]
fn a_bound_in_one_schedule_is_enough() {
    let path = program(
        "sometimes.c",
        "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int flag;\nstatic void *other(void *x) { flag = 1; return x; }\nint main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, other, 0);\n    if (flag)\n        for (volatile int x = 0;; x++)\n            ;\n    pthread_join(t, 0);\n}\n",
    );
    let done = run(&["test", text(&path)]);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(unwrapped(&done).contains("sometimes.c:9: more than 20000000"));
}

#[test]
fn steps_time_and_memory_of_the_tool() {
    let steps = run(&["run", "corpus/harness/c/philosophers.c", "--steps", "3"]);
    assert_eq!(steps.code, Some(3), "{steps:?}");
    assert!(
        steps.out.contains("the limit of steps was reached"),
        "{steps:?}"
    );
    let time = run(&["test", "corpus/fuzz/stack.c", "--budget", "1ms"]);
    assert!(
        unwrapped(&time).contains("the time limit was reached"),
        "{time:?}"
    );
    assert!(matches!(time.code, Some(0 | 3)), "{time:?}");
}

#[test]
fn a_million_operations_in_a_gigabyte() {
    let many = if std::env::var_os("LINSPECT_LONG").is_some() {
        "1000000"
    } else {
        "200000"
    };
    let history = run(&["generate", "queue", "--ops", many, "--clients", "8"]);
    assert_eq!(history.code, Some(0), "{}", history.err);
    let path = program("history.jsonl", &history.out);
    let done = Command::new("prlimit")
        .args(["--as=1000000000", env!("CARGO_BIN_EXE_linspect"), "check"])
        .arg(&path)
        .output()
        .expect("prlimit starts");
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{said}");
    std::fs::remove_file(path).expect("it was there");
}

/// Whatever is given as a finding, no more of it is read than a finding can have.
#[test]
fn a_finding_without_end() {
    for verb in ["report", "minimise"] {
        let done = run(&[verb, "/dev/zero"]);
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.err.contains("no finding is larger"), "{done:?}");
    }
}
