//! loom in a package: where cargo compiles it, the crate `linspect-loom` is compiled instead.
//!
//! loom runs a test natively, on stacks of its own, which no machine but the processor has; here its interface over the standard library is all that a test needs. So Linspect
//! stands before the compiler of a cargo build (`RUSTC_WRAPPER`) and changes one thing: which file the crate `loom` is compiled from. Nobody's manifest or lock file changes.

use super::LoadError;
use sha2::{Digest, Sha256};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment variable that names the folder of the sources.
pub(super) const FOLDER: &str = "LINSPECT_LOOM";
/// The environment variable that names the wrapper that the user has around rustc.
pub(super) const WRAPPER: &str = "LINSPECT_WRAPPER";
/// What the sources are called in debug information.
pub(crate) const PATH: &str = "<linspect>/loom";

/// The package whose library is replaced.
const LOOM: &str = "loom";

/// What tells these sources from those of another version.
pub(super) fn digest() -> String {
    let mut hash = Sha256::new();
    for (name, text) in loom::SOURCES {
        hash.update(name);
        hash.update(text);
    }
    let digits = hash.finalize();
    digits[..8].iter().map(|b| format!("{b:02x}")).collect()
}

/// Writes the sources below `target`, unless they are there; says where.
pub(super) fn write(target: &Path) -> Result<PathBuf, LoadError> {
    let folder = target.join("loom").join(digest());
    if folder.exists() {
        return Ok(folder);
    }
    let written = || {
        let above = target.join("loom");
        std::fs::create_dir_all(&above)?;
        let new = tempfile::tempdir_in(&above)?;
        for (name, text) in loom::SOURCES {
            std::fs::write(new.path().join(name), text)?;
        }
        let new = new.keep();
        std::fs::rename(&new, &folder).or_else(|reason| {
            // Somebody else was faster.
            std::fs::remove_dir_all(&new)?;
            folder.exists().then_some(()).ok_or(reason)
        })
    };
    match written() {
        Ok(()) => Ok(folder),
        Err(reason) => Err(LoadError::Write {
            path: folder.clone(),
            reason,
        }),
    }
}

/// Whether a helper was started with the command line of a compiler, not of a linker.
pub(super) fn is_compiler(arguments: &[OsString]) -> bool {
    let name = arguments
        .first()
        .and_then(|first| Path::new(first).file_name());
    name.and_then(OsStr::to_str)
        .is_some_and(|name| name.starts_with("rustc") && !name.contains('.'))
}

/// The compiler that cargo asked for with these arguments, which compiles another file if it is loom.
pub(super) fn compiler(arguments: &[OsString]) -> Command {
    let words = match (std::env::var_os(FOLDER), std::env::var("CARGO_PKG_NAME")) {
        (Some(folder), Ok(package)) if package == LOOM => replaced(arguments, Path::new(&folder)),
        _ => arguments.to_vec(),
    };
    let mut words = words.into_iter();
    let wrapper = std::env::var_os(WRAPPER).filter(|wrapper| !wrapper.is_empty());
    let first = wrapper.or_else(|| words.next()).unwrap_or_default();
    let mut command = Command::new(first);
    command.args(words);
    command
}

/// The command line with the sources in `folder` in place of loom's, if it compiles that.
fn replaced(arguments: &[OsString], folder: &Path) -> Vec<OsString> {
    let names = |pair: &[OsString]| pair[0] == "--crate-name" && pair[1] == LOOM;
    if !arguments.windows(2).any(names) {
        return arguments.to_vec();
    }
    let mut words: Vec<OsString> = arguments
        .iter()
        .map(|word| match word.to_str() {
            Some(text) if text.starts_with("--edition=") => "--edition=2024".into(),
            Some(text) if text.ends_with(".rs") && !text.starts_with('-') => {
                folder.join("lib.rs").into()
            }
            _ => word.clone(),
        })
        .collect();
    words.push(format!("--remap-path-prefix={}={PATH}", folder.display()).into());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn only_the_library_of_loom_is_replaced() {
        let folder = Path::new("/t/loom");
        let loom = words(
            "/bin/rustc --crate-name loom --edition=2018 /r/loom-0.7.2/src/lib.rs --crate-type lib",
        );
        let now = "/bin/rustc --crate-name loom --edition=2024 /t/loom/lib.rs --crate-type lib --remap-path-prefix=/t/loom=<linspect>/loom";
        assert_eq!(replaced(&loom, folder), words(now));
        let script = words("/bin/rustc --crate-name build_script_build --edition=2018 build.rs");
        assert_eq!(replaced(&script, folder), script);
    }

    #[test]
    fn a_compiler_is_told_from_a_linker() {
        assert!(is_compiler(&words("/usr/bin/rustc -vV")));
        assert!(is_compiler(&words("rustc - --crate-name ___")));
        assert!(!is_compiler(&words("-m64 /tmp/rustcX/symbols.o")));
        assert!(!is_compiler(&words("/tmp/rustcX/rustc.o -o x")));
    }

    #[test]
    fn sources_are_written_once() {
        let target = tempfile::tempdir().expect("a folder");
        let folder = write(target.path()).expect("it can be written");
        assert_eq!(write(target.path()).expect("it is there"), folder);
        let files = std::fs::read_dir(&folder).expect("a folder").count();
        assert_eq!(files, loom::SOURCES.len());
    }
}
