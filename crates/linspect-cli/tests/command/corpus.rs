//! Histories with known verdicts, through the command.

use crate::linspect::{repository, run};
use serde_json::Value;
use std::collections::BTreeSet;

fn files(folder: &str) -> Vec<String> {
    let folder = format!("corpus/histories/{folder}");
    let entries = std::fs::read_dir(repository().join(&folder)).expect("the corpus");
    let mut files: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|name| format!("{folder}/{name}"))
        .collect();
    files.sort();
    files
}

#[test]
fn every_history_of_the_corpus_has_its_verdict() {
    let schema = std::fs::read_to_string(repository().join("docs/finding.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let mut specs = BTreeSet::new();
    for (folder, answer, code) in [("pass", "holds", 0), ("fail", "violated", 1)] {
        for file in files(folder) {
            let done = run(&["check", &file, "--json"]);
            assert_eq!(done.code, Some(code), "{file}: {done:?}");
            let finding: Value = serde_json::from_str(&done.out).unwrap();
            assert_eq!(finding["verdict"]["answer"], answer, "{file}");
            assert!(schema.is_valid(&finding), "{file}");
            specs.insert(format!("{folder} {}", finding["checked"]["spec"]));
        }
    }
    // 18 specifications, each right and wrong.
    assert_eq!(specs.len(), 36, "{specs:?}");
}

#[test]
fn a_violation_has_evidence_and_a_page() {
    let out = tempfile::tempdir().unwrap();
    let page = out.path().join("deep/report.html");
    let html = page.to_str().unwrap();
    let done = run(&["check", "corpus/histories/fail/queue.jsonl", "--html", html]);
    assert_eq!(done.code, Some(1), "{done:?}");
    for part in ["✗ NOT LINEARIZABLE · ", "as a queue", "dequeue() → 2"] {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    assert_eq!(done.err, format!("report: {html}\n"));
    assert!(
        std::fs::read_to_string(page)
            .unwrap()
            .contains("NOT LINEARIZABLE")
    );
}

/// A queue as rules of a file says what the built-in queue says of every history of queues.
#[test]
fn a_model_of_the_users_own_is_a_specification() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("line.toml");
    let rules = r#"
        initial = "[]"
        [calls]
        "enqueue(x)" = "[..q] -> [..q, x]"
        "dequeue()" = ["[x, ..q] -> [..q] returns x", "[] -> [] returns nil"]
    "#;
    std::fs::write(&model, rules).unwrap();
    let spec = model.to_str().unwrap();
    for (file, code) in [("pass/queue.jsonl", 0), ("fail/queue.jsonl", 1)] {
        let file = format!("corpus/histories/{file}");
        let done = run(&["check", &file, "--spec", spec]);
        assert_eq!(done.code, Some(code), "{done:?}");
        assert!(done.out.contains("line"), "{done:?}");
    }
    let wrong = |text: &str, said: &str| {
        std::fs::write(&model, text).unwrap();
        let done = run(&["check", "corpus/histories/pass/queue.jsonl", "--spec", spec]);
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.err.contains(said), "{said}: {done:?}");
        assert!(done.err.contains("docs/models.md"), "{done:?}");
    };
    wrong(
        &rules.replace("returns x", "returns y"),
        "nobody says what `y` is",
    );
    wrong(&rules.replace("[calls]", "[call]"), "unknown field `call`");
    wrong(
        &rules.replace("..q, x", "..q, x,"),
        "a value, a name or a list",
    );
    std::fs::write(&model, rules.replace("enqueue", "push")).unwrap();
    let done = run(&["check", "corpus/histories/pass/queue.jsonl", "--spec", spec]);
    assert_eq!(done.code, Some(2), "{done:?}");
    let said = "line has no method `enqueue` (it has dequeue, push)";
    assert!(done.err.contains(said), "{done:?}");
}

/// Recorded histories of others, with their verdicts, are checked where they lie beside the repository.
#[test]
fn recorded_histories_beside_the_repository_have_their_verdicts() {
    let folder = repository().join("../shared/histories");
    let Ok(verdicts) = std::fs::read_to_string(folder.join("verdicts.csv")) else {
        println!("there is no {}: nothing to check", folder.display());
        return;
    };
    let rows: Vec<Vec<&str>> = verdicts
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect();
    assert!(!rows.is_empty());
    let paths: Vec<String> = rows
        .iter()
        .map(|row| folder.join(row[0]).to_str().unwrap().to_owned())
        .collect();
    let mut arguments = vec!["check", "--json"];
    arguments.extend(paths.iter().map(String::as_str));
    let done = run(&arguments);
    let findings: Vec<Value> = serde_json::from_str(&done.out).unwrap();
    assert_eq!(findings.len(), rows.len());
    for (row, finding) in rows.iter().zip(&findings) {
        let answer = if row[2] == "yes" { "holds" } else { "violated" };
        assert_eq!(finding["verdict"]["answer"], answer, "{}", row[0]);
        assert_eq!(finding["checked"]["spec"], row[1], "{}", row[0]);
        if answer == "violated" {
            let core = finding["verdict"]["evidence"]["core"].as_array().unwrap();
            assert!(!core.is_empty(), "{}", row[0]);
        }
    }
}

/// Three machines check a third of the files each; what they print is one report again, in the order of the files, and a file that is no history is not lost.
#[test]
fn parts_of_many_histories_are_one_report() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let read = |name: &str| std::fs::read_to_string(place(name)).expect("a file");
    let mut all = [files("pass"), files("fail")].concat();
    all.insert(3, "corpus/histories/README.md".to_owned());
    let words: Vec<&str> = all.iter().map(String::as_str).collect();
    let whole = place("whole.sarif");
    let whole = run(&[&["check", "--sarif", &whole], &words[..]].concat());
    assert_eq!(whole.code, Some(2), "{whole:?}");
    let parts = ["1", "2", "3"].map(|part| {
        let (name, partition) = (place(part), format!("count:{part}/3"));
        let check = ["check", "--json", "--partition", &partition];
        let done = run(&[&check, &words[..]].concat());
        std::fs::write(&name, done.out).expect("a file");
        name
    });
    let (sarif, junit) = (place("merged.sarif"), place("merged.xml"));
    let forms = ["--sarif", &sarif, "--junit", &junit, "--json"];
    let parts = parts.each_ref().map(String::as_str);
    let merged = run(&[&["report"], &parts[..], &forms].concat());
    assert_eq!(merged.code, Some(2), "{}", merged.err);
    assert!(merged.err.contains("README.md"), "{}", merged.err);
    assert_eq!(read("merged.sarif"), read("whole.sarif"));
    let cases = read("merged.xml").matches("<testcase ").count();
    assert_eq!(cases, all.len() - 1);
    let findings = serde_json::Deserializer::from_str(&merged.out).into_iter::<Value>();
    let checked = findings.map(|finding| finding.expect("JSON")["checked"]["source"].clone());
    let checked: Vec<Value> = checked.collect();
    all.remove(3);
    assert_eq!(checked, all);
    // Cut short, it is no part.
    let text = read("2");
    std::fs::write(place("2"), &text[..text.len() / 2]).expect("a file");
    let damaged = run(&[&["report"], &parts[..]].concat());
    assert_eq!(damaged.code, Some(2), "{damaged:?}");
    assert!(
        damaged.err.contains("not a Linspect finding"),
        "{damaged:?}"
    );
}
