//! Mistakes in a harness, each in a file of its own, are explained in words that say what to do: those of the file's first line.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn compiler() -> std::ffi::OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

fn rustc(arguments: &[&str]) -> Output {
    Command::new(compiler())
        .args(["--edition", "2024", "--emit=metadata", "--out-dir"])
        .arg(env!("CARGO_TARGET_TMPDIR"))
        .args(arguments)
        .output()
        .expect("rustc starts")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn mistakes_are_explained() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let macros = scratch.join("liblinspect_macros.so");
    let built = Command::new(compiler())
        .args(["--edition", "2024", "--crate-type=proc-macro", "--extern"])
        .args(["proc_macro", "--crate-name=linspect_macros", "-o"])
        .arg(&macros)
        .arg(package.join("src/macros/lib.rs"))
        .output()
        .expect("rustc starts");
    assert!(built.status.success(), "{built:?}");
    let with_macros = format!("linspect_macros={}", macros.display());
    let library = rustc(&[
        "--crate-type=lib",
        "--crate-name=linspect",
        "--extern",
        &with_macros,
        text(&package.join("src/lib.rs")),
    ]);
    assert!(library.status.success(), "{library:?}");
    let metadata = Path::new(env!("CARGO_TARGET_TMPDIR")).join("liblinspect.rmeta");
    let external = format!("linspect={}", metadata.display());
    let entries = std::fs::read_dir(package.join("tests/mistakes")).expect("the mistakes");
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.sort();
    assert_eq!(files.len(), 21, "{files:?}");
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a mistake");
        let expected = source
            .lines()
            .next()
            .and_then(|l| l.strip_prefix("//~ "))
            .unwrap_or_else(|| panic!("{} does not say what is expected", file.display()));
        // As a test: a harness is one.
        let output = rustc(&[
            "--test",
            "--extern",
            &external,
            "-L",
            text(scratch),
            text(&file),
        ]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{} compiles", file.display());
        assert!(said.contains(expected), "{}:\n{said}", file.display());
        assert!(
            !said.contains("no rules expected"),
            "{}:\n{said}",
            file.display()
        );
        // What is underlined is the operation or the setting, not the whole harness.
        let whole = source
            .lines()
            .position(|l| l.contains("linspect::harness! {"));
        let whole = whole.map(|at| format!("{}:{}:", file.display(), at + 1));
        assert!(
            whole.is_none_or(|place| !said.contains(&place)),
            "{}:\n{said}",
            file.display()
        );
    }
}
