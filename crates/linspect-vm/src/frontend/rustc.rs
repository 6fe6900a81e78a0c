//! Rust: one file through rustc, with the bitcode of the standard library from the toolchain's own libraries.

use super::archive;
use super::assemble::{Part, Parts};
use super::command::{ask, dependencies, find, messages, operand, run};
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
    /// The target it compiles for by default.
    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// The LLVM it writes bitcode with.
    pub(super) fn version(&self) -> Version {
        self.version
    }

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

/// How everything is compiled: without optimisation, so that every access of the source is in the bitcode, and with the checks that `cargo test` has.
const SETTINGS: [&str; 13] = [
    "-C",
    "codegen-units=1",
    "-g",
    "-C",
    "debug-assertions=on",
    "-C",
    "overflow-checks=on",
    "-C",
    "opt-level=0",
    "--cfg",
    "linspect",
    "--check-cfg=cfg(linspect)",
    "--check-cfg=cfg(test)",
];

/// Compiles `file` and adds its bitcode and the standard library's.
pub(super) fn compile(
    file: &Path,
    text: &[u8],
    source: &Source,
    parts: &mut Parts,
) -> Result<(), LoadError> {
    let rustc = find_rustc(file)?;
    let scratch = tempfile::tempdir().map_err(LoadError::Scratch)?;
    let text = String::from_utf8_lossy(text);
    let mut arguments = words(&SETTINGS);
    // A file without `main` is a library of operations.
    let kind = if text.contains("fn main(") {
        "bin"
    } else {
        "lib"
    };
    arguments.extend(words(&["--edition", "2021", "--crate-type", kind]));
    arguments.extend(words(&["--crate-name", &crate_name(file)]));
    if text.contains("linspect::") {
        let library = harness_crate(&rustc, scratch.path(), parts)?;
        arguments.push("--extern".into());
        arguments.push(format!("linspect={}", library.display()).into());
    }
    arguments.extend(source.rust_flags.iter().map(OsString::from));
    let rule = rustc.to_bitcode(
        file,
        arguments,
        scratch.path(),
        &file.display().to_string(),
        parts,
    )?;
    parts.inputs.extend(dependencies(&rule));
    if parts.library.is_empty() {
        parts.library = standard_library(&rustc)?;
    }
    Ok(())
}

/// What rustc would call a crate in `file`, and something else where it would refuse.
fn crate_name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let letter = |c: char| if c.is_alphanumeric() { c } else { '_' };
    let name: String = stem.chars().map(letter).collect();
    match name.as_str() {
        // The harness crate has this name, and rustc keeps the other one for itself.
        "linspect" | "test" | "" => format!("{name}_"),
        _ => name,
    }
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

/// Builds the crate `linspect` for the machine; gives what a harness links against.
fn harness_crate(rustc: &Rustc, scratch: &Path, parts: &mut Parts) -> Result<PathBuf, LoadError> {
    let place = scratch.join("linspect");
    std::fs::create_dir(&place).map_err(LoadError::Scratch)?;
    for (name, text) in linspect::SOURCES {
        std::fs::write(place.join(name), text).map_err(LoadError::Scratch)?;
    }
    let library = scratch.join("liblinspect.rmeta");
    let mut arguments = words(&SETTINGS);
    arguments.extend(words(&[
        "--edition",
        "2024",
        "--crate-type",
        "lib",
        "--crate-name",
        "linspect",
    ]));
    // The scratch directory has a random name, which must not get into debug information.
    arguments.push(format!("--remap-path-prefix={}=<linspect>", scratch.display()).into());
    arguments.push(format!("--emit=metadata={}", library.display()).into());
    rustc.to_bitcode(
        &place.join("lib.rs"),
        arguments,
        scratch,
        "the crate linspect",
        parts,
    )?;
    Ok(library)
}

impl Rustc {
    /// Runs rustc on `file` and adds the bitcode; gives the make rule of what it read.
    fn to_bitcode(
        &self,
        file: &Path,
        mut arguments: Vec<OsString>,
        scratch: &Path,
        name: &str,
        parts: &mut Parts,
    ) -> Result<String, LoadError> {
        let (object, rule) = (scratch.join("out.bc"), scratch.join("out.d"));
        let emit = format!(
            "--emit=llvm-bc={},dep-info={}",
            object.display(),
            rule.display()
        );
        arguments.push(emit.into());
        arguments.push(operand(file));
        let output = run(&self.path, &arguments)?;
        if !output.status.success() {
            return Err(LoadError::Compile {
                compiler: "rustc".to_owned(),
                file: file.to_owned(),
                messages: messages(&output),
            });
        }
        parts.own.push(Part {
            name: name.to_owned(),
            producer: self.version,
            bytes: super::read(&object)?,
        });
        Ok(std::fs::read_to_string(&rule).unwrap_or_default())
    }
}

/// Crates of the standard library, each before those it uses. `compiler_builtins` is left out: what it defines are
/// instructions of the machine or models.
const CRATES: [&str; 16] = [
    "std",
    "panic_unwind",
    "unwind",
    "std_detect",
    "addr2line",
    "object",
    "gimli",
    "miniz_oxide",
    "memchr",
    "adler2",
    "rustc_demangle",
    "hashbrown",
    "libc",
    "cfg_if",
    "alloc",
    "core",
];

/// The bitcode of the standard library.
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
    let mut libraries: Vec<(usize, PathBuf)> = entries
        .flatten()
        .filter_map(|e| Some((rank(&e.path())?, e.path())))
        .collect();
    libraries.sort();
    let mut parts = Vec::new();
    for (_, library) in libraries {
        parts.extend(archive::bitcode(&library, rustc.version)?);
    }
    Ok(parts)
}

/// Whether `path` is the library of compiler builtins.
pub(super) fn is_builtins(path: &Path) -> bool {
    let name = path
        .file_name()
        .and_then(|n| n.to_str())
        .unwrap_or_default();
    name.starts_with("libcompiler_builtins-")
}

/// The position among [`CRATES`] of the library at `path`, if it is one of them: `libstd-d1237ef7159db0a2.rlib`.
pub(super) fn rank(path: &Path) -> Option<usize> {
    let name = path.file_name()?.to_str()?;
    let stem = name.strip_prefix("lib")?.strip_suffix(".rlib")?;
    let (crate_, _) = stem.rsplit_once('-')?;
    CRATES.iter().position(|&c| c == crate_)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_name_that_rustc_takes() {
        let name = |file: &str| crate_name(Path::new(file));
        assert_eq!(name("src/ms-queue.rs"), "ms_queue");
        assert_eq!(name("-it's \"q\"\n.rs"), "_it_s__q__");
        assert_eq!(name("test.rs"), "test_");
        assert_eq!(name(""), "_");
    }

    #[test]
    fn libraries_are_ranked_users_first() {
        let of = |name: &str| rank(&Path::new("/x").join(name));
        assert_eq!(of("libstd-d1237ef7159db0a2.rlib"), Some(0));
        assert!(of("liballoc-6e6df4ffe0af4d15.rlib") < of("libcore-120cbae4e86ec454.rlib"));
        assert_eq!(of("libtest-3710056540f41481.rlib"), None);
        assert_eq!(of("libstd-d1237ef7159db0a2.so"), None);
    }
}
