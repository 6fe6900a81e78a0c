//! Settings that a harness or a test says itself: they count, the verdict names them, and an option on the command line wins.

use crate::cargo::{cargo_linspect, lines, package};
use crate::linspect::{Run, run};
use std::path::Path;

fn tested(folder: &Path, file: &str, text: &str, flags: &[&str]) -> Run {
    let path = folder.join(file);
    std::fs::write(&path, text).expect("a file");
    let (path, out) = (path.to_str().expect("UTF-8"), folder.join("out"));
    let out = out.to_str().expect("UTF-8");
    run(&[&["test", path, "--out", out][..], flags].concat())
}

/// Goes wrong with one preemption.
const FLAG: &str = "\
#include <linspect.h>
#include <stdatomic.h>
static atomic_int flag;
static int take(void) { if (flag) return 0; flag = 1; return 1; }
LINSPECT_SETUP { flag = 0; }
LINSPECT_OP_RET(int, take, take())
LINSPECT_SETTINGS(preemptions = 0, threads = 2, operations = 2, budget = 20s)
";

#[test]
fn a_harness_in_c_says_how_far_to_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let done = tested(folder, "flag.c", FLAG, &[]);
    assert_eq!(done.code, Some(0), "{done:?}");
    let said = "as the harness says: preemptions = 0, threads = 2, operations = 2, budget = 20s";
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&done.out).contains(said), "{done:?}");
    // What is typed wins, and the setting is no longer named.
    for flags in [&["--preemptions", "1"][..], &["--strategy", "exhaustive"]] {
        let done = tested(folder, "flag.c", FLAG, flags);
        assert_eq!(done.code, Some(1), "{flags:?} {done:?}");
        assert!(!done.out.contains("preemptions = 0"), "{flags:?} {done:?}");
    }
}

#[test]
fn what_is_no_setting_is_told_so() {
    let folder = tempfile::tempdir().expect("a folder");
    for (said, wrong) in [
        ("preemptions = 0", "colour = red"),
        ("budget = 20s", "budget = soon"),
        ("threads = 2", "threads = 1"),
    ] {
        let done = tested(folder.path(), "flag.c", &FLAG.replace(said, wrong), &[]);
        assert_eq!(done.code, Some(2), "{done:?}");
        let expected = format!("the harness says `{wrong}`, which is no setting");
        assert!(done.err.contains(&expected), "{done:?}");
        assert!(
            done.err.contains("there are budget, preemptions"),
            "{done:?}"
        );
    }
}

/// Wrong only where weaker orderings do more.
const MESSAGE: &str = r#"
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

#[linspect::test(memory = "c20", preemptions = 2, threads = 3)]
fn message() {
    static DATA: AtomicU8 = AtomicU8::new(0);
    static READY: AtomicBool = AtomicBool::new(false);
    let writer = std::thread::spawn(|| {
        DATA.store(1, Relaxed);
        READY.store(true, Relaxed);
    });
    if READY.load(Relaxed) {
        assert_eq!(DATA.load(Relaxed), 1);
    }
    writer.join().unwrap();
}
"#;

#[test]
fn a_test_says_its_memory_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let done = tested(folder, "message.rs", MESSAGE, &[]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let done = tested(folder, "message.rs", MESSAGE, &["--memory-model", "sc"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(!done.out.contains("memory = c20"), "{done:?}");
    assert!(
        done.err
            .contains("`threads` and `operations` are for harnesses"),
        "{done:?}"
    );
}

#[test]
fn a_package_says_it_above_its_tests_and_in_its_harnesses() {
    let harness = r#"
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

linspect::harness! {
    flag: AtomicBool = AtomicBool::new(false);

    fn take(&self) -> bool => !flag.swap(true, SeqCst);

    threads = 2;
    operations = 2;
}

#[test]
fn unbounded() {
    std::thread::spawn(|| ()).join().unwrap();
}

mod inner {
    #[linspect::test(executions = 50, allocator = "fresh")]
    fn bounded() {
        std::thread::spawn(|| ()).join().unwrap();
    }
}
"#;
    let folder = package("settled", &[("src/lib.rs", ""), ("tests/all.rs", harness)]);
    let done = cargo_linspect(folder.path(), &[]);
    assert_eq!(done.code, Some(0), "{done:?}");
    let said = lines(&done);
    let of = |name: &str| {
        let line = said.iter().find(|line| line.contains(name));
        line.unwrap_or_else(|| panic!("{name} was not run: {done:?}"))
    };
    assert!(
        of(" flag ").contains("as the harness says: threads = 2, operations = 2"),
        "{said:?}"
    );
    assert!(
        of("inner::bounded").contains("as the harness says: executions = 50, allocator = fresh"),
        "{said:?}"
    );
    assert!(!of("unbounded").contains("harness says"), "{said:?}");
}

/// Two draws that are the same are wrong, which a seed may never show.
const DICE: &str = "\
#include <pthread.h>
#include <stdlib.h>
#include <linspect.h>
static int other;
static void *draw(void *unused) { other = rand(); return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, draw, 0);
    int own = rand();
    pthread_join(thread, 0);
    linspect_assert(own != 2 || other != 1, \"two and one\");
    return 0;
}
";

#[test]
fn random_numbers_can_be_choices() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let code = |flags: &[&str]| tested(folder, "dice.c", DICE, flags).code;
    assert_eq!(code(&[]), Some(0));
    assert_eq!(code(&["--random", "2"]), Some(0));
    assert_eq!(code(&["--random", "3"]), Some(1));
    let said = format!("{DICE}LINSPECT_SETTINGS(random = 3)\n");
    assert_eq!(tested(folder, "dice.c", &said, &[]).code, Some(1));
}

/// What is promised of operations says nothing about a program.
#[test]
fn progress_of_a_program_is_not_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = ["--progress", "lock-free"];
    let done = tested(folder.path(), "dice.c", DICE, &flags);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(
        done.err.contains("nothing was looked at for progress"),
        "{done:?}"
    );
}

/// A counter with a lock, whose progress is looked at under sequential consistency even where C20 is asked for.
#[test]
fn progress_is_told_under_weaker_orderings_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = r#"
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

linspect::harness! {
    counter: AtomicU8 = AtomicU8::new(0);

    fn add(&self) => { counter.fetch_add(1, Relaxed); };
    fn get(&self) -> u8 => counter.load(Relaxed);

    progress = wait_free;
    memory = "c20";
    operations = 2;
    threads = 2;
}
"#;
    let done = tested(folder.path(), "counter.rs", text, &[]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.err.contains("wait-free in all"), "{done:?}");
}
