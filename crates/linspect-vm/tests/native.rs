//! Programs whose result does not depend on the schedule: what they print and return in the machine, under several schedules, is what they
//! print and return when they run natively.

use linspect_core::client::Client;
use linspect_core::execution::{End, MemoryModel};
use linspect_core::machine::{Machine, Subject};
use linspect_vm::{Chooser, LoadedProgram, Settings, frontend, run};
use std::path::{Path, PathBuf};
use std::process::Command;

fn corpus(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus/run")
        .join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
}

/// The first of these programs that is installed.
fn compiler(names: &[&str]) -> String {
    let found = names
        .iter()
        .find(|n| Command::new(n).arg("--version").output().is_ok());
    (*found.unwrap_or_else(|| panic!("none of {names:?} is installed"))).to_owned()
}

/// Output and exit code of the program run natively.
fn native(file: &Path, compile: &mut Command) -> (String, i32) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let program = folder.path().join("program");
    let compiled = compile
        .arg(file)
        .arg("-o")
        .arg(&program)
        .output()
        .expect("a compiler");
    assert!(
        compiled.status.success(),
        "{}: {}",
        file.display(),
        String::from_utf8_lossy(&compiled.stderr)
    );
    let ran = Command::new(&program).output().expect("the program runs");
    let output = String::from_utf8_lossy(&ran.stdout).into_owned();
    (output, ran.status.code().unwrap_or(-1))
}

#[track_caller]
fn compare(file: &Path, compile: &mut Command, c_flags: &[&str]) {
    let expected = native(file, compile.args(c_flags));
    let source = frontend::Source {
        c_flags: c_flags.iter().map(|&flag| flag.to_owned()).collect(),
        ..frontend::Source::file(file)
    };
    let program = frontend::load(&source).unwrap_or_else(|e| panic!("{e}"));
    let code = LoadedProgram::new(program, Settings::default())
        .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let seeds = if std::env::var_os("LINSPECT_LONG").is_some() {
        50
    } else {
        5
    };
    for seed in 0..seeds {
        let ran = run(&code, &Client::default(), &Chooser::Random(seed), 1_000_000)
            .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let fault = ran
            .execution
            .steps
            .last()
            .and_then(|s| s.fault.clone())
            .map(|f| {
                let site = code.site(f.site);
                format!("{} at {}:{}", f.message, site.file, site.line)
            });
        assert_eq!(
            ran.execution.end,
            End::Complete,
            "{} seed {seed}: {fault:?}",
            file.display()
        );
        let output = String::from_utf8_lossy(ran.machine.output()).into_owned();
        let result = (output, ran.machine.exit_code().unwrap_or(-1) & 0xff);
        assert_eq!(result, expected, "{} seed {seed}", file.display());
    }
}

#[test]
fn c_programs_do_what_they_do_natively() {
    let clang = compiler(&["clang", "clang-16", "clang-19", "clang-15", "clang-14"]);
    for file in corpus("c") {
        compare(
            &file,
            Command::new(&clang).args(["-O0", "-lpthread", "-lm", "-latomic"]),
            &[],
        );
    }
}

#[test]
fn cpp_programs_do_what_they_do_natively() {
    let clang = compiler(&[
        "clang++",
        "clang++-16",
        "clang++-19",
        "clang++-15",
        "clang++-14",
    ]);
    for (folder, standard) in [("cpp", "-std=c++17"), ("cpp20", "-std=c++20")] {
        for file in corpus(folder) {
            let mut compile = Command::new(&clang);
            compare(
                &file,
                compile.args(["-O0", "-lpthread", "-latomic"]),
                &[standard],
            );
        }
    }
}

#[test]
fn rust_programs_do_what_they_do_natively() {
    for file in corpus("rust") {
        compare(
            &file,
            Command::new("rustc").args(["--edition=2024", "-Copt-level=0"]),
            &[],
        );
    }
}

/// What Rust's runtime does when `main` has returned is no step if nobody could tell whether it was done; what waits to be written is written.
#[test]
fn the_end_of_the_runtime_is_seen_where_it_writes() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let silent = folder.path().join("silent.rs");
    let text = "fn main() { std::thread::spawn(|| {}).join().unwrap(); }";
    std::fs::write(&silent, text).expect("it can be written");
    let speaking = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/run/rust/output.rs");
    let cases = [(silent, ""), (speaking, "a thread, no end of the line")];
    for (file, output) in cases {
        let program =
            frontend::load(&frontend::Source::file(&file)).unwrap_or_else(|e| panic!("{e}"));
        let settings = Settings {
            memory_model: MemoryModel::C20,
            ..Settings::default()
        };
        let code = LoadedProgram::new(program, settings).expect("a program");
        let ran =
            run(&code, &Client::default(), &Chooser::Random(0), 1_000_000).expect("it starts");
        assert_eq!(ran.execution.end, End::Complete);
        assert_eq!(String::from_utf8_lossy(ran.machine.output()), output);
        let accesses = ran.execution.steps.iter().flat_map(|s| &s.accesses);
        let mut names = accesses.map(|a| ran.machine.name(a.location));
        let uses_output = names.any(|name| name.contains("STDOUT"));
        assert_eq!(uses_output, !output.is_empty(), "{}", file.display());
    }
}
