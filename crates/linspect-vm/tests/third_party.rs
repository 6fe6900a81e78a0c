//! Concurrent libraries as their authors wrote them: packages of the distribution, and crates of the registry.
//!
//! Each is exercised by a small `main` whose output does not depend on the schedule; in the machine, under several schedules, it prints what
//! it prints natively. `./test` installs the packages.

use linspect_core::client::Client;
use linspect_core::execution::End;
use linspect_core::machine::Subject;
use linspect_vm::frontend::cargo::{self, Package};
use linspect_vm::program::Program;
use linspect_vm::{Chooser, LoadedProgram, Settings, frontend, run};
use std::path::{Path, PathBuf};
use std::process::Command;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/third_party")
}

/// The first of these programs that is installed.
fn compiler(names: &[&'static str]) -> &'static str {
    let installed = |name: &&&str| Command::new(**name).arg("--version").output().is_ok();
    names
        .iter()
        .find(installed)
        .unwrap_or_else(|| panic!("none of {names:?} is installed"))
}

/// Checks that the program prints `expected` under a few schedules.
#[track_caller]
fn check(name: &str, program: Program, expected: &str) {
    let code =
        LoadedProgram::new(program, Settings::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    for seed in 0..3 {
        let ran = run(&code, &Client::default(), &Chooser::Random(seed), 1_000_000)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        let fault = ran
            .execution
            .steps
            .last()
            .and_then(|s| s.fault.clone())
            .map(|f| {
                let site = code.site(f.site);
                format!(
                    "{} at {}:{} in {}",
                    f.message, site.file, site.line, site.function
                )
            });
        assert_eq!(
            ran.execution.end,
            End::Complete,
            "{name} seed {seed}: {fault:?}"
        );
        assert_eq!(
            String::from_utf8_lossy(ran.machine.output()),
            expected,
            "{name} seed {seed}"
        );
        assert_eq!(ran.machine.exit_code(), Some(0), "{name} seed {seed}");
    }
}

/// Runs one file of the corpus natively and in the machine.
#[track_caller]
fn compare(file: &str, libraries: &[&str]) {
    let path = corpus().join(file);
    let names: [&'static str; 5] = if file.ends_with(".c") {
        ["clang", "clang-22", "clang-19", "clang-16", "clang-14"]
    } else {
        [
            "clang++",
            "clang++-22",
            "clang++-19",
            "clang++-16",
            "clang++-14",
        ]
    };
    let folder = tempfile::tempdir().expect("a temporary directory");
    let native = folder.path().join("native");
    let compiled = Command::new(compiler(&names))
        .args(["-w", "-o"])
        .args([&native, &path])
        .arg("-lpthread")
        .args(libraries)
        .output()
        .expect("the compiler starts");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let ran = Command::new(&native).output().expect("the program starts");
    assert!(ran.status.success(), "{file}: {:?}", ran.status);
    let program = frontend::load(&frontend::Source::file(&path)).unwrap_or_else(|e| panic!("{e}"));
    check(file, program, &String::from_utf8_lossy(&ran.stdout));
}

#[test]
fn concurrency_kit() {
    compare("ck_stack.c", &[]);
}

#[test]
fn userspace_rcu() {
    compare("urcu_queues.c", &["-lurcu-common"]);
}

#[test]
fn boost_lockfree() {
    compare("boost_lockfree.cpp", &[]);
}

#[test]
fn moodycamel() {
    compare("moodycamel.cpp", &[]);
}

#[test]
fn libcds() {
    compare("libcds.cpp", &[]);
}

/// What the examples print, natively as in the machine.
const CRATES: [(&str, &str); 6] = [
    ("arc_swap", "[0, 1, 2]\n"),
    ("concurrent_queue", "sum 62, closed true, other 6\n"),
    ("crossbeam_epoch", "sum 33\n"),
    ("crossbeam_queue", "bounded 62, unbounded 602\n"),
    ("dashmap", "[(0, 0), (1, 10), (7, 2)] Some((7, 2))\n"),
    (
        "portable_atomic",
        "sum 3 2, max -1, swapped 7 9, set true false, not 250\n",
    ),
];

#[test]
fn crates_of_the_registry() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let package = Package {
        manifest: corpus().join("crates/Cargo.toml"),
        target_directory: folder.path().to_owned(),
        selection: vec!["--examples".to_owned()],
        echo: false,
    };
    let linker = Path::new(env!("CARGO_BIN_EXE_linspect-decode"));
    let targets = cargo::build(&package, linker).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<&str> = targets.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, CRATES.map(|c| c.0));
    for (target, (name, expected)) in targets.iter().zip(CRATES) {
        let program = cargo::load_bundle(&target.bundle, &frontend::Entry::Only)
            .unwrap_or_else(|e| panic!("{e}"));
        check(name, program, expected);
    }
}
