//! No known fault is missed: the zoo's wrong objects and programs, tested as a user tests them.

use crate::linspect::{repository, run};
use linspect_zoo::Zoo;
use serde_json::Value;

/// All of them in the long run, else those in Rust and the programs of banks, which are of every kind.
fn parts() -> &'static [&'static str] {
    if std::env::var_os("LINSPECT_LONG").is_some() {
        &[""]
    } else {
        &["rust_", "bankaccount", "snark"]
    }
}

#[test]
fn every_known_fault_is_found() {
    let out = concat!(env!("CARGO_TARGET_TMPDIR"), "/detection");
    let mut count = 0;
    for part in parts() {
        let done = run(&["bench", "detection", "--json", "--only", part, "--out", out]);
        assert_eq!(done.code, Some(0), "{part}: {done:?}");
        for line in done.out.lines() {
            let row: Value = serde_json::from_str(line).expect("a row is JSON");
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
    let page = repository().join("docs/trust.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let rows: Vec<&str> = page.lines().filter_map(|l| l.strip_prefix("✓ ")).collect();
    let listed: Vec<&str> = rows
        .iter()
        .filter_map(|r| r.split_whitespace().next())
        .collect();
    assert_eq!(names.collect::<Vec<_>>(), listed);
}
