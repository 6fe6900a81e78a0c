//! Linspect as the linker of a cargo build.
//!
//! With `-C linker-plugin-lto` every object that rustc hands to the linker is raw bitcode, no code is ever generated, and the command
//! line is the exact closure of the program: its objects, the libraries of its dependencies, the standard library. "Linking" is
//! then to pack all that into one file, the *bundle*, where cargo expects the executable.

use super::assemble::{Part, Parts};
use super::{LoadError, archive, carried, rustc};
use crate::llvm::Version;
use sha2::Digest;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

/// First bytes of a bundle.
const MAGIC: &[u8; 16] = b"linspect bundle\n";

/// After that, the digest of what follows.
const DIGEST: usize = 32;

/// What a linker's command line says, as far as it matters.
#[derive(Debug, Default, PartialEq, Eq)]
struct CommandLine {
    objects: Vec<PathBuf>,
    libraries: Vec<PathBuf>,
    output: Option<PathBuf>,
}

/// Packs what the command line names into its output.
pub(super) fn link(arguments: &[OsString], producer: Version) -> Result<(), LoadError> {
    let CommandLine {
        objects,
        mut libraries,
        output,
    } = parse(arguments)?;
    let output = output.ok_or(LoadError::Nothing)?;
    let mut parts = Parts::default();
    for object in &objects {
        let bytes = super::read(object)?;
        for bitcode in carried::modules(&bytes) {
            parts.own.push(Part {
                name: object.display().to_string(),
                producer,
                bytes: bitcode.to_vec(),
            });
        }
    }
    libraries.retain(|l| !rustc::is_builtins(l));
    // rustc names users before what they use; only within the standard library its order is not enough.
    libraries.sort_by_key(|l| rustc::rank(l).map_or(0, |rank| rank + 1));
    for library in &libraries {
        parts.library.extend(archive::bitcode(library, producer)?);
    }
    pack(&parts, &output)
}

/// Writes the bundle of `parts` at `path`: whole, or not at all.
pub(super) fn pack(parts: &Parts, path: &Path) -> Result<(), LoadError> {
    let body = postcard::to_stdvec(parts).expect("parts are plain data");
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    let write = || {
        let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        file.write_all(MAGIC)?;
        file.write_all(&digest(&body))?;
        file.write_all(&body)?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|reason| LoadError::Write {
        path: path.to_owned(),
        reason,
    })
}

/// The parts in the bundle at `path`.
pub(super) fn unpack(path: &Path) -> Result<Parts, LoadError> {
    let bytes = super::read(path)?;
    let body = bytes
        .strip_prefix(MAGIC)
        .and_then(<[u8]>::split_first_chunk::<DIGEST>)
        .and_then(|(sum, body)| (*sum == digest(body)).then_some(body));
    body.and_then(|body| postcard::from_bytes(body).ok())
        .ok_or_else(|| LoadError::Archive {
            path: path.to_owned(),
            reason: "not a program that Linspect linked".to_owned(),
        })
}

/// What tells the bundle at `path` from all others: its first bytes, which say what the rest is. Bundles are large, and to read them is what a
/// cache is to avoid.
pub(super) fn identity(path: &Path) -> Result<Vec<u8>, LoadError> {
    let unreadable = |reason| LoadError::Read {
        path: path.to_owned(),
        reason,
    };
    let mut file = std::fs::File::open(path).map_err(unreadable)?;
    let mut head = vec![0; MAGIC.len() + DIGEST];
    std::io::Read::read_exact(&mut file, &mut head).map_err(unreadable)?;
    Ok(head)
}

fn digest(bytes: &[u8]) -> [u8; DIGEST] {
    sha2::Sha256::digest(bytes).into()
}

fn parse(arguments: &[OsString]) -> Result<CommandLine, LoadError> {
    let mut line = CommandLine::default();
    let mut rest = arguments
        .iter()
        .cloned()
        .collect::<std::collections::VecDeque<_>>();
    while let Some(argument) = rest.pop_front() {
        let path = PathBuf::from(&argument);
        let text = argument.to_string_lossy();
        if let Some(file) = text.strip_prefix('@') {
            let inner = String::from_utf8_lossy(&super::read(Path::new(file))?).into_owned();
            for word in words(&inner).into_iter().rev() {
                rest.push_front(word.into());
            }
        } else if text == "-o" {
            line.output = rest.pop_front().map(PathBuf::from);
        } else if !text.starts_with('-') {
            match path.extension().and_then(|e| e.to_str()) {
                Some("o") => line.objects.push(path),
                Some("rlib") => line.libraries.push(path),
                _ => {}
            }
        }
    }
    Ok(line)
}

/// The words of a response file, with the quoting of gcc.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => word.get_or_insert_default().extend(rest.next()),
            '"' | '\'' if quote == Some(c) => quote = None,
            '"' | '\'' if quote.is_none() => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && quote.is_none() => out.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_libraries_and_output_are_found() {
        let line = "-m64 /t/symbols.o a.rcgu.o -Wl,-Bstatic /x/libfoo-1.rlib -lgcc_s -o target/out -Wl,--gc-sections";
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let parsed = parse(&arguments).expect("no response file");
        assert_eq!(
            parsed.objects,
            ["/t/symbols.o", "a.rcgu.o"].map(PathBuf::from)
        );
        assert_eq!(parsed.libraries, [PathBuf::from("/x/libfoo-1.rlib")]);
        assert_eq!(parsed.output, Some(PathBuf::from("target/out")));
    }

    #[test]
    fn response_files_are_unquoted() {
        assert_eq!(words("a \"b c\" d\\ e\n'f'"), ["a", "b c", "d e", "f"]);
    }
}
