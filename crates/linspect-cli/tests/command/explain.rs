//! `linspect explain` on a program and an object: the lines that matter, what holds between them, who gets in whose way.

use crate::linspect::run;
use serde_json::Value;
use std::path::Path;

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The bank account of the literature: the lost update, in both threads, with what holds.
#[test]
fn a_lost_update_is_explained() {
    let out = tempfile::tempdir().expect("a folder");
    let file = "zoo/c/programs/bankaccount_simple_lock.c";
    let done = run(&["explain", file, "--out", text(out.path())]);
    assert_eq!(done.code, Some(1), "{done:?}");
    for part in [
        "why it fails",
        "int bal = balance;",
        "war: ",
        "lines left out: the failure does not depend on them",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
    assert!(!done.out.contains("make atomic"), "{}", done.out);
    let data = out.path().join("bankaccount_simple_lock.json");
    let data = std::fs::read_to_string(data).expect("written");
    let finding: Value = serde_json::from_str(&data).expect("JSON");
    let why = &finding["explanation"];
    assert_eq!(why["reflects"], true, "{why}");
    let (kept, all) = (why["kept"].as_u64(), why["statements"].as_u64());
    assert!(kept < all && kept > Some(4), "{kept:?} of {all:?}");
}

/// More is taken into account at higher levels, never less.
#[test]
fn levels_grow() {
    let out = tempfile::tempdir().expect("a folder");
    let file = "zoo/c/programs/counter_seq.c";
    let kept = |level: &str| {
        let folder = text(out.path());
        let done = run(&["explain", file, "--level", level, "--json", "--out", folder]);
        assert_eq!(done.code, Some(1), "{done:?}");
        let finding: Value = serde_json::from_str(&done.out).expect("JSON");
        finding["explanation"]["kept"].as_u64().expect("a number")
    };
    let [ds, hs, cs, all] = ["ds", "hs", "cs", "all"].map(kept);
    assert!(
        ds <= hs && hs <= all && ds <= cs && cs <= all,
        "{ds} {hs} {cs} {all}"
    );
    assert!(ds < all);
}
