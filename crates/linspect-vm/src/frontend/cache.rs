//! Decoded programs on disk, each good only for the code as it stands.
//!
//! An entry is found by a digest of everything that decides what the compilers make: Linspect's version and decoder, the
//! compilers themselves, flags, working directory, the files, and for C and C++ what the preprocessor makes of them
//! ([`super::clang::Reading`]). What rustc tells only after compiling is kept in the entry as [`Evidence`]. An entry names its key,
//! so that it is worth nothing under another name, and a checksum guards against torn or edited ones; it is written to a temporary
//! file and renamed into place. The oldest go when the folder grows too large.

use super::evidence::{Evidence, Sum, digest};
use super::{Entry, Language, LoadError, Source, bounded, clang, language, linker, read, rustc};
use crate::program::Program;
use sha2::{Digest, Sha256};
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Names the cache directory; empty: no cache.
const DIRECTORY: &str = "LINSPECT_CACHE";

/// How entries are called.
const EXTENSION: &str = "program";

/// How files are called that somebody is writing, or has left behind.
const UNFINISHED: &str = ".unfinished-";

/// The directory holds no more than this many bytes.
const CAPACITY: u64 = 512 << 20;

/// Nobody takes so long to write an entry.
const LEFT_BEHIND: Duration = Duration::from_secs(3600);

/// The cache directory.
pub(super) struct Cache {
    directory: PathBuf,
    capacity: u64,
}

/// Where an entry is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(Sum);

impl Cache {
    /// The user's cache, unless there is none.
    pub(super) fn open() -> Option<Self> {
        let directory = match std::env::var_os(DIRECTORY) {
            Some(given) if given.is_empty() => return None,
            Some(given) => PathBuf::from(given),
            None => match std::env::var_os("XDG_CACHE_HOME") {
                Some(base) if !base.is_empty() => PathBuf::from(base).join("linspect"),
                _ => PathBuf::from(std::env::var_os("HOME")?).join(".cache/linspect"),
            },
        };
        std::fs::create_dir_all(&directory).ok()?;
        Some(Self {
            directory,
            capacity: CAPACITY,
        })
    }

    fn path(&self, key: Key) -> PathBuf {
        let name: String = key.0.iter().map(|b| format!("{b:02x}")).collect();
        self.directory.join(name).with_extension(EXTENSION)
    }

    /// The program of `key`, if it is there and all that its entry rests on still holds.
    pub(super) fn get(&self, key: Key) -> Option<Program> {
        let body = self.read(key)?;
        let (evidence, program): (Evidence, &[u8]) = postcard::take_from_bytes(&body).ok()?;
        if !evidence.holds() {
            return None;
        }
        Program::from_bytes(program)
    }

    /// Keeps `program`. A cache that cannot be written is only slower.
    pub(super) fn put(&self, key: Key, evidence: &Evidence, program: &Program) {
        // A name that is not UTF-8 cannot be kept.
        let Ok(mut body) = postcard::to_stdvec(evidence) else {
            return;
        };
        body.extend(program.to_bytes());
        self.write(key, &body);
    }

    /// What is kept under `key`, undamaged.
    pub(super) fn read(&self, key: Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        let mut bytes = bounded(&path, self.capacity).ok()?;
        let (sum, rest) = bytes.split_first_chunk::<32>()?;
        if *sum != digest(rest) || !rest.starts_with(&key.0) {
            return None;
        }
        // Its last use, which decides how long it stays.
        let used = File::options().append(true).open(&path);
        drop(used.and_then(|file| file.set_modified(SystemTime::now())));
        bytes.drain(..2 * 32);
        Some(bytes)
    }

    /// Keeps `body` under `key`.
    pub(super) fn write(&self, key: Key, body: &[u8]) {
        let rest = [&key.0, body].concat();
        let bytes = [&digest(&rest)[..], &rest].concat();
        let file = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .tempfile_in(&self.directory);
        let Ok(mut file) = file else {
            return;
        };
        if std::io::Write::write_all(&mut file, &bytes).is_ok() {
            // Losing a race against another process that writes the same entry is fine.
            drop(file.persist(self.path(key)));
            self.shrink();
        }
    }

    /// Removes what was used least lately until a quarter of the room is free, if there is too much; and what was never finished.
    fn shrink(&self) {
        let Ok(files) = std::fs::read_dir(&self.directory) else {
            return;
        };
        let mut entries = Vec::new();
        for file in files.flatten() {
            let (path, Ok(about)) = (file.path(), file.metadata()) else {
                continue;
            };
            let name = file.file_name();
            let unfinished = name.to_string_lossy().starts_with(UNFINISHED);
            if path.extension().is_some_and(|e| e == EXTENSION) {
                entries.push((used(&about), about.len(), path));
            } else if unfinished && used(&about).elapsed().is_ok_and(|age| age > LEFT_BEHIND) {
                drop(std::fs::remove_file(path));
            }
        }
        let mut total: u64 = entries.iter().map(|e| e.1).sum();
        if total <= self.capacity {
            return;
        }
        entries.sort();
        for (_, size, path) in entries {
            if total <= self.capacity / 4 * 3 {
                break;
            }
            drop(std::fs::remove_file(path));
            total -= size;
        }
    }
}

fn used(about: &Metadata) -> SystemTime {
    about.modified().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// A key in the making.
struct Hasher(Sha256);

impl Hasher {
    /// Starts with what every key depends on.
    fn new() -> Self {
        let mut hash = Self(Sha256::new());
        hash.add(env!("CARGO_PKG_VERSION").as_bytes());
        hash.add(env!("LINSPECT_DECODER").as_bytes());
        let here = std::env::current_dir().unwrap_or_default();
        hash.add(here.as_os_str().as_encoded_bytes());
        for variable in [crate::llvm::OVERRIDE, "LD_LIBRARY_PATH", "LD_PRELOAD"] {
            let value = std::env::var_os(variable).unwrap_or_default();
            hash.add(value.as_encoded_bytes());
        }
        hash
    }

    /// Adds a part; its length keeps it apart from the next.
    fn add(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    fn add_all(&mut self, words: &[String]) {
        self.add(&(words.len() as u64).to_le_bytes());
        words.iter().for_each(|word| self.add(word.as_bytes()));
    }

    fn add_entry(&mut self, entry: &Entry) {
        let (kind, name) = match entry {
            Entry::Only => (0, ""),
            Entry::Harness(name) => (1, name.as_str()),
            Entry::Test(name) => (2, name.as_str()),
        };
        self.add(&[kind]);
        self.add(name.as_bytes());
    }

    fn finish(self) -> Key {
        Key(self.0.finalize().into())
    }
}

/// The key of `source`: everything that can be known before compiling.
pub(super) fn key(source: &Source) -> Result<Key, LoadError> {
    let mut hash = Hasher::new();
    for words in [&source.c_flags, &source.rust_flags] {
        hash.add_all(words);
    }
    hash.add_entry(&source.entry);
    for file in &source.files {
        hash.add(file.as_os_str().as_encoded_bytes());
        hash.add(&read(file)?);
        match language(file)? {
            kind @ (Language::C | Language::Cxx) => {
                let reading = clang::read(file, kind, source)?;
                reading.parts().for_each(|part| hash.add(part));
            }
            Language::Rust => {
                hash.add(&rustc::find_rustc(file)?.stamp());
                let sources = linspect::SOURCES.iter().chain(&linspect::MACROS);
                sources.for_each(|(_, text)| hash.add(text.as_bytes()));
            }
            Language::Bitcode | Language::Object | Language::Library => {}
        }
    }
    Ok(hash.finish())
}

/// The key of the macros of the crate `linspect`, as this compiler makes them.
pub(super) fn macros_key(rustc: &rustc::Rustc) -> Key {
    let mut hash = Hasher::new();
    hash.add(b"macros");
    hash.add(&rustc.stamp());
    let sources = linspect::MACROS.iter();
    sources.for_each(|(_, text)| hash.add(text.as_bytes()));
    hash.finish()
}

/// The key of a linked program.
pub(super) fn bundle_key(bundle: &Path) -> Result<Key, LoadError> {
    let mut hash = Hasher::new();
    hash.add_entry(&Entry::Only);
    hash.add(&linker::identity(bundle)?);
    Ok(hash.finish())
}

/// The key of all of a linked program that could be run.
pub(super) fn whole_key(bundle: &Path) -> Result<Key, LoadError> {
    let mut hash = Hasher::new();
    hash.add(b"whole");
    hash.add(&linker::identity(bundle)?);
    Ok(hash.finish())
}

/// The key of what there is to run in a linked program.
pub(super) fn index_key(bundle: &Path) -> Result<Key, LoadError> {
    let mut hash = Hasher::new();
    hash.add(b"index");
    hash.add(&linker::identity(bundle)?);
    Ok(hash.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(directory: &Path, capacity: u64) -> Cache {
        Cache {
            directory: directory.to_owned(),
            capacity,
        }
    }

    #[test]
    fn an_entry_is_worth_nothing_under_another_name() {
        let directory = tempfile::tempdir().expect("a folder");
        let cache = cache(directory.path(), 1 << 20);
        let (one, other) = (Key([1; 32]), Key([2; 32]));
        cache.write(one, b"one");
        assert_eq!(cache.read(one).as_deref(), Some(&b"one"[..]));
        std::fs::copy(cache.path(one), cache.path(other)).expect("a copy");
        assert_eq!(cache.read(other), None);
    }

    #[test]
    fn an_edited_or_torn_entry_is_none() {
        let directory = tempfile::tempdir().expect("a folder");
        let cache = cache(directory.path(), 1 << 20);
        let key = Key([1; 32]);
        cache.write(key, b"what was made");
        let whole = std::fs::read(cache.path(key)).expect("an entry");
        for length in 0..whole.len() {
            std::fs::write(cache.path(key), &whole[..length]).expect("written");
            assert_eq!(cache.read(key), None, "{length} bytes");
        }
        for at in 0..whole.len() {
            let mut edited = whole.clone();
            edited[at] ^= 1;
            std::fs::write(cache.path(key), &edited).expect("written");
            assert_eq!(cache.read(key), None, "byte {at}");
        }
    }

    #[test]
    fn nobody_waits_for_what_is_no_file() {
        let directory = tempfile::tempdir().expect("a folder");
        let cache = cache(directory.path(), 1 << 20);
        let key = Key([1; 32]);
        let made = std::process::Command::new("mkfifo")
            .arg(cache.path(key))
            .status();
        assert!(made.expect("mkfifo runs").success());
        assert_eq!(cache.read(key), None);
    }

    #[test]
    fn the_least_lately_used_go_first() {
        let directory = tempfile::tempdir().expect("a folder");
        let cache = cache(directory.path(), 4000);
        let key = |n: u8| Key([n; 32]);
        let age = |n: u8, seconds: u64| {
            let file = File::options().append(true).open(cache.path(key(n)));
            let when = SystemTime::now() - Duration::from_secs(seconds);
            file.and_then(|f| f.set_modified(when)).expect("an age");
        };
        for n in 1..=3 {
            cache.write(key(n), &[n; 1000]);
            age(n, 100 - u64::from(n));
        }
        // The oldest becomes the youngest by being used.
        assert!(cache.read(key(1)).is_some());
        let foreign = directory.path().join("notes.txt");
        std::fs::write(&foreign, "not ours").expect("written");
        cache.write(key(4), &[4; 1000]);
        let there: Vec<u8> = (1..=4).filter(|&n| cache.path(key(n)).exists()).collect();
        assert_eq!(there, [1, 4]);
        assert!(foreign.exists());
    }
}
