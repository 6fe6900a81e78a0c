//! Programs in the style of the software-verification competition, and programs that choose and assume: what can go wrong in them does in some random run, and nothing else.

use linspect_core::client::Client;
use linspect_core::execution::{End, FaultKind};
use linspect_vm::{Chooser, LoadedProgram, Settings, frontend, run};
use std::path::Path;

const RUNS: u64 = 300;

/// The names say whether a program is right.
#[test]
fn programs_of_the_competition_run_as_they_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/verifier");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the corpus")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    assert_eq!(files.len(), 38);
    for file in files {
        let name = file
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let program =
            frontend::load(&frontend::Source::file(&file)).unwrap_or_else(|e| panic!("{e}"));
        let code = LoadedProgram::new(program, Settings::default())
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(code.starts_threads(), !name.starts_with("alone"), "{name}");
        let (mut wrong, mut whole) = (0, 0);
        for seed in 0..RUNS {
            let ran = run(&code, &Client::default(), &Chooser::Random(seed), 10_000)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            let fault = ran.execution.steps.last().and_then(|s| s.fault.as_ref());
            match (&ran.execution.end, fault) {
                (End::Complete, _) => whole += 1,
                // An assumption does not hold.
                (End::Cut, _) => {}
                (End::Fault, Some(fault)) if fault.kind == FaultKind::Assertion => wrong += 1,
                other => panic!("{name}, seed {seed}: {other:?}"),
            }
        }
        assert!(whole + wrong > 0, "{name}: no run counts");
        assert_eq!(wrong > 0, name.ends_with("_false"), "{name}: {wrong}");
    }
}
