//! Programs in the style of the software-verification competition: `linspect test` gives each of them the verdict that its name says.

use crate::linspect::{repository, run};
use std::sync::Mutex;

/// What an assumption excludes is no run that was right.
#[test]
fn where_no_run_is_left_nothing_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let tested = |file: &str, text: &str| {
        let path = folder.path().join(file);
        std::fs::write(&path, text).expect("a file");
        let (path, out) = (path.to_str().expect("UTF-8"), folder.path().join("out"));
        let out = out.to_str().expect("UTF-8");
        run(&["test", path, "--max-operations", "2", "--out", out])
    };
    let harness = |least: u32| {
        format!(
            "#include <linspect.h>\n#include <stdatomic.h>\nstatic atomic_int n;\nLINSPECT_SETUP {{ n = 0; }}\n\
             LINSPECT_OP_RET(int, add, atomic_fetch_add(&n, 1))\n\
             LINSPECT_OP_RET(int, look, (linspect_assume(n >= {least}), n))\n"
        )
    };
    let some = tested("some.c", &harness(1));
    assert_eq!(some.code, Some(0), "{some:?}");
    let note = "note: an assumption excludes every run of ";
    assert!(
        some.err.contains(note) || some.out.contains(note),
        "{some:?}"
    );
    let abort = "#include <pthread.h>\n#include <stdlib.h>\nvoid reach_error(void);\nint x;\n\
                 void *w(void *p) { x = 1; return p; }\n\
                 int main() { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); if (x == 1) abort(); reach_error(); }\n";
    let none = tested("none.c", abort);
    assert_eq!(none.code, Some(3), "{none:?}");
    let reason = "no run is left to judge";
    assert!(none.out.contains(reason), "{none:?}");
}

#[test]
fn programs_of_the_competition_get_their_verdicts() {
    let folder = repository().join("corpus/verifier");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(files.len() >= 20, "{} programs", files.len());
    let out = tempfile::tempdir().expect("a folder");
    let queue = Mutex::new(files);
    let wrong = Mutex::new(Vec::new());
    let next = || queue.lock().expect("nobody panics").pop();
    let work = || {
        while let Some(file) = next() {
            let path = file.to_str().expect("UTF-8");
            let out = out.path().to_str().expect("UTF-8");
            let done = run(&["test", path, "--budget", "20s", "--out", out]);
            let (code, said) = match path.ends_with("_false.c") {
                true => (1, "✗ ASSERTION FAILED"),
                false => (0, "✓ FREE OF FAULTS"),
            };
            if done.code != Some(code) || !done.out.starts_with(said) {
                wrong.lock().expect("nobody panics").push((file, done));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let wrong = wrong.into_inner().expect("nobody panics");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
