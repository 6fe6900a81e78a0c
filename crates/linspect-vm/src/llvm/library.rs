//! Finds and opens a libLLVM at run time.
//!
//! A reader must be at least as new as the compiler that wrote the bitcode: newer readers understand all older bitcode,
//! older readers understand no newer one. The nearest version that fits is taken, because it needs the fewest upgrades.

use super::api::Api;
use libloading::Library;
use std::collections::BTreeMap;
use std::ffi::{CStr, OsStr, c_char};
use std::fmt;
use std::path::{Path, PathBuf};

/// Names a libLLVM to use instead of the one Linspect would choose.
pub(crate) const OVERRIDE: &str = "LINSPECT_LLVM";

/// The oldest LLVM whose C API and bitcode Linspect understands.
pub(crate) const OLDEST: u32 = 14;

/// A major version of LLVM, such as 16.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub(crate) struct Version(pub(crate) u32);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LLVM {}", self.0)
    }
}

/// Why no libLLVM could be used.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// None was found that is new enough.
    #[error(
        "no libLLVM of version {needed} or newer was found (looked at: {}); install it with `apt install libllvm{needed}`, \
         or install a Rust toolchain with `rustup toolchain install stable`, or name one in LINSPECT_LLVM", seen(.found)
    )]
    NoneFits {
        /// The version of the compiler that wrote the bitcode.
        needed: u32,
        /// What there is.
        found: Vec<PathBuf>,
    },
    /// The chosen one could not be loaded.
    #[error("{} could not be loaded: {reason}; name another one in LINSPECT_LLVM", .path.display())]
    Open {
        /// The library.
        path: PathBuf,
        /// What the loader said.
        reason: String,
    },
    /// It lacks a function.
    #[error("{} has no {function}: it is no LLVM of version 14 or newer; name another one in LINSPECT_LLVM", .path.display())]
    Missing {
        /// The library.
        path: PathBuf,
        /// What it lacks.
        function: &'static str,
    },
}

fn seen(found: &[PathBuf]) -> String {
    if found.is_empty() {
        return "nothing found".to_owned();
    }
    let names: Vec<_> = found.iter().map(|p| p.display().to_string()).collect();
    names.join(", ")
}

/// An open libLLVM.
pub(crate) struct Llvm {
    pub(super) api: Api,
    version: Version,
    // Dropped after `api`, whose functions live in it.
    _library: Library,
}

impl Llvm {
    /// Opens the library that fits bitcode written by LLVM `producer` best. `more` names another directory to look in, and
    /// is only asked if the usual places do not have it.
    pub(crate) fn open_for(
        producer: Version,
        more: impl FnOnce() -> Option<PathBuf>,
    ) -> Result<Self, LibraryError> {
        if let Some(path) = std::env::var_os(OVERRIDE) {
            return Self::open(Path::new(&path));
        }
        let mut found = find(usual_places());
        if !found.contains_key(&producer.0)
            && let Some(place) = more()
        {
            for (version, path) in find([place]) {
                found.entry(version).or_insert(path);
            }
        }
        match found.range(producer.0.max(OLDEST)..).next() {
            Some((_, path)) => Self::open(path),
            None => Err(LibraryError::NoneFits {
                needed: producer.0.max(OLDEST),
                found: found.into_values().collect(),
            }),
        }
    }

    /// Opens the newest library there is, for bitcode of unknown origin.
    pub(crate) fn open_newest(
        more: impl FnOnce() -> Option<PathBuf>,
    ) -> Result<Self, LibraryError> {
        if let Some(path) = std::env::var_os(OVERRIDE) {
            return Self::open(Path::new(&path));
        }
        let mut found = find(usual_places());
        found.extend(more().into_iter().flat_map(|place| find([place])));
        match found.last_key_value() {
            Some((_, path)) => Self::open(path),
            None => Err(LibraryError::NoneFits {
                needed: OLDEST,
                found: Vec::new(),
            }),
        }
    }

    fn open(path: &Path) -> Result<Self, LibraryError> {
        // SAFETY: loading runs the library's initialisers; those of LLVM only fill its own registries.
        let library = unsafe { Library::new(path) }.map_err(|e| LibraryError::Open {
            path: path.to_owned(),
            reason: e.to_string(),
        })?;
        let api = Api::load(&library).map_err(|function| LibraryError::Missing {
            path: path.to_owned(),
            function,
        })?;
        let version = Version(version_of(&api, path));
        // SAFETY: the handler has the right type and lives as long as the program.
        unsafe { (api.LLVMInstallFatalErrorHandler)(Some(fatal)) };
        if version.0 == OLDEST {
            // Version 14 knows opaque pointers, but only this way to ask for them.
            let words = [c"linspect".as_ptr(), c"-opaque-pointers".as_ptr()];
            // SAFETY: two C strings that live for ever; LLVM keeps only what it parsed.
            unsafe { (api.LLVMParseCommandLineOptions)(2, words.as_ptr(), c"".as_ptr()) };
        }
        Ok(Self {
            api,
            version,
            _library: library,
        })
    }

    /// Its version.
    pub(crate) fn version(&self) -> Version {
        self.version
    }
}

fn version_of(api: &Api, path: &Path) -> u32 {
    let Some(get) = api.LLVMGetVersion else {
        // Only 14 and 15 cannot say it themselves.
        return path.file_name().and_then(version_in_name).unwrap_or(OLDEST);
    };
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: three valid places for the answer.
    unsafe { get(&raw mut major, &raw mut minor, &raw mut patch) };
    major
}

/// LLVM cannot go on and ends the process after this returns. Decoding runs in a child process where input may be hostile.
extern "C" fn fatal(reason: *const c_char) {
    let reason = if reason.is_null() {
        "no reason given".into()
    } else {
        // SAFETY: LLVM passes a C string that lives during the call.
        unsafe { CStr::from_ptr(reason) }.to_string_lossy()
    };
    eprintln!("LLVM gave up: {reason}");
}

fn usual_places() -> Vec<PathBuf> {
    let mut places = Vec::new();
    for version in OLDEST..=40 {
        places.push(PathBuf::from(format!("/usr/lib/llvm-{version}/lib")));
        places.push(PathBuf::from(format!("/usr/lib/llvm{version}/lib")));
        places.push(PathBuf::from(format!(
            "/opt/homebrew/opt/llvm@{version}/lib"
        )));
    }
    places.extend(
        [
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
            "/usr/local/lib",
            "/opt/homebrew/opt/llvm/lib",
        ]
        .map(PathBuf::from),
    );
    places
}

/// Every libLLVM in `places`, by major version; for one version the first place wins.
fn find(places: impl IntoIterator<Item = PathBuf>) -> BTreeMap<u32, PathBuf> {
    let mut found = BTreeMap::new();
    for place in places {
        let Ok(entries) = std::fs::read_dir(&place) else {
            continue;
        };
        let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        files.sort();
        for file in files {
            let version = file.file_name().and_then(version_in_name);
            if let Some(version) = version.filter(|&v| v >= OLDEST)
                && is_elf_or_macho(&file)
            {
                found.entry(version).or_insert(file);
            }
        }
    }
    found
}

/// The major version in a file name: `libLLVM-16.so.1`, `libLLVM.so.22.1-rust-1.95.0-stable`, `libLLVM-14.0.6.so`.
fn version_in_name(name: &OsStr) -> Option<u32> {
    let rest = name.to_str()?.strip_prefix("libLLVM")?;
    if !(rest.contains(".so") || rest.ends_with(".dylib")) {
        return None;
    }
    let rest = rest
        .strip_prefix('-')
        .or_else(|| rest.strip_prefix(".so."))
        .or_else(|| rest.strip_prefix('.'))?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// Rust toolchains and -dev packages also hold linker scripts under such names.
fn is_elf_or_macho(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read =
        std::fs::File::open(path).and_then(|mut f| std::io::Read::read_exact(&mut f, &mut magic));
    read.is_ok()
        && matches!(
            magic,
            [0x7f, b'E', b'L', b'F'] | [0xcf, 0xfa, 0xed, 0xfe] | [0xca, 0xfe, 0xba, 0xbe]
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_file_names() {
        let version = |n: &str| version_in_name(OsStr::new(n));
        assert_eq!(version("libLLVM-16.so.1"), Some(16));
        assert_eq!(version("libLLVM-14.0.6.so.1"), Some(14));
        assert_eq!(version("libLLVM.so.19.1"), Some(19));
        assert_eq!(version("libLLVM.so.22.1-rust-1.95.0-stable"), Some(22));
        assert_eq!(version("libLLVM-22-rust-1.95.0-stable.so"), Some(22));
        assert_eq!(version("libLLVM.so"), None);
        assert_eq!(version("libLLVMCore.a"), None);
    }

    #[test]
    fn the_error_names_the_package_to_install() {
        let error = LibraryError::NoneFits {
            needed: 19,
            found: vec![],
        };
        assert!(error.to_string().contains("apt install libllvm19"));
    }
}
