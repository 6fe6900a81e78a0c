//! Objects and programs that people bring, right ones and ones with a fault: locks, channels, lists, deques, sequence locks, hazard pointers, barriers, exchangers. The first
//! line of each says what `linspect test` has to say of it; the second may name a client or options.

use crate::linspect::{repository, run};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What stands in a line that begins so.
fn said<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let rest = |line: &'t str| line.strip_prefix("// ")?.strip_prefix(key);
    text.lines().take(2).find_map(rest).map(str::trim)
}

/// What is wrong with what is said of this file, if anything is.
fn judged(file: &Path, out: &Path) -> Option<String> {
    let text = std::fs::read_to_string(file).expect("a file of the corpus");
    let expected = said(&text, "verdict:").expect("its first line says the verdict");
    let options = said(&text, "options:").unwrap_or_default();
    let (path, out) = (file.to_str()?, out.to_str()?);
    let mut arguments = vec!["test", path, "--out", out];
    match said(&text, "client:") {
        Some(client) => arguments.extend(["--client", client]),
        None => arguments.extend(["--max-operations", "2", "--threads", "2"]),
    }
    arguments.extend(options.split_whitespace());
    let done = run(&arguments);
    let (code, begins) = match expected {
        "holds" => (0, "✓ ".to_owned()),
        "error" => (2, String::new()),
        "undecided" => (3, "? UNDECIDED".to_owned()),
        fault => (1, format!("✗ {fault}")),
    };
    let is_right = done.code == Some(code) && done.out.starts_with(&begins);
    (!is_right).then(|| format!("{}: {expected}, but {done:?}", file.display()))
}

/// Judges all files of the corpus whose names end so.
fn judge_all(extension: &str, least: usize) {
    let folder = repository().join("corpus/natural");
    let files = std::fs::read_dir(&folder).expect("the corpus");
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == extension));
    assert!(files.len() >= least, "{} files", files.len());
    let out = tempfile::tempdir().expect("a folder");
    let queue = Mutex::new(files);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        loop {
            let Some(file) = queue.lock().expect("nobody panics").pop() else {
                break;
            };
            let judged = judged(&file, out.path());
            wrong.lock().expect("nobody panics").extend(judged);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().expect("nobody panics");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn objects_in_c_get_their_verdicts() {
    judge_all("c", 20);
}

#[test]
fn objects_in_cpp_get_their_verdicts() {
    judge_all("cpp", 15);
}

#[test]
fn objects_in_rust_get_their_verdicts() {
    judge_all("rs", 20);
}
