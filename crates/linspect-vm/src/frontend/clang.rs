//! C and C++ through clang 14 to 22.
//!
//! Compiled without optimisation, so that every access of the source is in the bitcode, but with value names kept and without the mark
//! that forbids passes: `sroa` then turns local variables into registers that carry their names.

use super::assemble::{Part, Parts};
use super::command::{ask, dependencies, find, messages, operand, run, stamp};
use super::evidence::{Evidence, digest_of};
use super::support::Support;
use super::{Language, LoadError, Source};
use crate::llvm::Version;
use memchr::memmem;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

/// Names a clang to use instead of the one on the PATH.
const OVERRIDE: &str = "LINSPECT_CLANG";

/// The versions to look for under a versioned name, newest first.
const VERSIONS: std::ops::RangeInclusive<u32> = 14..=22;

/// What a harness includes as `<linspect.h>`.
const HEADER: &str = include_str!("../../include/linspect.h");

/// A clang, with the words in which it describes itself.
pub(super) struct Clang {
    path: PathBuf,
    /// First line of `--version`.
    identity: String,
    version: Version,
}

/// The first version whose pointers are opaque by default.
const OPAQUE: Version = Version(15);

/// The clang to use, if there is one.
pub(super) fn find_clang(file: &Path) -> Result<Clang, LoadError> {
    let given = std::env::var_os(OVERRIDE).map(PathBuf::from);
    let versioned = VERSIONS.rev().map(|v| format!("clang-{v}"));
    let path = given.or_else(|| find(std::iter::once("clang".to_owned()).chain(versioned.clone())));
    let path = path.ok_or_else(|| LoadError::NoCompiler {
        compiler: "clang",
        install: "apt install clang",
        file: file.to_owned(),
    })?;
    let clang = identify(path)?;
    // An old default compiler knows opaque pointers by a flag only, and crashes over them at times.
    match find(versioned) {
        Some(newest) if clang.version < OPAQUE && std::env::var_os(OVERRIDE).is_none() => {
            identify(newest)
        }
        _ => Ok(clang),
    }
}

fn identify(path: PathBuf) -> Result<Clang, LoadError> {
    let text = ask(&path, &["--version"])?;
    let identity = text.lines().next().unwrap_or_default().to_owned();
    let version = version(&identity).unwrap_or(Version(*VERSIONS.start()));
    Ok(Clang {
        path,
        identity,
        version,
    })
}

/// `Debian clang version 16.0.6 (15~deb12u1)` is 16.
fn version(identity: &str) -> Option<Version> {
    let (_, rest) = identity.split_once("version ")?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok().map(Version)
}

/// Everything that decides what clang makes of a file.
pub(super) struct Reading {
    /// Which clang it is.
    clang: String,
    /// What it says it does, with all flags, configuration and variables of the environment taken in, and where it looks for headers.
    said: Vec<u8>,
    /// The text after preprocessing.
    text: Vec<u8>,
    /// Every file that the text comes from, with its digest: columns and comments are not in the text.
    files: String,
}

impl Reading {
    /// All of it.
    pub(super) fn parts(&self) -> impl Iterator<Item = &[u8]> {
        [
            self.clang.as_bytes(),
            &self.said,
            &self.text,
            self.files.as_bytes(),
        ]
        .into_iter()
    }
}

/// Reads `file` as the preprocessor does.
pub(super) fn read(file: &Path, language: Language, source: &Source) -> Result<Reading, LoadError> {
    let clang = find_clang(file)?;
    let scratch = scratch()?;
    let (text, rule) = (scratch.path().join("text"), scratch.path().join("rule"));
    let mut arguments = clang.arguments(language, scratch.path());
    arguments.extend(source.c_flags.iter().map(OsString::from));
    arguments.extend(["-MD".into(), "-MF".into(), rule.clone().into_os_string()]);
    arguments.extend(["-E".into(), "-o".into(), text.clone().into_os_string()]);
    arguments.push(operand(file));
    let aloud: Vec<OsString> = [&["-v".into()], &arguments[..]].concat();
    let output = run(&clang.path, &aloud)?;
    if !output.status.success() {
        // Once more, for its complaints alone.
        return Err(clang.refused(file, &run(&clang.path, &arguments)?));
    }
    let rule = std::fs::read_to_string(&rule).unwrap_or_default();
    let files = dependencies(&rule).into_iter();
    let files = files.filter(|f| !f.starts_with(scratch.path()));
    Ok(Reading {
        clang: stamp(&clang.path) + &clang.identity,
        said: without(&output.stderr, scratch.path()),
        text: without(&super::read(&text)?, scratch.path()),
        files: files
            .map(|f| format!("{f:?} {:?}\n", digest_of(&f)))
            .collect(),
    })
}

/// A folder of this run alone, with the header for harnesses.
pub(super) fn scratch() -> Result<TempDir, LoadError> {
    let scratch = tempfile::tempdir().map_err(LoadError::Scratch)?;
    std::fs::write(scratch.path().join("linspect.h"), HEADER).map_err(LoadError::Scratch)?;
    Ok(scratch)
}

/// `text` without the random name of the scratch directory.
fn without(text: &[u8], scratch: &Path) -> Vec<u8> {
    let name = scratch.as_os_str().as_encoded_bytes();
    let mut out = Vec::new();
    let mut rest = 0;
    for at in memmem::find_iter(text, name) {
        out.extend(&text[rest..at]);
        rest = at + name.len();
    }
    out.extend(&text[rest..]);
    out
}

/// Compiles `file` and adds its bitcode.
pub(super) fn compile(
    file: &Path,
    language: Language,
    source: &Source,
    parts: &mut Parts,
) -> Result<(), LoadError> {
    let clang = find_clang(file)?;
    let scratch = scratch()?;
    let flags = source.c_flags.iter().map(OsString::from).collect();
    let bytes = clang.to_bitcode(file, language, flags, scratch.path())?;
    parts.c |= language == Language::C;
    parts.cxx |= language == Language::Cxx;
    let name = file.display().to_string();
    parts.own.push(Part {
        name,
        producer: clang.version,
        bytes,
    });
    Ok(())
}

/// Compiles a support of programs, and notes what it is made of.
pub(super) fn compile_support(
    support: &Support,
    evidence: &mut Evidence,
) -> Result<Part, LoadError> {
    let scratch = scratch()?;
    let file = scratch.path().join(support.file);
    std::fs::write(&file, support.text).map_err(LoadError::Scratch)?;
    let clang = find_clang(&file)?;
    let rule = scratch.path().join("rule");
    let mut more = vec!["-MD".into(), "-MF".into(), rule.clone().into_os_string()];
    more.extend(support.edition.map(OsString::from));
    let bytes = clang.to_bitcode(&file, Language::Cxx, more, scratch.path())?;
    let rule = std::fs::read_to_string(&rule).unwrap_or_default();
    let files = dependencies(&rule).into_iter();
    files
        .filter(|f| !f.starts_with(scratch.path()))
        .for_each(|f| evidence.add(f));
    Ok(Part {
        name: "the support of programs".to_owned(),
        producer: clang.version,
        bytes,
    })
}

impl Clang {
    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// How everything is compiled.
    pub(super) fn arguments(&self, language: Language, scratch: &Path) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = Vec::new();
        let mut add = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
        add(&["-O0", "-g", "-fno-discard-value-names"]);
        add(&["-Xclang", "-disable-O0-optnone"]);
        add(&["-x", if language == Language::C { "c" } else { "c++" }]);
        if language == Language::Cxx {
            // Has libstdc++ check indices and iterators, and instantiate strings here instead of in its shared library.
            add(&["-D_GLIBCXX_ASSERTIONS"]);
            // Has it read the two counters of a shared pointer one by one, as for any tool that looks for races.
            add(&["-D_GLIBCXX_TSAN=1"]);
        }
        if self.version < Version(15) {
            add(&["-mllvm", "-opaque-pointers", "-Xclang", "-opaque-pointers"]);
        }
        // The scratch directory has a random name, which must not get into debug information.
        arguments.push(prefixed("-ffile-prefix-map=", scratch, "=<linspect>"));
        arguments.push(prefixed("-I", scratch, ""));
        arguments
    }

    /// Runs clang on `file`; gives the bitcode.
    fn to_bitcode(
        &self,
        file: &Path,
        language: Language,
        more: Vec<OsString>,
        scratch: &Path,
    ) -> Result<Vec<u8>, LoadError> {
        let object = scratch.join("out.bc");
        let mut arguments = self.arguments(language, scratch);
        arguments.extend(more);
        arguments.extend(["-c".into(), "-emit-llvm".into(), "-o".into()]);
        arguments.extend([object.clone().into_os_string(), operand(file)]);
        self.run(file, &arguments)?;
        super::read(&object)
    }

    /// Runs it on `file`, with all its arguments.
    pub(super) fn run(&self, file: &Path, arguments: &[OsString]) -> Result<(), LoadError> {
        let output = run(&self.path, arguments)?;
        match output.status.success() {
            true => Ok(()),
            false => Err(self.refused(file, &output)),
        }
    }

    fn refused(&self, file: &Path, output: &Output) -> LoadError {
        LoadError::Compile {
            compiler: self.identity.clone(),
            file: file.to_owned(),
            messages: messages(output),
        }
    }
}

fn prefixed(prefix: &str, path: &Path, suffix: &str) -> OsString {
    let mut out = OsString::from(prefix);
    out.push(path);
    out.push(suffix);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_the_first_line() {
        assert_eq!(
            version("Debian clang version 16.0.6 (15~deb12u1)"),
            Some(Version(16))
        );
        assert_eq!(version("clang version 22.1.0-rc2"), Some(Version(22)));
        assert_eq!(version("gcc (Debian 12.2.0)"), None);
    }
}
