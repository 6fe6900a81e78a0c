//! What is wrong with a description of an object is said, with what to do; it is never a violation.

use crate::linspect::{Run, run};
use std::path::Path;

/// A harness, and what is said about it.
const FLAWED: [(&str, &[&str]); 13] = [
    // The constructor fails.
    (
        "#include <linspect.h>
         #include <stdlib.h>
         static int *make(void) { abort(); }
         LINSPECT_OBJECT(int *, x, make())
         LINSPECT_OP_RET(int, get, *x)",
        &[
            "the object's constructor failed",
            "(harness.c:3)",
            "LINSPECT_OBJECT",
        ],
    ),
    // It never returns.
    (
        "#include <linspect.h>
         static int *make(void) { for (volatile int i = 0;; i++) { } }
         LINSPECT_OBJECT(int *, x, make())
         LINSPECT_OP_RET(int, get, *x)",
        &["the object's constructor failed", "instructions"],
    ),
    // It waits for ever.
    (
        "#include <linspect.h>
         #include <pthread.h>
         static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         static int make(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }
         LINSPECT_OBJECT(int, x, make())
         LINSPECT_OP_RET(int, get, x)",
        &["the object's constructor failed", "blocks for ever"],
    ),
    // There is none.
    (
        "#include <linspect.h>
         static int *x;
         LINSPECT_OP_RET(int, get, *x)",
        &[
            "no operation works on a new object; get(): ",
            "(harness.c:3)",
            "is the object built?",
        ],
    ),
    // Nobody may call anything beside somebody else.
    (
        "#include <linspect.h>
         static int x;
         LINSPECT_SETUP { x = 0; }
         LINSPECT_OP_RET(int, get, x)
         LINSPECT_SINGLE_THREAD(get)",
        &["no two threads can call its operations"],
    ),
    // There are no operations.
    (
        "#include <linspect.h>
         LINSPECT_OBJECT(int, x, 0)",
        &["declares no operation", "docs/harness.md"],
    ),
    // Nobody can ever return.
    (
        "#include <linspect.h>
         #include <semaphore.h>
         static sem_t s;
         LINSPECT_SETUP { sem_init(&s, 0, 0); }
         LINSPECT_OP(take, sem_wait(&s))",
        &["every operation waits for ever on a new object, take() too"],
    ),
    // An operation throws dice.
    (
        "#include <linspect.h>
         #include <stdlib.h>
         LINSPECT_OBJECT(int, x, 0)
         LINSPECT_OP_RET(int, roll, rand() % 1000)",
        &[
            "roll() is not deterministic: nobody else runs, and it returned",
            "multiset",
        ],
    ),
    // A model throws dice.
    (
        "#include <linspect.h>
         #include <time.h>
         LINSPECT_OBJECT(int, x, 0)
         LINSPECT_OP_RET(int, get, x)
         LINSPECT_MODEL(int, m, 0)
         LINSPECT_MODEL_OP_RET(int, get, (int)clock())",
        &["get() is not deterministic"],
    ),
    // The model lacks an operation.
    (
        "#include <linspect.h>
         LINSPECT_OBJECT(int, x, 0)
         LINSPECT_OP_RET(int, get, x)
         LINSPECT_OP(set, x = v, int v, 1)
         LINSPECT_MODEL(int, m, 0)
         LINSPECT_MODEL_OP_RET(int, get, m)",
        &["the model has no operation `set`"],
    ),
    // The specification has other operations.
    (
        "#include <linspect.h>
         LINSPECT_OBJECT(int, x, 0)
         LINSPECT_OP(frobnicate, x = v, int v, 1)
         LINSPECT_SPEC(queue)",
        &["the specification does not fit the harness: queue has no method `frobnicate`"],
    ),
    // Nothing is spelled otherwise.
    (
        "#include <linspect.h>
         static int x[9], n;
         LINSPECT_SETUP { n = 0; }
         LINSPECT_OP(push, x[n++] = v, int v, 1, 2)
         LINSPECT_OP_RET(int, pop, n ? x[--n] : -1)
         LINSPECT_SPEC(stack)",
        &[
            "pop() returned -1 from a new object, where stack has nothing to give",
            "LINSPECT_SPEC(stack, .empty = -1)",
        ],
    ),
    // What is there at first is not said.
    (
        "#include <linspect.h>
         static int x;
         LINSPECT_SETUP { x = 5; }
         LINSPECT_OP(write, x = v, int v, 1, 2)
         LINSPECT_OP_RET(int, read, x)
         LINSPECT_SPEC(register)",
        &[
            "read() returned 5 from a new object, where register has nothing to give",
            "LINSPECT_SPEC(register, .initial = 5)",
        ],
    ),
];

/// A harness is a test, and so a function, that is called like its object.
#[test]
fn what_is_called_like_the_object_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("twice.rs");
    let source = "use std::sync::Mutex;
fn count() -> Mutex<u32> { Mutex::new(0) }
linspect::harness! {
    count: Mutex<u32> = count();

    fn add(&self) -> u32 => { *count.lock().unwrap() += 1; 0 };
}";
    std::fs::write(&file, source).unwrap();
    let done = run(&["test", file.to_str().unwrap()]);
    assert_eq!(done.code, Some(2), "{done:?}");
    let words = "a harness is a test that is called like its object";
    assert!(done.err.contains(words), "{done:?}");
}

/// What safe code cannot share between threads is refused by the compiler, not called racy.
#[test]
fn an_object_that_cannot_be_shared_does_not_compile() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cell.rs");
    let harness = "linspect::harness! {
        cell: std::cell::Cell<u32> = std::cell::Cell::new(0);
        fn add(&self) -> u32 => { cell.set(cell.get() + 1); cell.get() };
    }";
    std::fs::write(&file, harness).unwrap();
    let done = run(&["test", file.to_str().unwrap()]);
    assert_eq!(done.code, Some(2), "{done:?}");
    let said = "`Cell<u32>` cannot be shared between threads safely";
    assert!(done.err.contains(said), "{}", done.err);
}

/// clang takes an older C++ for granted than many write.
#[test]
fn a_newer_standard_of_cpp_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("harness.cpp");
    let source = "#include <linspect.h>
         #include <semaphore>
         static std::counting_semaphore<2> *s;
         LINSPECT_SETUP { s = new std::counting_semaphore<2>(1); }
         LINSPECT_OP_RET(bool, take, s->try_acquire())";
    std::fs::write(&path, source).unwrap();
    let done = test(&path, &["--cflag", "-std=c++17"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("--cflag -std=c++20"), "{}", done.err);
    let done = test(&path, &["--cflag", "-std=c++20"]);
    assert_eq!(done.code, Some(0), "{done:?}");
}

#[test]
fn a_wrong_harness_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("harness.c");
    for (source, parts) in FLAWED {
        std::fs::write(&path, source).unwrap();
        let done = test(&path, &[]);
        // A bound of the machine decides nothing.
        let code = if parts.contains(&"instructions") {
            3
        } else {
            2
        };
        assert_eq!(done.code, Some(code), "{source}\n{done:?}");
        for part in parts {
            assert!(done.err.contains(part), "{part}\n{}", done.err);
        }
        assert!(done.err.contains("help:"), "{}", done.err);
    }
}

#[test]
fn a_wrong_choice_of_functions_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.c");
    let source = "
        static int x;
        static void set(int *to, int v) { *to = v; }
        static int get(int *from) { return *from; }
        static void unused(void) { }
        int main(void) { set(&x, 1); unused(); return get(&x) - 1; }";
    std::fs::write(&path, source).unwrap();
    for (options, part) in [
        (
            &["--ops", "put"][..],
            "the program has no function `put`; it has get, main, set, unused",
        ),
        (
            &["--ops", "set,get", "--spec", "queue"],
            "queue has no method",
        ),
        (
            &["--ops", "set,get", "--spec", "self"],
            "cannot be run by themselves",
        ),
        (
            &["--spec", "stack"],
            "--spec stack: the program has no operations",
        ),
        (&["--ops", "main"], "the program never calls main"),
        (
            &["--ops", "unused"],
            "no built-in specification has the methods unused",
        ),
    ] {
        let done = test(&path, options);
        assert_eq!(done.code, Some(2), "{options:?}: {done:?}");
        assert!(done.err.contains(part), "{part}\n{}", done.err);
        assert!(done.err.contains("help:"), "{}", done.err);
    }
    // A register, as its operations suggest.
    let done = test(&path, &["--ops", "set,get"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(
        done.out.starts_with("✓ LINEARIZABLE (register)"),
        "{}",
        done.out
    );
}

fn test(path: &Path, options: &[&str]) -> Run {
    let mut arguments = vec!["test", path.to_str().unwrap()];
    arguments.extend(options);
    run(&arguments)
}
