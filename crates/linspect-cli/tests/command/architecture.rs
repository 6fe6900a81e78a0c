//! Invariants of ARCHITECTURE.md that no compiler holds: who may drive a machine, and who may say how a run ended.

use crate::linspect::repository;
use std::path::{Path, PathBuf};

/// Who drives a machine: the runner, walks that go back to earlier states, and machines around machines.
const DRIVERS: &[&str] = &[
    "linspect-core/src/run.rs",
    "linspect-diagnose/src/localise/dag.rs",
    "linspect-diagnose/src/repair/enforce.rs",
    "linspect-explore/src/course.rs",
    "linspect-explore/src/search/livelock.rs",
    "linspect-explore/src/strategies/exhaustive.rs",
    "linspect-explore/src/stuck.rs",
];

#[test]
fn only_the_runner_and_walks_drive_a_machine() {
    let drives = |line: &str| {
        ["step", "finish"].iter().any(|verb| {
            ["machine", "vm"]
                .iter()
                .any(|noun| line.contains(&format!("{noun}.{verb}(")))
        })
    };
    let drivers = users(&|text| text.lines().any(drives));
    assert_eq!(drivers, DRIVERS, "run a schedule with `linspect_core::run`");
}

/// Who looks at how a run ended: who makes the end, who says what is wrong with it, and who names it.
const ENDS: &[&str] = &[
    "linspect-cli/src/command/run.rs",
    "linspect-core/src/defect.rs",
    "linspect-core/src/run.rs",
    "linspect-engine/src/narrate.rs",
    "linspect-engine/src/tree.rs",
];

#[test]
fn only_the_classifier_says_what_a_deadlock_means() {
    let users = users(&|text| text.contains("End::Deadlock"));
    assert_eq!(users, ENDS, "ask `linspect_core::defect`");
}

/// The source files, without their unit tests, whose text `uses` something.
fn users(uses: &dyn Fn(&str) -> bool) -> Vec<String> {
    let crates = repository().join("crates");
    let mut found = Vec::new();
    for package in entries(&crates) {
        visit(&package.join("src"), &mut |path, text| {
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            if uses(code) {
                let name = path.strip_prefix(&crates).unwrap();
                found.push(name.to_str().unwrap().to_owned());
            }
        });
    }
    found.sort();
    found
}

fn visit(folder: &Path, each: &mut dyn FnMut(&Path, &str)) {
    for path in entries(folder) {
        if path.is_dir() {
            visit(&path, each);
        } else if path.extension().is_some_and(|e| e == "rs") {
            each(&path, &std::fs::read_to_string(&path).unwrap());
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}
