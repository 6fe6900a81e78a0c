//! Decoded programs on disk.
//!
//! An entry is found by a digest of everything that is known before compiling (Linspect's version and decoder, compiler
//! identities, flags, file names and contents, the working directory); it lists what is known only after compiling (headers,
//! modules) with a digest of each, and counts only while all of them are unchanged. A checksum guards against torn or edited
//! entries; they are written to a temporary file and renamed into place.

use super::{Entry, Language, LoadError, Source, clang, language, linker, read, rustc};
use crate::program::Program;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Names the cache directory; empty: no cache.
const DIRECTORY: &str = "LINSPECT_CACHE";

/// A digest.
type Sum = [u8; 32];

/// The cache directory.
pub(super) struct Cache {
    directory: PathBuf,
}

/// Where an entry is.
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
        Some(Self { directory })
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.directory.join(format!("{}.program", hex(&key.0)))
    }

    /// The program of `key`, if it is there and nothing it was made of has changed.
    pub(super) fn get(&self, key: &Key) -> Option<Program> {
        let body = self.read(key)?;
        let (inputs, program): (Vec<(String, Sum)>, &[u8]) =
            postcard::take_from_bytes(&body).ok()?;
        let unchanged = inputs
            .iter()
            .all(|(path, sum)| digest_of(Path::new(path)).as_ref() == Some(sum));
        if unchanged {
            Program::from_bytes(program)
        } else {
            None
        }
    }

    /// Keeps `program`. A cache that cannot be written is only slower.
    pub(super) fn put(&self, key: &Key, inputs: &[PathBuf], program: &Program) {
        let inputs: BTreeSet<&PathBuf> = inputs.iter().collect();
        let mut listed = Vec::new();
        for path in inputs {
            let (Some(name), Some(sum)) = (path.to_str(), digest_of(path)) else {
                return;
            };
            listed.push((name, sum));
        }
        let Ok(mut body) = postcard::to_stdvec(&listed) else {
            return;
        };
        body.extend(program.to_bytes());
        self.write(key, &body);
    }

    /// What is kept under `key`, undamaged.
    pub(super) fn read(&self, key: &Key) -> Option<Vec<u8>> {
        let mut bytes = std::fs::read(self.path(key)).ok()?;
        let (sum, body) = bytes.split_first_chunk::<32>()?;
        if *sum != digest(body) {
            return None;
        }
        bytes.drain(..32);
        Some(bytes)
    }

    /// Keeps `body` under `key`.
    pub(super) fn write(&self, key: &Key, body: &[u8]) {
        let mut bytes = digest(body).to_vec();
        bytes.extend(body);
        let Ok(mut file) = tempfile::NamedTempFile::new_in(&self.directory) else {
            return;
        };
        if std::io::Write::write_all(&mut file, &bytes).is_ok() {
            // Losing a race against another process that writes the same entry is fine.
            drop(file.persist(self.path(key)));
        }
    }
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
        let library = std::env::var_os(crate::llvm::OVERRIDE).unwrap_or_default();
        hash.add(library.as_encoded_bytes());
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

/// The key of `source`: everything that is known before compiling.
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
            Language::C | Language::Cxx => {
                hash.add(clang::find_clang(file)?.identity.as_bytes());
            }
            Language::Rust => {
                hash.add(rustc::find_rustc(file)?.identity.as_bytes());
                linspect::SOURCES
                    .iter()
                    .for_each(|(_, text)| hash.add(text.as_bytes()));
            }
            Language::Bitcode => {}
        }
    }
    Ok(hash.finish())
}

/// The key of a linked program.
pub(super) fn bundle_key(bundle: &Path, entry: &Entry) -> Result<Key, LoadError> {
    let mut hash = Hasher::new();
    hash.add_entry(entry);
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

fn digest(bytes: &[u8]) -> Sum {
    Sha256::digest(bytes).into()
}

fn digest_of(path: &Path) -> Option<Sum> {
    std::fs::read(path).ok().map(|bytes| digest(&bytes))
}

fn hex(sum: &Sum) -> String {
    sum.iter().map(|b| format!("{b:02x}")).collect()
}
