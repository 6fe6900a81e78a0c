//! Rust: one file through rustc, with the bitcode of the standard library from the toolchain's own libraries.

use super::archive;
use super::assemble::{Part, Parts};
use super::command::{ask, dependencies, find, messages, run};
use super::{LoadError, Source};
use crate::llvm::Version;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Names a rustc to use instead of the one on the PATH.
const OVERRIDE: &str = "LINSPECT_RUSTC";

/// A rustc, with the words in which it describes itself.
pub(super) struct Rustc {
    path: PathBuf,
    /// `--version --verbose`.
    pub(super) identity: String,
    version: Version,
    host: String,
}

/// The rustc to use, if there is one.
pub(super) fn find_rustc(file: &Path) -> Result<Rustc, LoadError> {
    let given = std::env::var_os(OVERRIDE).map(PathBuf::from);
    let path = given
        .or_else(|| find(["rustc".to_owned()]))
        .ok_or_else(|| LoadError::NoCompiler {
            compiler: "rustc",
            install: "curl https://sh.rustup.rs -sSf | sh",
            file: file.to_owned(),
        })?;
    let identity = ask(&path, &["-vV"])?;
    let field = |name: &str| {
        identity
            .lines()
            .find_map(|l| l.strip_prefix(name))
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    let version = field("LLVM version:")
        .split('.')
        .next()
        .and_then(|n| n.parse().ok())
        .map_or(Version(14), Version);
    let host = field("host:");
    Ok(Rustc {
        path,
        identity,
        version,
        host,
    })
}

impl Rustc {
    /// Where the toolchain lives.
    pub(super) fn sysroot(&self) -> Result<PathBuf, LoadError> {
        Ok(PathBuf::from(
            ask(&self.path, &["--print", "sysroot"])?.trim(),
        ))
    }
}

/// The directory of the toolchain's libLLVM, if there is a toolchain.
pub(crate) fn llvm_directory() -> Option<PathBuf> {
    let rustc = find(["rustc".to_owned()])?;
    let sysroot = ask(&rustc, &["--print", "sysroot"]).ok()?;
    Some(Path::new(sysroot.trim()).join("lib"))
}

/// Compiles `file` and adds its bitcode and the standard library's.
pub(super) fn compile(
    file: &Path,
    text: &[u8],
    source: &Source,
    parts: &mut Parts,
) -> Result<(), LoadError> {
    let rustc = find_rustc(file)?;
    let scratch = tempfile::tempdir().map_err(LoadError::Scratch)?;
    let (object, rule) = (scratch.path().join("out.bc"), scratch.path().join("out.d"));
    // A file without `main` is a library of operations.
    let is_program = String::from_utf8_lossy(text).contains("fn main(");
    let mut arguments: Vec<OsString> = Vec::new();
    let mut add = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
    add(&[
        "--edition",
        "2021",
        "--crate-type",
        if is_program { "bin" } else { "lib" },
    ]);
    add(&[
        "-C",
        "codegen-units=1",
        "-g",
        "-C",
        "debug-assertions=off",
        "-C",
        "overflow-checks=off",
        "-C",
        "opt-level=0",
    ]);
    arguments.extend(source.rust_flags.iter().map(OsString::from));
    arguments.push(
        format!(
            "--emit=llvm-bc={},dep-info={}",
            object.display(),
            rule.display()
        )
        .into(),
    );
    arguments.push(file.into());
    let output = run(&rustc.path, &arguments)?;
    if !output.status.success() {
        return Err(LoadError::Compile {
            compiler: "rustc".to_owned(),
            file: file.to_owned(),
            messages: messages(&output),
        });
    }
    let rule = std::fs::read_to_string(&rule).unwrap_or_default();
    parts.inputs.extend(dependencies(&rule));
    parts.own.push(Part {
        name: file.display().to_string(),
        producer: rustc.version,
        bytes: super::read(&object)?,
    });
    if parts.library.is_empty() {
        parts.library = standard_library(&rustc)?;
    }
    Ok(())
}

/// Crates of the toolchain that no program under test runs.
const UNUSED: [&str; 8] = [
    "test",
    "proc_macro",
    "getopts",
    "profiler_builtins",
    "panic_abort",
    "sysroot",
    "rustc_std_workspace",
    "rustc_literal_escaper",
];

/// The bitcode of every crate of the standard library.
fn standard_library(rustc: &Rustc) -> Result<Vec<Part>, LoadError> {
    let directory = rustc
        .sysroot()?
        .join("lib/rustlib")
        .join(&rustc.host)
        .join("lib");
    let entries = std::fs::read_dir(&directory).map_err(|reason| LoadError::Read {
        path: directory.clone(),
        reason,
    })?;
    let mut libraries: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    libraries.retain(|l| l.extension().is_some_and(|e| e == "rlib") && !is_unused(l));
    libraries.sort();
    let mut parts = Vec::new();
    for library in libraries {
        parts.extend(archive::bitcode(&library, rustc.version)?);
    }
    Ok(parts)
}

fn is_unused(library: &Path) -> bool {
    let name = library
        .file_name()
        .and_then(|n| n.to_str())
        .unwrap_or_default();
    let name = name.strip_prefix("lib").unwrap_or(name);
    UNUSED.iter().any(|unused| name.starts_with(unused))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_crates_are_told_by_their_file_names() {
        assert!(is_unused(Path::new("/x/libtest-3710056540f41481.rlib")));
        assert!(!is_unused(Path::new("/x/libstd-d1237ef7159db0a2.rlib")));
        assert!(!is_unused(Path::new(
            "/x/libpanic_unwind-4be5972b22d3a6da.rlib"
        )));
    }
}
