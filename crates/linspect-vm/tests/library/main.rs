//! Random C programs that use the C library: what they print in the machine is what they print natively, or the machine says by name what it does not model.
//!
//! A program is one function of a few random calls with edge values: strings, formats, numbers in texts, memory, threads. Many of them share a file, so that
//! compiling stays cheap, and each is run by itself: `main` asks which one. Behaviour is defined by construction, and does not depend on the schedule.

mod write;

use linspect_core::client::Client;
use linspect_core::execution::{End, FaultKind};
use linspect_core::machine::Subject;
use linspect_core::schedule::{Choice, Schedule};
use linspect_vm::{Chooser, LoadedProgram, Settings, frontend, run};
use std::path::Path;
use std::process::Command;

/// Programs per file.
const PER_FILE: usize = 50;

/// How many of a hundred programs the machine may refuse: a test of refusals alone would show nothing.
const REFUSED: usize = 5;

fn clang() -> &'static str {
    let names = [
        "clang", "clang-22", "clang-19", "clang-16", "clang-15", "clang-14",
    ];
    let installed = |name: &&&str| Command::new(**name).arg("--version").output().is_ok();
    names.iter().find(installed).expect("clang is installed")
}

/// What each program of the file prints natively.
fn natively(file: &Path) -> Vec<String> {
    let program = file.with_extension("");
    let compiled = Command::new(clang())
        .args(["-O0", "-fno-builtin", "-w", "-o"])
        .args([&program, file])
        .args(["-lpthread", "-lm"])
        .output()
        .expect("clang starts");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let output = |number: usize| {
        let ran = Command::new(&program)
            .arg(number.to_string())
            .output()
            .expect("the program starts");
        assert!(ran.status.success(), "{number}: {:?}", ran.status);
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    (0..PER_FILE).map(output).collect()
}

/// What a program prints in the machine, or what the machine refuses.
fn in_the_machine(code: &LoadedProgram, number: usize) -> Result<String, String> {
    let choice = Choice {
        thread: 0,
        branch: u8::try_from(number).expect("few programs"),
    };
    let chooser = Chooser::Given(Schedule(vec![choice]));
    let ran = run(code, &Client::default(), &chooser, 1_000_000).unwrap_or_else(|e| panic!("{e}"));
    let output = String::from_utf8_lossy(ran.machine.output()).into_owned();
    if ran.execution.end == End::Complete {
        return Ok(output);
    }
    let fault = ran.execution.steps.last().and_then(|s| s.fault.clone());
    match fault {
        Some(fault) if fault.kind == FaultKind::Unsupported => {
            assert_ne!(code.site(fault.site).line, 0, "{}", fault.message);
            Err(fault.message)
        }
        other => Ok(format!("{output}{:?} {other:?}", ran.execution.end)),
    }
}

#[test]
fn random_programs_print_what_they_print_natively() {
    let programs = if std::env::var_os("LINSPECT_LONG").is_some() {
        2500
    } else {
        500
    };
    let folder = tempfile::tempdir().expect("a temporary directory");
    let (mut refused, mut wrong) = (Vec::new(), Vec::new());
    for seed in 0..(programs / PER_FILE) as u64 {
        let text = write::file(seed, PER_FILE);
        let file = folder.path().join(format!("library{seed}.c"));
        std::fs::write(&file, &text).expect("a scratch file");
        let expected = natively(&file);
        let source = frontend::Source {
            files: vec![file],
            c_flags: ["-fno-builtin", "-w", "-DIN_THE_MACHINE"]
                .map(str::to_owned)
                .to_vec(),
            ..frontend::Source::default()
        };
        let program = frontend::load(&source).unwrap_or_else(|e| panic!("{e}"));
        let code =
            LoadedProgram::new(program, Settings::default()).unwrap_or_else(|e| panic!("{e}"));
        for (number, expected) in expected.iter().enumerate() {
            match in_the_machine(&code, number) {
                Ok(found) if found == *expected => {}
                Ok(found) => wrong.push(format!(
                    "seed {seed}, program {number}:\n{}natively\n{expected}here\n{found}\n",
                    write::body(&text, number)
                )),
                Err(message) => refused.push(message),
            }
        }
    }
    let shown = wrong
        .iter()
        .take(10)
        .map(String::as_str)
        .collect::<String>();
    assert!(wrong.is_empty(), "{} differ, such as\n{shown}", wrong.len());
    let most = programs * REFUSED / 100;
    assert!(refused.len() <= most, "refused: {refused:?}");
}
