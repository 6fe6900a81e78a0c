//! The tables, row by row: what is quick of them, and all in the long run.

use linspect_zoo::Zoo;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the command with its sources in a folder of the test's own.
fn bench(arguments: &[&str], folder: &str) -> Output {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let mut command = Command::new(env!("CARGO_BIN_EXE_linspect-bench"));
    command.args(arguments).arg("--out").arg(out);
    command.output().expect("the command starts")
}

/// The rows that it printed as JSON.
fn rows(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    let row = |line| serde_json::from_str(line).expect("a row is JSON");
    text.lines().map(row).collect()
}

/// All known faults in the long run, else those in Rust and the programs of banks, which are of every kind.
fn parts() -> &'static [&'static str] {
    if std::env::var_os("LINSPECT_LONG").is_some() {
        &[""]
    } else {
        &["rust_", "bankaccount", "snark"]
    }
}

#[test]
fn every_known_fault_is_found() {
    let mut count = 0;
    for part in parts() {
        let done = bench(&["detection", "--json", "--only", part], "detection");
        assert_eq!(done.status.code(), Some(0), "{part}: {done:?}");
        for row in rows(&done) {
            assert_eq!(row["found"], true, "{row}");
            count += 1;
        }
    }
    assert!(count >= 12, "{count} faults");
}

#[test]
fn every_known_fault_is_in_the_table() {
    let zoo = Zoo::bundled().expect("the zoo is in order");
    let wrong = zoo.objects.iter().filter(|o| o.bug.is_some());
    let names = wrong
        .map(|o| &o.name)
        .chain(zoo.programs.iter().map(|p| &p.name));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/trust.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let listed: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("✓ ").or(line.strip_prefix("✗ ")))
        .filter_map(|row| row.split_whitespace().next())
        .collect();
    assert_eq!(names.collect::<Vec<_>>(), listed);
}

/// Decisive statements and pattern words of FGVT, Table 2; their fixed twins have nothing to decide.
#[test]
fn the_table_of_decisive_races_is_reached() {
    let done = bench(&["papers", "--only", "fgvt", "--json"], "fgvt");
    let rows = rows(&done);
    assert_eq!(rows.len(), 12, "{done:?}");
    for row in &rows {
        assert_eq!(row["reached"], true, "{row}");
    }
    assert_eq!(done.status.code(), Some(0));
}

/// A list whose fault makes operations try again for ever.
#[test]
fn long_random_runs_become_the_smallest() {
    let done = bench(&["minimise", "--only", "mark_blind_list"], "minimise");
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let text = String::from_utf8_lossy(&done.stdout);
    let sizes = text.lines().filter_map(|line| {
        let (_, test) = line.split_once(" calls to [")?;
        let threads = test.split_once(']')?.1.split('[').next()?;
        Some(threads.split_whitespace().filter(|w| *w != "|").count())
    });
    let sizes: Vec<usize> = sizes.collect();
    assert!(sizes.len() > 4, "{text}");
    assert!(sizes.iter().all(|n| (2..=3).contains(n)), "{text}");
}
