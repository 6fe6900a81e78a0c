//! From source files to a decoded program.
//!
//! ```text
//! .c .cc .cpp .cxx ──clang──▶ bitcode ─┐
//! .rs ──rustc──▶ bitcode + std's ──────┼─▶ link ─▶ reduce ─▶ decode ─▶ Program ─▶ cache
//! .bc .ll .o .a .so ───────────────────┘
//! ```
//!
//! Compilers are found on the PATH and get their arguments as lists, never through a shell. LLVM is loaded for the time of linking
//! and decoding only.

mod archive;
mod assemble;
mod cache;
pub mod cargo;
mod carried;
mod clang;
mod command;
mod entry;
mod evidence;
pub mod helper;
pub mod index;
mod linker;
pub(crate) mod loom;
mod members;
mod reduce;
mod rustc;
mod select;
mod support;
pub mod wrapper;

pub use crate::llvm::{LibraryError, ModuleError};
pub use command::CommandError;
pub use entry::Entry;
pub(crate) use support::is_support;

use crate::program::Program;
use evidence::Evidence;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What to load.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Files, linked together: C, C++, Rust, bitcode, LLVM text.
    pub files: Vec<PathBuf>,
    /// More arguments for the compiler of C and C++ files, such as `-Iinclude` or `-DNDEBUG`.
    pub c_flags: Vec<String>,
    /// More arguments for rustc.
    pub rust_flags: Vec<String>,
    /// What is to run.
    pub entry: Entry,
}

impl Source {
    /// One file, nothing special.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self {
            files: vec![path.into()],
            ..Self::default()
        }
    }
}

/// Why a program could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no such file, or it cannot be read.
    #[error("cannot read {}: {reason}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// Nobody knows what to do with such a file.
    #[error("{}: unknown kind of file; Linspect reads .c .cc .cpp .cxx .rs .bc .ll, and .o .a .so that carry bitcode", .0.display())]
    UnknownKind(PathBuf),
    /// It is not said which of several harnesses is meant.
    #[error("there are several harnesses: {}; choose one", .names.join(", "))]
    SeveralHarnesses {
        /// Their names.
        names: Vec<String>,
    },
    /// What is to run is not there.
    #[error("there is no harness or test `{name}` in the program")]
    NoSuchEntry {
        /// What was asked for.
        name: String,
    },
    /// Nothing to load.
    #[error("no source file was given")]
    Nothing,
    /// No compiler of that language is installed.
    #[error("no {compiler} was found on the PATH, and {} needs one; install it with `{install}`", .file.display())]
    NoCompiler {
        /// What is missing.
        compiler: &'static str,
        /// How to get it.
        install: &'static str,
        /// Who needs it.
        file: PathBuf,
    },
    /// The compiler refused the file.
    #[error("{compiler} refused {}:\n{messages}", .file.display())]
    Compile {
        /// Which compiler.
        compiler: String,
        /// The file.
        file: PathBuf,
        /// What it said.
        messages: String,
    },
    /// A compiler could not be run.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// What was compiled carries no bitcode.
    #[error("{} has machine code only, and Linspect runs bitcode; give its sources, or build it with CC=\"linspect cc\" CXX=\"linspect c++\"", .0.display())]
    MachineCode(PathBuf),
    /// A library cannot be read.
    #[error("{}: {reason}", .path.display())]
    Archive {
        /// The library.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// No libLLVM fits.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// LLVM refused a module.
    #[error(transparent)]
    Module(#[from] ModuleError),
    /// A file cannot be written.
    #[error("cannot write {}: {reason}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// The process that reads modules of unknown origin refused them.
    #[error("{messages}")]
    Refused {
        /// What it said.
        messages: String,
    },
    /// LLVM crashed on a module.
    #[error("{files}: LLVM crashed while reading it, so it is no valid bitcode{}", details(.messages))]
    Crashed {
        /// What it read.
        files: String,
        /// What it said, if anything.
        messages: String,
    },
    /// LLVM needs more for a module than it is given.
    #[error("{files}: LLVM needs more than {limit} to read it")]
    Limit {
        /// What it read.
        files: String,
        /// What was not enough.
        limit: String,
    },
    /// Scratch space could not be used.
    #[error("cannot use the temporary directory: {0}")]
    Scratch(io::Error),
}

fn details(messages: &str) -> String {
    match messages.lines().find(|line| !line.is_empty()) {
        Some(first) => format!(" ({first})"),
        None => String::new(),
    }
}

/// Loads a program: from the cache if everything that decides is as it was, else from its sources.
pub fn load(source: &Source) -> Result<Program, LoadError> {
    cached(|| cache::key(source), || build(source))
}

/// What `build` makes, or what it made the last time for the same key.
fn cached(
    key: impl Fn() -> Result<cache::Key, LoadError>,
    build: impl FnOnce() -> Result<Built, LoadError>,
) -> Result<Program, LoadError> {
    let Some(cache) = cache::Cache::open() else {
        return build().map(|built| built.program);
    };
    let before = key()?;
    if let Some(program) = cache.get(before) {
        return Ok(program);
    }
    let built = build()?;
    // If a file was saved meanwhile, nobody knows which of the two was compiled.
    if key().is_ok_and(|after| after == before) && built.evidence.holds() {
        cache.put(before, &built.evidence, &built.program);
    }
    Ok(built.program)
}

/// A fresh program, and what decided beside its key.
struct Built {
    program: Program,
    evidence: Evidence,
}

/// Languages by file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    C,
    Cxx,
    Rust,
    Bitcode,
    /// An object file or a program that may carry bitcode.
    Object,
    /// An archive or a shared library of such.
    Library,
}

fn language(path: &Path) -> Result<Language, LoadError> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("c") => Ok(Language::C),
        Some("cc" | "cpp" | "cxx") => Ok(Language::Cxx),
        Some("rs") => Ok(Language::Rust),
        Some("bc" | "ll") => Ok(Language::Bitcode),
        Some("o" | "lo") => Ok(Language::Object),
        Some("a") => Ok(Language::Library),
        _ => compiled(path).ok_or_else(|| LoadError::UnknownKind(path.to_owned())),
    }
}

/// What a file is that only its contents tell: `libx.so.1`, a program.
fn compiled(path: &Path) -> Option<Language> {
    let mut start = [0; 4];
    File::open(path).ok()?.read_exact(&mut start).ok()?;
    let name = path.file_name()?.to_string_lossy();
    let is_shared = name.ends_with(".so") || name.contains(".so.");
    (start == *b"\x7FELF").then_some(match is_shared {
        true => Language::Library,
        false => Language::Object,
    })
}

/// Larger files are nobody's source.
const LARGEST: u64 = 1 << 30;

fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    bounded(path, LARGEST).map_err(|reason| LoadError::Read {
        path: path.to_owned(),
        reason,
    })
}

/// What is in a regular file of at most `most` bytes. Nobody waits for the other end of a pipe.
fn bounded(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !about.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Compiles, links, reduces and decodes. Modules that no compiler run vouches for are left to a child process.
fn build(source: &Source) -> Result<Built, LoadError> {
    let parts = compile(source)?;
    let is_given = |file: &PathBuf| {
        matches!(
            language(file),
            Ok(Language::Bitcode | Language::Object | Language::Library)
        )
    };
    if source.files.iter().any(is_given)
        && let Some(executable) = helper::executable()
    {
        return helper::decode_elsewhere(&executable, parts, source);
    }
    assemble_parts(parts, &source.entry)
}

fn compile(source: &Source) -> Result<assemble::Parts, LoadError> {
    if source.files.is_empty() {
        return Err(LoadError::Nothing);
    }
    let mut parts = assemble::Parts::default();
    for file in &source.files {
        match language(file)? {
            kind @ (Language::C | Language::Cxx) => clang::compile(file, kind, source, &mut parts)?,
            Language::Rust => rustc::compile(file, &read(file)?, source, &mut parts)?,
            Language::Bitcode => parts.own.push(assemble::Part::given(file, read(file)?)?),
            Language::Object => parts.own.extend(carried_by(file)?),
            Language::Library => parts.library.extend(carried_by(file)?),
        }
    }
    // What somebody else compiled may be C++.
    parts.cxx |= parts
        .own
        .iter()
        .chain(&parts.library)
        .any(assemble::Part::is_given);
    Ok(parts)
}

/// The modules that a compiled file carries.
fn carried_by(file: &Path) -> Result<Vec<assemble::Part>, LoadError> {
    let bytes = read(file)?;
    let parts = match bytes.starts_with(b"!<arch>\n") {
        true => archive::bitcode(file, assemble::UNKNOWN)?,
        false => carried::modules(&bytes)
            .into_iter()
            .map(|module| assemble::Part::carried(file, module))
            .collect(),
    };
    match parts.is_empty() {
        true => Err(LoadError::MachineCode(file.to_owned())),
        false => Ok(parts),
    }
}

fn assemble_parts(mut parts: assemble::Parts, entry: &Entry) -> Result<Built, LoadError> {
    let program = assemble::assemble(&mut parts, |own| entry.enter(own))?;
    Ok(Built {
        program,
        evidence: parts.evidence,
    })
}
