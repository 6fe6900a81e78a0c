//! Work that another process does for Linspect: being the linker of a cargo build, and decoding modules that nobody vouches for.
//!
//! LLVM is not written for hostile input: on broken bitcode it may end the process or crash. So modules that the user gives
//! (rather than a compiler that Linspect has just run) are decoded in a child, by the same executable. An executable that wants
//! either calls [`answer`] first thing in `main`.

use super::{LoadError, Source, linker};
use crate::llvm::Version;
use crate::program::Program;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

/// The environment variable that makes a process a helper.
pub(super) const MARKER: &str = "LINSPECT_HELPER";
/// Its value for a linker.
pub(super) const LINK: &str = "link";
/// Its value for a decoder.
const DECODE: &str = "decode";
/// Tells a linker which LLVM writes the bitcode.
pub(super) const PRODUCER: &str = "LINSPECT_PRODUCER";

/// Whether this executable answers as a helper, so that it can be started as one.
static ANSWERS: AtomicBool = AtomicBool::new(false);

/// Does a helper's work, if this process was started as one, and says how to exit. Call it first thing in `main`.
pub fn answer() -> Option<ExitCode> {
    ANSWERS.store(true, Ordering::Relaxed);
    let role = std::env::var(MARKER).ok()?;
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let done = match role.as_str() {
        LINK => {
            let producer = std::env::var(PRODUCER).ok().and_then(|v| v.parse().ok());
            linker::link(&arguments, Version(producer.unwrap_or(0)))
        }
        DECODE => decode(&arguments),
        _ => return None,
    };
    Some(match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    })
}

/// The child's side: output, entry, files.
fn decode(arguments: &[OsString]) -> Result<(), LoadError> {
    let [output, entry, files @ ..] = arguments else {
        return Err(LoadError::Nothing);
    };
    let source = Source {
        files: files.iter().map(PathBuf::from).collect(),
        entry: serde_json::from_str(&entry.to_string_lossy()).map_err(|_| LoadError::Nothing)?,
        ..Source::default()
    };
    let built = super::build_here(&source)?;
    let path = PathBuf::from(output);
    std::fs::write(&path, built.program.to_bytes())
        .map_err(|reason| LoadError::Write { path, reason })
}

/// The parent's side: decodes `source`, which is bitcode only, in a child. `None`: this executable is no helper.
pub(super) fn decode_elsewhere(source: &Source) -> Option<Result<Program, LoadError>> {
    if !ANSWERS.load(Ordering::Relaxed) || std::env::var_os(MARKER).is_some() {
        return None;
    }
    let executable = std::env::current_exe().ok()?;
    Some(run_child(&executable, source))
}

fn run_child(executable: &Path, source: &Source) -> Result<Program, LoadError> {
    let scratch = tempfile::tempdir().map_err(LoadError::Scratch)?;
    let result = scratch.path().join("program");
    let output = Command::new(executable)
        .arg(&result)
        .arg(serde_json::to_string(&source.entry).expect("an entry is plain data"))
        .args(&source.files)
        .env(MARKER, DECODE)
        .stdin(Stdio::null())
        .output()
        .map_err(LoadError::Scratch)?;
    let files = source
        .files
        .iter()
        .map(|f| f.display().to_string())
        .collect::<Vec<_>>()
        .join(", ");
    let messages = super::command::messages(&output);
    match output.status.code() {
        Some(0) => {}
        Some(2) => return Err(LoadError::Refused { messages }),
        _ => return Err(LoadError::Crashed { files, messages }),
    }
    let bytes = super::read(&result)?;
    Program::from_bytes(&bytes).ok_or(LoadError::Crashed {
        files,
        messages: "its answer is damaged".to_owned(),
    })
}
