//! What `cargo linspect` has cargo build: profiles, programs, tests.

use crate::cargo::{cargo_linspect, lines, write};

const LIBRARY: &str = r#"
#[test]
fn checked() {
    let thread = std::thread::spawn(|| 1);
    debug_assert!(thread.join().unwrap() == 2, "only where assertions are on");
}
"#;

const PROGRAM: &str = r#"
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};

static COUNT: AtomicU8 = AtomicU8::new(0);

fn increment() {
    COUNT.store(COUNT.load(SeqCst) + 1, SeqCst);
}

fn main() {
    let other = std::thread::spawn(increment);
    increment();
    other.join().unwrap();
    assert_eq!(COUNT.load(SeqCst), 2);
}
"#;

#[test]
fn profiles_programs_and_tests_are_those_of_cargo() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let manifest = "[package]\nname = \"counts\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
                    [profile.careful]\ninherits = \"release\"\ndebug-assertions = true\n\n[workspace]\n";
    write(folder.path(), "Cargo.toml", manifest);
    write(folder.path(), "src/lib.rs", LIBRARY);
    write(folder.path(), "src/bin/count.rs", PROGRAM);
    for (options, code, line) in [
        (&["--lib"][..], 100, "FAIL counts checked · PANIC"),
        (
            &["--tests", "--release", "--jobs", "2"],
            0,
            "PASS counts checked ·",
        ),
        (
            &["--lib", "--profile", "careful"],
            100,
            "FAIL counts checked · PANIC",
        ),
        (
            &["--bin", "count"],
            100,
            "FAIL counts::bin/count main · ASSERTION FAILED",
        ),
    ] {
        let run = cargo_linspect(folder.path(), options);
        let said = lines(&run);
        assert_eq!(
            (run.code, said.len()),
            (Some(code), 1),
            "{options:?}: {run:?}"
        );
        assert!(said[0].starts_with(line), "{options:?}: {said:?}");
    }
    for (options, code, said) in [
        (
            &["--release", "--profile", "careful"][..],
            2,
            "cannot be used with",
        ),
        (&["--bin", "count", "--lib"], 2, "cannot be used with"),
        (&["--jobs", "0"], 2, "0 is not in 1.."),
        (&["--profile", "careless"], 101, "careless"),
        (&["--bin", "none"], 101, "none"),
    ] {
        let run = cargo_linspect(folder.path(), options);
        assert_eq!(run.code, Some(code), "{options:?}: {run:?}");
        assert!(run.err.contains(said), "{options:?}: {run:?}");
    }
}
