//! Programs and objects whose outcome depends on the order of steps that are easily taken for none, or on what orders them.
//!
//! The first line of each says what must come of it: `// exit 1: WORDS` or `// exit 0: WORDS`. A second line `// options: …` has what is typed
//! besides. What is found must be found again by its replay.

use crate::linspect::{repository, run};
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    repository().join("corpus/order")
}

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(corpus().join(folder)).expect("the corpus");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("a file").path()).collect();
    files.sort();
    files
}

fn check(file: &Path) {
    let name = file.display();
    let text = std::fs::read_to_string(file).expect("a readable file");
    let expected = text.strip_prefix("// exit ").expect("an expectation");
    let (exit, words) = expected.split_once(": ").expect("an exit code");
    let words = words.lines().next().expect("words");
    let options = text.lines().nth(1).unwrap_or_default();
    let options = options.strip_prefix("// options: ").unwrap_or_default();
    let out = tempfile::tempdir().expect("a temporary directory");
    let (file_text, folder) = (name.to_string(), out.path().display().to_string());
    let mut typed = vec!["test", &file_text, "--out", &folder];
    typed.extend(options.split_whitespace());
    let ran = run(&typed);
    let code = ran.code.expect("an exit code");
    assert_eq!(code.to_string(), exit, "{name}: {}{}", ran.out, ran.err);
    assert!(ran.out.contains(words), "{name}: {}", ran.out);
    if code == 1 {
        again(
            file,
            &out.path().join(format!("{}.json", stem(file))),
            words,
        );
    }
}

/// What the finding says to type shows the same again.
fn again(file: &Path, finding: &Path, words: &str) {
    let json = std::fs::read_to_string(finding).expect("a finding");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let token = json["replay"]["token"].as_str().expect("a token");
    let arguments = json["replay"]["arguments"].as_array().expect("arguments");
    let arguments = arguments.iter().map(|a| a.as_str().expect("text"));
    let out = tempfile::tempdir().expect("a temporary directory");
    let folder = out.path().display().to_string();
    let mut typed = vec!["replay", token];
    typed.extend(arguments);
    typed.extend(["--out", &folder]);
    let ran = run(&typed);
    let name = file.display();
    assert!(ran.out.contains(words), "{name}: {}", ran.out);
    assert_eq!(ran.code, Some(1), "{name}: {}{}", ran.out, ran.err);
}

fn stem(file: &Path) -> String {
    file.file_stem()
        .expect("a name")
        .to_string_lossy()
        .into_owned()
}

#[test]
fn orders_of_c_programs_are_seen() {
    files("c").iter().for_each(|file| check(file));
}

#[test]
fn orders_of_cpp_programs_are_seen() {
    files("cpp").iter().for_each(|file| check(file));
}

#[test]
fn orders_of_rust_programs_are_seen() {
    files("rust").iter().for_each(|file| check(file));
}
