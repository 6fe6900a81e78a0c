//! Work that another process does for Linspect: being the linker of a cargo build and standing before its compiler, and decoding modules that nobody vouches for.
//!
//! LLVM is not written for hostile input: on broken bitcode it may end the process, crash, or compute and grow for ever. So modules
//! that the user gives (rather than a compiler that Linspect has just run) are decoded in a child with limits, by the same
//! executable. An executable that wants either calls [`answer`] first thing in `main`.

use super::assemble::Parts;
use super::command::CommandError;
use super::evidence::Evidence;
use super::{Built, Entry, LoadError, Source, linker, loom};
use crate::llvm::Version;
use crate::program::Program;
use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use std::ffi::OsString;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

/// The environment variable that makes a process a helper.
pub(super) const MARKER: &str = "LINSPECT_HELPER";
/// Its value for a linker.
pub(super) const LINK: &str = "link";
/// Its value for a decoder.
const DECODE: &str = "decode";
/// The memory that a decoder may use.
const MEMORY: u64 = 4 << 30;
/// The seconds that it may compute.
const TIME: u64 = 60;
/// What LLVM and Rust say when there is no more memory.
const OUT_OF_MEMORY: [&str; 3] = ["out of memory", "bad_alloc", "memory allocation of"];
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
        LINK if loom::is_compiler(&arguments) => {
            let mut compiler = loom::compiler(&arguments);
            // It returns only if it could not be started.
            let reason = compiler.exec();
            let tool = PathBuf::from(compiler.get_program());
            Err(CommandError::Start { tool, reason }.into())
        }
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

/// The child's side: a bundle, what is to run of it, where the answer goes.
fn decode(arguments: &[OsString]) -> Result<(), LoadError> {
    confine();
    let [bundle, entry, answer] = arguments else {
        return Err(LoadError::Nothing);
    };
    let entry: Entry =
        serde_json::from_str(&entry.to_string_lossy()).map_err(|_| LoadError::Nothing)?;
    let parts = linker::unpack(Path::new(bundle))?;
    let built = super::assemble_parts(parts, &entry)?;
    let found = (built.evidence, built.program.to_bytes());
    let bytes = postcard::to_stdvec(&found).expect("an answer is plain data");
    let path = PathBuf::from(answer);
    std::fs::write(&path, bytes).map_err(|reason| LoadError::Write { path, reason })
}

/// Gives up the right to use more than a module can be worth.
fn confine() {
    for (what, most) in [
        (Resource::As, MEMORY),
        (Resource::Cpu, TIME),
        (Resource::Core, 0),
    ] {
        let limit = Rlimit {
            current: Some(allowed(what, most)),
            maximum: getrlimit(what).maximum,
        };
        // A system that does not know one of them has its own way to end a process that grows for ever.
        let _ = setrlimit(what, limit);
    }
}

/// How much of something a decoder may use: `most`, or less where this process itself may not use that much.
fn allowed(what: Resource, most: u64) -> u64 {
    getrlimit(what).current.map_or(most, |own| own.min(most))
}

/// This executable, if it answers as a helper.
pub(super) fn executable() -> Option<PathBuf> {
    if !ANSWERS.load(Ordering::Relaxed) || std::env::var_os(MARKER).is_some() {
        return None;
    }
    std::env::current_exe().ok()
}

/// The parent's side: has a child link, reduce and decode what `source` was compiled to.
pub(super) fn decode_elsewhere(
    executable: &Path,
    parts: Parts,
    source: &Source,
) -> Result<Built, LoadError> {
    let scratch = tempfile::tempdir().map_err(LoadError::Scratch)?;
    let (bundle, answer) = (scratch.path().join("bundle"), scratch.path().join("answer"));
    linker::pack(&parts, &bundle)?;
    let output = Command::new(executable)
        .arg(&bundle)
        .arg(serde_json::to_string(&source.entry).expect("an entry is plain data"))
        .arg(&answer)
        .env(MARKER, DECODE)
        .stdin(Stdio::null())
        .output()
        .map_err(LoadError::Scratch)?;
    let names = source.files.iter().map(|f| f.display().to_string());
    let files = names.collect::<Vec<_>>().join(", ");
    let messages = super::command::messages(&output);
    let limit = if output.status.signal() == Some(Signal::XCPU.as_raw()) {
        Some(format!("{} s of computing", allowed(Resource::Cpu, TIME)))
    } else if OUT_OF_MEMORY.iter().any(|words| messages.contains(words)) {
        let memory = allowed(Resource::As, MEMORY);
        Some(format!("{} MiB of memory", memory >> 20))
    } else {
        None
    };
    match (output.status.code(), limit) {
        (Some(0), _) => {}
        (_, Some(limit)) => return Err(LoadError::Limit { files, limit }),
        (Some(2), None) => return Err(LoadError::Refused { messages }),
        (_, None) => return Err(LoadError::Crashed { files, messages }),
    }
    let bytes = super::read(&answer)?;
    let found = postcard::from_bytes::<(Evidence, Vec<u8>)>(&bytes).ok();
    let built = found.and_then(|(child, program)| {
        let mut evidence = parts.evidence;
        evidence.extend(child);
        let program = Program::from_bytes(&program)?;
        Some(Built { program, evidence })
    });
    built.ok_or(LoadError::Crashed {
        files,
        messages: "its answer is damaged".to_owned(),
    })
}
