//! Faults of orderings: each is found, its repair is the expected one, and with that written into the source nothing is wrong any more.

use linspect_engine::{
    Finding, Loaded, MemoryModel, ProgramOrigin, Request, RunSettings, Silence, Verdict,
    investigate,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A changed line: its number, and the orderings before and after.
type Change = (usize, &'static str, &'static str);

/// What is expected of each file of `corpus/orderings`; a failed exchange stands last on its line, all others first.
const EXPECTED: &[(&str, &[Change])] = &[
    (
        "lazy.rs",
        &[(10, "Relaxed", "Acquire"), (13, "Relaxed", "Release")],
    ),
    (
        "message.c",
        &[
            (10, "memory_order_relaxed", "memory_order_release"),
            (14, "memory_order_relaxed", "memory_order_acquire"),
        ],
    ),
    (
        "message.cpp",
        &[
            (11, "memory_order_relaxed", "memory_order_release"),
            (15, "memory_order_relaxed", "memory_order_acquire"),
        ],
    ),
    (
        "message.rs",
        &[(12, "Relaxed", "Release"), (16, "Relaxed", "Acquire")],
    ),
    ("owners.rs", &[(14, "Relaxed", "AcqRel")]),
    (
        "peterson.rs",
        &[
            (13, "Release", "SeqCst"),
            (14, "Release", "SeqCst"),
            (15, "Acquire", "SeqCst"),
        ],
    ),
    (
        "ring.rs",
        &[(20, "Relaxed", "Release"), (26, "Relaxed", "Acquire")],
    ),
    ("ticket.rs", &[(18, "Relaxed", "Release")]),
    (
        "treiber.rs",
        &[(20, "Relaxed", "Release"), (28, "Relaxed", "Acquire")],
    ),
];

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/orderings")
}

/// What is found in a file with these many operations at most.
fn found(file: PathBuf, operations: usize) -> Finding {
    let settings = RunSettings {
        memory_model: Some(MemoryModel::C20),
        ..RunSettings::default()
    };
    let loaded = Loaded::load(ProgramOrigin::files([file]), settings).expect("it loads");
    let mut request = Request::default();
    request.effort.operations = Some(operations);
    request.effort.threads = Some(2);
    request.effort.budget = Some(Duration::from_secs(600));
    let found = investigate(&loaded, &request, &Silence).expect("it is investigated");
    found.finding
}

#[test]
fn orderings_that_are_too_weak_are_found_and_repaired() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, changes) in EXPECTED {
        let wrong = found(corpus().join(name), 3);
        let is_wrong = matches!(
            wrong.verdict,
            Verdict::Violated { .. } | Verdict::Faulty { .. }
        );
        assert!(is_wrong, "{name}: {:?}", wrong.verdict);
        let advice = wrong.advice.first().cloned().unwrap_or_default();
        let told = advice.split(" Checked:").next().unwrap_or_default();
        let best = told.split("; or: ").next().unwrap_or_default();
        assert_eq!(
            best.matches(" → ").count(),
            changes.len(),
            "{name}: {advice}"
        );
        let text = std::fs::read_to_string(corpus().join(name)).expect("it is there");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (line, from, to) in *changes {
            let place = format!("{name}:{line} ");
            let change = format!("`{from}` → `{to}`");
            let said = best
                .split("; ")
                .any(|part| part.contains(&place) && part.contains(&change));
            assert!(said, "{name}: {line} {change} is not in {advice}");
            lines[line - 1] = lines[line - 1].replacen(from, to, 1);
        }
        let repaired = folder.path().join(name);
        std::fs::write(&repaired, lines.join("\n")).expect("it is written");
        let right = found(repaired, 2);
        assert!(
            matches!(right.verdict, Verdict::Holds { .. }),
            "{name}: {:?}",
            right.verdict
        );
    }
}
