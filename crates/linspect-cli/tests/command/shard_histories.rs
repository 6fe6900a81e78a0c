//! Many histories on many machines: what `linspect check` says of them.

use crate::linspect::{Run, run};
use crate::shard::{folder, same, text};
use std::fs;
use std::path::{Path, PathBuf};

/// Histories of all kinds: right, wrong, and one that is none.
fn histories(root: &Path) -> Vec<String> {
    fs::create_dir_all(root).expect("a folder");
    let mut all = Vec::new();
    for from in ["pass", "fail"] {
        let from = Path::new("../../corpus/histories").join(from);
        let entries = fs::read_dir(from).expect("a corpus");
        let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
        paths.retain(|path| path.is_file());
        paths.sort();
        for path in paths {
            let to = root.join(format!(
                "{}-{}",
                all.len(),
                path.file_name().unwrap().display()
            ));
            fs::copy(&path, &to).expect("copied");
            all.push(text(&to).to_owned());
        }
    }
    let none = root.join("none.jsonl");
    fs::write(&none, "this is no history\n").expect("written");
    all.insert(3, text(&none).to_owned());
    all
}

fn plan(folder: &Path, shards: usize, files: &[String]) -> Run {
    let shards = shards.to_string();
    let mut words = vec![
        "shard",
        "plan",
        text(folder),
        "--shards",
        &shards,
        "--",
        "check",
    ];
    words.extend(files.iter().map(String::as_str));
    run(&words)
}

fn merge(folder: &Path) -> Run {
    run(&["shard", "merge", text(folder), "--", "--json"])
}

#[test]
fn histories_in_tasks_come_to_what_one_check_says() {
    let root = folder("histories");
    let files = histories(&root.join("files"));
    let mut words = vec!["check", "--json"];
    words.extend(files.iter().map(String::as_str));
    let one = run(&words);
    assert_eq!(one.code, Some(2), "{one:?}");
    for shards in [1, 7, 100] {
        let folder = root.join(shards.to_string());
        let planned = plan(&folder, shards, &files);
        assert_eq!(planned.code, Some(0), "{planned:?}");
        let count = shards.min(files.len());
        assert!(planned.out.starts_with(&format!("{count} tasks in ")));
        let missing = merge(&folder);
        assert!(
            missing.err.contains("tasks have no result yet: 0"),
            "{missing:?}"
        );
        let last = (count - 1).to_string();
        assert_eq!(run(&["shard", "run", text(&folder), &last]).code, Some(0));
        assert_eq!(run(&["shard", "run", text(&folder)]).code, Some(0));
        let status = run(&["shard", "status", text(&folder)]);
        let all = files.len();
        let said = format!("{count} of {count} tasks done: {all} of {all} histories\n");
        assert_eq!((status.code, status.out), (Some(0), said));
        same(&merge(&folder), &one);
    }
}

/// A result that is cut short, one of another plan, and a history that was changed are refused.
#[test]
fn results_of_other_histories_are_not_used() {
    let root = folder("other-histories");
    let files = histories(&root.join("files"));
    let (first, second) = (root.join("first"), root.join("second"));
    assert_eq!(plan(&first, 3, &files).code, Some(0));
    assert_eq!(plan(&second, 3, &files[1..]).code, Some(0));
    assert_eq!(run(&["shard", "run", text(&first)]).code, Some(0));
    let whole = merge(&first);
    let result = first.join("results/task-000001");
    let bytes = fs::read(&result).expect("a result");
    fs::write(&result, &bytes[..bytes.len() - 3]).expect("written");
    let refused = merge(&first);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused
            .err
            .contains("task-000001 is not used: it is damaged")
    );
    assert!(refused.err.contains("1 of 3 tasks have no result yet: 1\n"));
    assert_eq!(run(&["shard", "run", text(&first)]).code, Some(0));
    assert!(
        fs::read(&result).expect("a result") == bytes,
        "not the same bytes"
    );
    same(&merge(&first), &whole);
    fs::copy(&result, second.join("results/task-000001")).expect("copied");
    let refused = merge(&second);
    assert!(
        refused.err.contains("it is of another program"),
        "{refused:?}"
    );
    let last = files.last().expect("a file");
    fs::write(last, "{}\n").expect("written");
    let refused = run(&["shard", "run", text(&first), "2"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused
            .err
            .contains("the plan was made for another history")
    );
    let stdin = run(&[
        "shard",
        "plan",
        text(&root.join("stdin")),
        "--",
        "check",
        "-",
    ]);
    assert!(
        stdin
            .err
            .contains("standard input cannot be read by several tasks")
    );
}
