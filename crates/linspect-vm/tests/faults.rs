//! Programs that go wrong: the machine says what, and at which line.
//!
//! The culprit line carries the expectation: `// fault: KIND part of the message`. A program whose first line is `// deadlock: N` ends with N
//! threads that wait.

use linspect_core::client::Client;
use linspect_core::execution::End;
use linspect_core::machine::Subject;
use linspect_vm::{Chooser, LoadedProgram, Settings, frontend, run};
use std::path::Path;

#[test]
fn faults_are_found_where_they_are() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/fail");
    let mut files: Vec<_> = ["c", "cpp", "rust"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(corpus.join(folder)).expect("the corpus"))
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    assert!(files.len() >= 20);
    for file in files {
        check(&file);
    }
}

#[track_caller]
fn check(file: &Path) {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let program = frontend::load(&frontend::Source::file(file)).unwrap_or_else(|e| panic!("{e}"));
    let settings = Settings {
        instructions: 1_000_000,
        ..Settings::default()
    };
    let code = LoadedProgram::new(program, settings).expect("a program");
    let ran = run(&code, &Client::default(), &Chooser::Random(1), 10_000).expect("it starts");
    let name = file.display();
    if let Some(count) = text.strip_prefix("// deadlock: ") {
        let count: usize = count[..1].parse().expect("a digit");
        match ran.execution.end {
            End::Deadlock(waiting) | End::Livelock(waiting) => {
                assert_eq!(waiting.len(), count, "{name}");
            }
            other => panic!("{name}: {other:?}"),
        }
        return;
    }
    let (line, expected) = text
        .lines()
        .enumerate()
        .find_map(|(i, l)| l.split_once("// fault: ").map(|(_, e)| (i as u32 + 1, e)))
        .unwrap_or_else(|| panic!("{name} expects nothing"));
    let (kind, message) = expected.split_once(' ').unwrap_or((expected, ""));
    assert_eq!(ran.execution.end, End::Fault, "{name}");
    let fault = ran
        .execution
        .steps
        .last()
        .and_then(|s| s.fault.clone())
        .expect("a fault");
    assert_eq!(
        format!("{:?}", fault.kind),
        kind,
        "{name}: {}",
        fault.message
    );
    assert!(fault.message.contains(message), "{name}: {}", fault.message);
    assert_eq!(
        code.site(fault.site).line,
        line,
        "{name}: {}",
        fault.message
    );
}
