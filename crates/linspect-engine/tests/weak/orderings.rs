//! Faults of orderings: each is found, its repair is the expected one, and with that written into the source nothing is wrong any more.

use linspect_engine::{
    Finding, Loaded, MemoryModel, ProgramOrigin, Request, RunSettings, Silence, Verdict,
    investigate,
};
use linspect_testkit::orderings::{difference, expected, repaired};
use std::path::{Path, PathBuf};
use std::time::Duration;

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

/// They take as long as all others together; `linspect-bench weak` has them, too.
const LARGE: [&str; 2] = ["chase_lev.rs", "ms_queue.rs"];

#[test]
fn orderings_that_are_too_weak_are_found_and_repaired() {
    let all = std::env::var_os("LINSPECT_LONG").is_some();
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = 0;
    for entry in std::fs::read_dir(corpus()).expect("the corpus") {
        let file = entry.expect("a file").path();
        let name = file.file_name().expect("a name").to_string_lossy();
        if LARGE.contains(&&*name) && !all {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("it is there");
        let changes = expected(&text);
        assert!(!changes.is_empty(), "{name}");
        let wrong = found(file.clone(), 3);
        let is_wrong = matches!(
            wrong.verdict,
            Verdict::Violated { .. } | Verdict::Faulty { .. }
        );
        assert!(is_wrong, "{name}: {:?}", wrong.verdict);
        let advice = wrong.advice.first().cloned().unwrap_or_default();
        let difference = difference(&advice, &name, &changes);
        assert!(difference.is_empty(), "{name}: {difference:?} in {advice}");
        let twin = folder.path().join(&*name);
        std::fs::write(&twin, repaired(&text, &changes)).expect("it is written");
        let right = found(twin, 2);
        assert!(
            matches!(right.verdict, Verdict::Holds { .. }),
            "{name}: {:?}",
            right.verdict
        );
        files += 1;
    }
    assert!(files >= 15, "{files}");
}

/// After each step it is known what threads may still read: once the value is written, its reader may still see what was there before, until it knows better.
#[test]
fn what_may_still_be_read_and_what_decides_is_told() {
    let finding = found(corpus().join("message.c"), 2);
    let run = finding.interleaving.expect("a run");
    let contrast = run.contrast.as_deref();
    let said = "at step 4, let T2 read the newest value (message.c:16): the one execution that then goes on from there is right";
    assert_eq!(contrast, Some(said));
    let older = run
        .steps
        .iter()
        .flat_map(|step| step.older.iter().flatten());
    let value: Vec<_> = older.filter(|o| o.variable == "value").collect();
    assert!(!value.is_empty(), "{run:?}");
    for older in value {
        assert_eq!(older.values, ["0"], "{run:?}");
        let reader = run.steps.last().expect("a step").thread;
        assert_eq!(older.thread, reader, "{run:?}");
    }
}
