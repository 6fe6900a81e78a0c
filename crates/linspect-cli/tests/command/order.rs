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
    let mut typed = vec!["test", "-v", &file_text, "--out", &folder];
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
    let mut typed = vec!["replay", "-v", token];
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

/// A race that is not the headline is still in the finding, with both places and a replay of its own.
#[test]
fn a_race_stands_beside_another_fault() {
    let file = corpus().join("c/race_and_fault.c").display().to_string();
    let ran = run(&["test", &file, "--json"]);
    let finding: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(finding["verdict"]["fault"]["kind"], "assertion failed");
    let race = &finding["data_races"][0];
    assert_eq!(race["variable"], "counter");
    let lines = [0, 1].map(|i| race["accesses"][i]["span"]["line"].as_u64());
    assert_eq!(lines, [Some(9), Some(9)]);
    let token = race["replay"]["token"].as_str().expect("a token");
    let again = run(&["replay", token, &file, "--json"]);
    let finding: serde_json::Value = serde_json::from_str(&again.out).expect("JSON");
    assert_eq!(finding["data_races"][0]["variable"], "counter");
}

/// What is a fault by default can be a note, or meant.
#[test]
fn races_can_be_noted_and_allowed() {
    let file = corpus()
        .join("rust/relaxed_publish.rs")
        .display()
        .to_string();
    let noted = run(&["test", &file, "--operations", "2", "--races", "note"]);
    assert_eq!(noted.code, Some(0), "{}", noted.out);
    assert!(
        noted.err.contains("note: data race between"),
        "{}",
        noted.err
    );
    let allowed = run(&["test", &file, "--operations", "2", "--allow-race", "value"]);
    assert_eq!(allowed.code, Some(0), "{}", allowed.out);
    assert!(!allowed.out.contains("data race"), "{}", allowed.out);
    let other = run(&["test", &file, "--operations", "2", "--allow-race", "full"]);
    assert_eq!(other.code, Some(1), "{}", other.out);
}
