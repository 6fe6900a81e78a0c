//! One report of each kind of fault, as it is printed on 80 columns. Each was read line by line.

use crate::linspect::command;
use std::path::Path;

/// The kind of fault, what is typed, and what shows it: a file of `tests/reports`, or nothing where the command brings its own.
const REPORTS: [(&str, &[&str], Option<&str>); 7] = [
    ("not_linearizable", &["demo", "lock-free-list"], None),
    (
        "assertion",
        &["test", "lost_deposit.rs"],
        Some("lost_deposit.rs"),
    ),
    (
        "memory_fault",
        &["test", "unlocked_size.c"],
        Some("unlocked_size.c"),
    ),
    ("deadlock", &["test", "lock_order.c"], Some("lock_order.c")),
    (
        "livelock",
        &["test", "after_you.cpp"],
        Some("after_you.cpp"),
    ),
    ("data_race", &["test", "plain_flag.c"], Some("plain_flag.c")),
    ("history", &["demo", "history"], None),
];

#[test]
fn one_report_of_each_kind() {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports");
    for (kind, typed, source) in REPORTS {
        let folder = tempfile::tempdir().expect("a folder");
        if let Some(file) = source {
            std::fs::copy(reports.join(file), folder.path().join(file)).expect("copied");
        }
        let mut command = command(typed);
        command.current_dir(folder.path()).env("COLUMNS", "80");
        let done = command.output().expect("it runs");
        let printed = String::from_utf8(done.stdout).expect("UTF-8");
        let printed = untimed(&printed);
        let widest = printed.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{kind}:\n{printed}");
        let expected = reports.join(format!("{kind}.txt"));
        if std::env::var_os("LINSPECT_BLESS").is_some() {
            std::fs::write(&expected, &printed).expect("written");
        }
        let expected = std::fs::read_to_string(expected).unwrap_or_default();
        let err = String::from_utf8_lossy(&done.stderr);
        assert!(
            printed == expected,
            "{kind} differs; LINSPECT_BLESS=1 writes it, then read it:\n{printed}\n{err}"
        );
    }
}

/// Without the time that deciding a history took.
fn untimed(printed: &str) -> String {
    let (head, rest) = printed.split_once('\n').unwrap_or((printed, ""));
    let is_time = |part: &&str| [" µs", " ms", " s"].iter().any(|unit| part.ends_with(unit));
    let parts: Vec<&str> = head.split(" · ").filter(|part| !is_time(part)).collect();
    format!("{}\n{rest}", parts.join(" · "))
}
