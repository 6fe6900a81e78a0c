//! Programs in the style of the software-verification competition: `linspect test` gives each of them the verdict that its name says.

use crate::linspect::{repository, run};
use std::sync::Mutex;

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
