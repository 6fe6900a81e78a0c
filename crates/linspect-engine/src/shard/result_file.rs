//! A file that is there as a whole or not at all, and says so itself: its last line is a digest of all others.

use super::record::{Line, PartRecord, Record};
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

/// What the last line begins with.
const DIGEST: &str = "digest ";

/// What results must have in common to be taken together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Identity {
    /// The version of Linspect.
    pub(super) linspect: String,
    /// The program's digest.
    pub(super) fingerprint: String,
    /// What was asked about it.
    pub(super) asked: String,
}

/// The first line of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    #[serde(flatten)]
    pub(super) identity: Identity,
    /// Which task, from 0; none for a part of a checkpoint.
    pub(super) task: Option<usize>,
    /// How many clients were explored.
    pub(super) clients: usize,
    /// How many parts of clients were.
    #[serde(default)]
    pub(super) parts: usize,
    /// In how many executions.
    pub(super) executions: u64,
    /// Whether something is wrong with one.
    pub(super) wrong: bool,
}

/// What a task came to, or a part of a checkpoint.
#[derive(Clone, Debug)]
pub(super) struct TaskResult {
    pub(super) head: Head,
    pub(super) records: Vec<Record>,
    pub(super) parts: Vec<PartRecord>,
}

/// Why a file is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It does not say what its digest says: cut short, or changed.
    Damaged,
    /// It is whole, but another version wrote it.
    Unknown,
}

impl TaskResult {
    pub(super) fn new(
        identity: Identity,
        task: Option<usize>,
        records: Vec<Record>,
        mut parts: Vec<PartRecord>,
    ) -> Self {
        // What is known of a whole client says more than its parts.
        let has = |part: &PartRecord| {
            let of =
                |record: &Record| record.under == part.under && record.client == part.task.client;
            records.iter().any(of)
        };
        parts.retain(|part| !has(part));
        let executions = records.iter().map(Record::executions);
        let walked = parts.iter().map(|part| part.record.executions());
        Self {
            head: Head {
                identity,
                task,
                clients: records.len(),
                parts: parts.len(),
                executions: executions.chain(walked).sum(),
                wrong: records.iter().any(|record| record.wrong)
                    || parts.iter().any(|part| part.record.wrong),
            },
            records,
            parts,
        }
    }

    pub(super) fn text(&self) -> String {
        let line = |value: serde_json::Result<String>| value.expect("plain data") + "\n";
        let mut text = line(serde_json::to_string(&self.head));
        for record in &self.records {
            text += &line(serde_json::to_string(record));
        }
        for part in &self.parts {
            text += &line(serde_json::to_string(part));
        }
        sealed(&text)
    }

    pub(super) fn read(text: &[u8]) -> Result<Self, Unreadable> {
        let text = unsealed(text).ok_or(Unreadable::Damaged)?;
        let mut lines = text.lines();
        let head = lines.next().ok_or(Unreadable::Unknown)?;
        let unknown = |_| Unreadable::Unknown;
        let head = serde_json::from_str(head).map_err(unknown)?;
        let (mut records, mut parts) = (Vec::new(), Vec::new());
        for line in lines {
            match serde_json::from_str(line).map_err(unknown)? {
                Line::Client(record) => records.push(*record),
                Line::Part(part) => parts.push(part),
            }
        }
        Ok(Self {
            head,
            records,
            parts,
        })
    }
}

/// `text` with the digest that it is read by.
pub(super) fn sealed(text: &str) -> String {
    let digest = xxh3_128(text.as_bytes());
    format!("{text}{DIGEST}{digest:032x}\n")
}

/// The text that was sealed; nothing if a byte of it is missing or another one.
pub(super) fn unsealed(sealed: &[u8]) -> Option<&str> {
    let sealed = std::str::from_utf8(sealed).ok()?.strip_suffix('\n')?;
    let begin = sealed.rfind('\n')? + 1;
    let (text, last) = sealed.split_at(begin);
    let digest = u128::from_str_radix(last.strip_prefix(DIGEST)?, 16).ok()?;
    (digest == xxh3_128(text.as_bytes())).then_some(text)
}

/// Writes a file: under a name of this process alone, then, when all of it is on the disk, under its own.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<(), Error> {
    let write = || -> io::Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Two machines may have the same folder, and processes with the same number.
        let nanos = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos());
        let temporary = path.with_file_name(format!(".{name}.{}-{nanos}", std::process::id()));
        let mut file = File::create(&temporary)?;
        let done = file
            .write_all(text.as_bytes())
            .and_then(|()| file.sync_all())
            .and_then(|()| fs::rename(&temporary, path));
        if done.is_err() {
            // The first error is the one to tell.
            let _ = fs::remove_file(&temporary);
        }
        done
    };
    write().map_err(|error| Error::ShardWrite {
        path: path.to_owned(),
        error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_text_is_taken_for_the_text() {
        let text = sealed("one\ntwo\n");
        assert_eq!(unsealed(text.as_bytes()), Some("one\ntwo\n"));
        for length in 0..text.len() {
            assert_eq!(unsealed(&text.as_bytes()[..length]), None, "{length}");
        }
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1;
            assert_eq!(unsealed(&changed), None, "{at}");
        }
    }
}
