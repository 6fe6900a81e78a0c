//! Rust: one file through rustc, with the bitcode of the standard library from the toolchain's own libraries.

use super::archive;
use super::assemble::{Part, Parts};
use super::cache::{self, Cache};
use super::command::{ask, find, messages, operand, run, stamp};
use super::evidence::Evidence;
use super::{LoadError, Source};
use crate::llvm::Version;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Names a rustc to use instead of the one on the PATH.
const OVERRIDE: &str = "LINSPECT_RUSTC";

/// A rustc.
pub(super) struct Rustc {
    path: PathBuf,
    /// Where its toolchain lives.
    sysroot: PathBuf,
    /// Where its standard library is.
    libraries: PathBuf,
}

/// What a rustc says about itself.
pub(super) struct About {
    /// The LLVM it writes bitcode with.
    pub(super) version: Version,
    /// The target it compiles for by default.
    pub(super) host: String,
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
    let places = ask(&path, &["--print", "sysroot", "--print", "target-libdir"])?;
    let mut places = places.lines().map(PathBuf::from);
    Ok(Rustc {
        path,
        sysroot: places.next().unwrap_or_default(),
        libraries: places.next().unwrap_or_default(),
    })
}

impl Rustc {
    /// What tells it from other compilers and from what it was: what is on the PATH often only starts the one of a toolchain, which has
    /// its own libraries.
    pub(super) fn stamp(&self) -> Vec<u8> {
        let mut out = stamp(&self.path);
        let program = self.sysroot.join("bin/rustc");
        let mut files = vec![program];
        for folder in [&self.sysroot.join("lib"), &self.libraries] {
            let entries = std::fs::read_dir(folder).into_iter().flatten();
            files.extend(entries.flatten().map(|e| e.path()));
        }
        files.sort();
        files.iter().for_each(|file| out += &stamp(file));
        // What the compiler itself looks at, and does not tell.
        for variable in ["RUSTC_BOOTSTRAP", "RUST_TARGET_PATH", "RUST_MIN_STACK"] {
            out += &format!(" {:?}", std::env::var_os(variable));
        }
        out.into_bytes()
    }

    /// Asks it about itself.
    pub(super) fn about(&self) -> Result<About, LoadError> {
        let text = ask(&self.path, &["-vV"])?;
        let field = |name: &str| {
            let line = text.lines().find_map(|l| l.strip_prefix(name));
            line.unwrap_or_default().trim().to_owned()
        };
        let version = field("LLVM version:");
        let version = version.split('.').next().and_then(|n| n.parse().ok());
        Ok(About {
            version: version.map_or(Version(14), Version),
            host: field("host:"),
        })
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
    let producer = rustc.about()?.version;
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
        let (library, part) = harness_crate(&rustc, producer, scratch.path())?;
        parts.own.push(part);
        arguments.push("--extern".into());
        arguments.push(format!("linspect={}", library.display()).into());
        // Where its macros are.
        arguments.extend(["-L".into(), scratch.path().into()]);
    }
    arguments.extend(source.rust_flags.iter().map(OsString::from));
    // What it reads, before it reads it: files that change meanwhile make the two differ.
    let before = rustc.look(file, &arguments, scratch.path())?;
    let bytes = rustc.to_bitcode(file, arguments, scratch.path())?;
    parts.evidence.extend(before);
    parts.own.push(Part {
        name: file.display().to_string(),
        producer,
        bytes,
    });
    if parts.library.is_empty() {
        parts.library = standard_library(&rustc, producer)?;
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

/// Builds the crate `linspect` for the machine; gives what a harness links against, and its bitcode.
fn harness_crate(
    rustc: &Rustc,
    producer: Version,
    scratch: &Path,
) -> Result<(PathBuf, Part), LoadError> {
    let place = scratch.join("linspect");
    std::fs::create_dir(&place).map_err(LoadError::Scratch)?;
    for (name, text) in linspect::SOURCES {
        std::fs::write(place.join(name), text).map_err(LoadError::Scratch)?;
    }
    let macros = place.join("macros");
    std::fs::create_dir(&macros).map_err(LoadError::Scratch)?;
    for (name, text) in linspect::MACROS {
        std::fs::write(macros.join(name), text).map_err(LoadError::Scratch)?;
    }
    let library = scratch.join("liblinspect.rmeta");
    let macros = rustc.macros(&macros, scratch)?;
    let mut arguments = words(&SETTINGS);
    arguments.push("--extern".into());
    arguments.push(format!("linspect_macros={}", macros.display()).into());
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
    let part = Part {
        name: "the crate linspect".to_owned(),
        producer,
        bytes: rustc.to_bitcode(&place.join("lib.rs"), arguments, scratch)?,
    };
    Ok((library, part))
}

impl Rustc {
    /// Runs rustc on `file`; gives the bitcode.
    fn to_bitcode(
        &self,
        file: &Path,
        arguments: Vec<OsString>,
        scratch: &Path,
    ) -> Result<Vec<u8>, LoadError> {
        let object = scratch.join("out.bc");
        self.emit("llvm-bc", &object, file, arguments, scratch)?;
        super::read(&object)
    }

    /// What rustc looks at when it compiles `file`.
    fn look(
        &self,
        file: &Path,
        arguments: &[OsString],
        scratch: &Path,
    ) -> Result<Evidence, LoadError> {
        let rule = scratch.join("rule");
        self.emit("dep-info", &rule, file, arguments.to_vec(), scratch)?;
        let mut evidence = Evidence::default();
        evidence.add_rule(&std::fs::read_to_string(&rule).unwrap_or_default());
        evidence.add_other_places();
        Ok(evidence)
    }

    /// The macros of the crate `linspect` for this compiler, whose sources are in `place`: a native library, made once and kept.
    fn macros(&self, place: &Path, scratch: &Path) -> Result<PathBuf, LoadError> {
        let library = scratch.join("liblinspect_macros.so");
        let (cache, key) = (Cache::open(), cache::macros_key(self));
        let kept = cache.as_ref().and_then(|cache| cache.read(key));
        if let Some(bytes) = kept {
            std::fs::write(&library, bytes).map_err(LoadError::Scratch)?;
            return Ok(library);
        }
        let mut arguments = words(&[
            "--edition",
            "2024",
            "--crate-type",
            "proc-macro",
            "--crate-name",
            "linspect_macros",
            "--extern",
            "proc_macro",
            "-C",
            "opt-level=1",
            "-C",
            "strip=symbols",
        ]);
        arguments.push(format!("--remap-path-prefix={}=<linspect>", scratch.display()).into());
        self.emit("link", &library, &place.join("lib.rs"), arguments, scratch)?;
        if let Some(cache) = cache {
            cache.write(key, &super::read(&library)?);
        }
        Ok(library)
    }

    /// Has rustc make `what` of `file`. Everything else that it writes goes to the scratch directory, too.
    fn emit(
        &self,
        what: &str,
        into: &Path,
        file: &Path,
        mut arguments: Vec<OsString>,
        scratch: &Path,
    ) -> Result<(), LoadError> {
        arguments.push(format!("--emit={what}={}", into.display()).into());
        arguments.extend(["--out-dir".into(), scratch.into(), operand(file)]);
        let output = run(&self.path, &arguments)?;
        if output.status.success() {
            return Ok(());
        }
        Err(LoadError::Compile {
            compiler: "rustc".to_owned(),
            file: file.to_owned(),
            messages: messages(&output),
        })
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
fn standard_library(rustc: &Rustc, producer: Version) -> Result<Vec<Part>, LoadError> {
    let entries = std::fs::read_dir(&rustc.libraries).map_err(|reason| LoadError::Read {
        path: rustc.libraries.clone(),
        reason,
    })?;
    let mut libraries: Vec<(usize, PathBuf)> = entries
        .flatten()
        .filter_map(|e| Some((rank(&e.path())?, e.path())))
        .collect();
    libraries.sort();
    let mut parts = Vec::new();
    for (_, library) in libraries {
        parts.extend(archive::bitcode(&library, producer)?);
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
