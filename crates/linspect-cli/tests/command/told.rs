//! What reports say of programs whose cause is known, and what they must not say. Each program ends with lines `says:` and `never:`, each a part of the report whose spaces and
//! line breaks do not count.

use crate::linspect::{repository, run};
use std::path::{Path, PathBuf};

/// What is wrong with the report of this file, if anything is.
fn wrong(file: &Path, out: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("a file of the corpus");
    let all = |key: &'static str| {
        let lines = text.lines().filter_map(|line| line.strip_prefix("// "));
        lines.filter_map(move |line| line.strip_prefix(key)?.strip_prefix(": "))
    };
    let (Some(path), Some(out)) = (file.to_str(), out.to_str()) else {
        unreachable!("paths of this repository are text");
    };
    let options = all("options").next().unwrap_or_default();
    let mut arguments = vec!["test", path, "--out", out];
    arguments.extend(options.split_whitespace());
    arguments.extend(
        all("client")
            .next()
            .into_iter()
            .flat_map(|client| ["--client", client]),
    );
    let done = run(&arguments);
    let said = format!("{} {}", done.out, done.err);
    let said = said.replace('\u{a0}', " ");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let missing = all("says").filter(|part| !said.contains(part));
    let missing = missing.map(|part| format!("does not say: {part}"));
    let false_ones = all("never").filter(|part| said.contains(part));
    let false_ones = false_ones.map(|part| format!("says: {part}"));
    let mut wrong: Vec<String> = missing.chain(false_ones).collect();
    assert!(all("says").next().is_some(), "{path} claims nothing");
    if !wrong.is_empty() {
        wrong.insert(0, format!("{path}\n{}{}", done.out, done.err));
    }
    wrong
}

#[test]
fn reports_say_the_cause_and_nothing_false() {
    let folder = repository().join("corpus/told");
    let files = std::fs::read_dir(folder).expect("the corpus");
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "no files");
    let out = tempfile::tempdir().expect("a folder");
    let wrong: Vec<String> = files
        .iter()
        .flat_map(|file| wrong(file, out.path()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whoever types what other tools call it is told what it is called here; what is no such name stays as it was.
#[test]
fn a_time_limit_by_another_name_leads_to_the_budget() {
    let done = run(&["test", "corpus/told/once_config.rs", "--time", "5s"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("'--budget'"), "{done:?}");
    let done = run(&["check", "corpus/told/once_config.rs", "--time", "5s"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(!done.err.contains("--budget"), "{done:?}");
}
