//! What people write first works, or one sentence says what to write.

use crate::linspect::{Run, run};
use std::path::Path;

fn tested(folder: &Path, file: &str, text: &str, flags: &[&str]) -> Run {
    let path = folder.join(file);
    std::fs::write(&path, text).expect("a file");
    let (path, out) = (path.to_str().expect("UTF-8"), folder.join("out"));
    let out = out.to_str().expect("UTF-8");
    let sizes = ["--max-operations", "2", "--threads", "2"];
    run(&[&["test", path, "--out", out][..], &sizes, flags].concat())
}

/// Results that are no plain numbers.
const RESULTS: &str = r#"
#include <linspect.h>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

static std::vector<int> items;
static std::mutex lock;
using Both = std::pair<int, std::optional<bool>>;

static std::optional<int> pop() {
    std::lock_guard<std::mutex> guard(lock);
    if (items.empty()) return {};
    int last = items.back();
    items.pop_back();
    return last;
}
static void push(int v) { std::lock_guard<std::mutex> guard(lock); items.push_back(v); }

LINSPECT_SETUP { items.clear(); }
LINSPECT_OP(push, push(v), int v, 1, 2)
LINSPECT_OP_RET(std::optional<int>, pop, pop())
#ifdef MORE
LINSPECT_OP_RET(Both, both, Both(1, true))
LINSPECT_OP_RET(std::string, name, std::string("x"))
LINSPECT_OP_RET(double, half, 0.5)
#else
LINSPECT_SPEC(stack)
#endif
"#;

#[test]
fn results_of_the_standard_library_are_understood() {
    let folder = tempfile::tempdir().expect("a folder");
    for flags in [&[][..], &["--cflag=-DMORE"]] {
        let done = tested(folder.path(), "stack.cpp", RESULTS, flags);
        assert_eq!(done.code, Some(0), "{done:?}");
    }
}

#[test]
fn a_comma_in_a_macro_is_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = [
        "#include <linspect.h>\n#include <map>\nstatic int x;\nLINSPECT_SETUP { x = 0; }\n\
         LINSPECT_OP_RET(int, get, x)\nLINSPECT_MODEL(std::map<int, int>, m, {})\nLINSPECT_MODEL_OP_RET(int, get, 0)\n",
        "#include <linspect.h>\nstruct X { int a; };\nstatic int x;\nLINSPECT_SETUP { x = 0; }\nLINSPECT_OP_RET(X, get, X{x})\n",
    ];
    for text in wrong {
        let done = tested(folder.path(), "comma.cpp", text, &[]);
        assert_eq!(done.code, Some(2), "{done:?}");
        let said = "give a type with a comma a name";
        assert!(done.err.contains(said), "{done:?}");
        assert!(!done.err.contains("--cflag passes arguments"), "{done:?}");
    }
}

/// A bag with room for so many; its specification has room for one.
const BAG: &str = "\
#include <linspect.h>
#include <pthread.h>
static int items[2], count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Bool put(int v) {
    pthread_mutex_lock(&lock);
    _Bool fits = count < ROOM;
    if (fits) items[count++] = v;
    pthread_mutex_unlock(&lock);
    return fits;
}
static int get(void) {
    pthread_mutex_lock(&lock);
    int v = count ? items[--count] : -1;
    pthread_mutex_unlock(&lock);
    return v;
}
LINSPECT_SETUP { count = 0; }
LINSPECT_OP_RET(_Bool, send, put(v), int v, 1, 2)
LINSPECT_OP_RET(int, receive, get())
LINSPECT_SPEC(multiset, .capacity = 1, .empty = -1)
";

/// A value that has no second one would be left out in silence.
#[test]
fn values_of_two_arguments_come_in_pairs() {
    let folder = tempfile::tempdir().expect("a folder");
    let harness = |values: &str| {
        format!(
            "#include <linspect.h>\nstatic int a;\nLINSPECT_SETUP {{ a = 0; }}\nLINSPECT_OP2(put, a = k + v, int k, int v, {values})\n"
        )
    };
    for file in ["two.c", "two.cpp"] {
        let done = tested(folder.path(), file, &harness("1, 1, 2"), &[]);
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.err.contains("values come in pairs"), "{done:?}");
        let done = tested(
            folder.path(),
            file,
            &harness("1, 1, 2, 0"),
            &["--allow-race", "a"],
        );
        assert_eq!(done.code, Some(0), "{done:?}");
    }
}

#[test]
fn a_bounded_bag_sends_and_receives() {
    let folder = tempfile::tempdir().expect("a folder");
    let done = tested(folder.path(), "bag.c", BAG, &["--cflag=-DROOM=1"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    // It takes more than it should.
    let done = tested(folder.path(), "bag.c", BAG, &["--cflag=-DROOM=2"]);
    assert_eq!(done.code, Some(1), "{done:?}");
}

#[test]
fn an_operation_of_another_name_is_told_how_to_be_called() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = BAG.replace("receive, get()", "fetch_one, get()");
    let done = tested(folder.path(), "bag.c", &text, &["--cflag=-DROOM=1"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(
        done.err.contains("multiset has no method `fetch_one`"),
        "{done:?}"
    );
    assert!(
        done.err.contains("LINSPECT_OP(push, my_put(q, v)"),
        "{done:?}"
    );
}

/// An operation that gives up beside others, of a queue that may be relaxed.
#[test]
fn what_may_fail_may_be_relaxed() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "\
use std::collections::VecDeque;
use std::sync::Mutex;
struct Polite(Mutex<VecDeque<u8>>);
linspect::harness! {
    queue: Polite = Polite(Mutex::new(VecDeque::new()));
    fn enqueue(&self, value: u8 in [1]) => queue.0.lock().unwrap().push_back(value);
    @
    fn dequeue(&self) -> Option<u8> => queue.0.try_lock().ok().and_then(|mut items| items.pop_front());
    spec = queue;
}
";
    let relaxed = ["--relax", "1", "--memory-model", "sc"];
    let done = tested(folder.path(), "a.rs", &text.replace('@', ""), &relaxed);
    assert_eq!(done.code, Some(1), "{done:?}");
    let may = text.replace('@', "#[may_fail(nil)]");
    let done = tested(folder.path(), "a.rs", &may, &relaxed);
    assert_eq!(done.code, Some(0), "{done:?}");
}

/// A test that was written for a real machine goes round too often for all schedules: which constant it is is said.
#[test]
fn the_constant_that_makes_a_test_too_long_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "\
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
const COUNT: usize = 100_000;
static N: AtomicUsize = AtomicUsize::new(0);

#[linspect::test(budget = \"1s\")]
fn counts() {
    let other = std::thread::spawn(|| {
        for _ in 0..COUNT {
            N.fetch_add(1, SeqCst);
        }
    });
    for _ in 0..COUNT {
        N.fetch_add(1, SeqCst);
    }
    other.join().unwrap();
    assert_eq!(N.load(SeqCst), 2 * COUNT);
}
";
    let path = folder.path().join("long.rs");
    std::fs::write(&path, text).expect("a file");
    let done = run(&[
        "test",
        path.to_str().expect("UTF-8"),
        "--memory-model",
        "sc",
    ]);
    assert_eq!(done.code, Some(3), "{done:?}");
    for said in [
        "long.rs:8 (COUNT = 100000, line 2)",
        "long.rs:12 (COUNT = 100000, line 2)",
    ] {
        assert!(done.err.contains(said), "{done:?}");
    }
}
