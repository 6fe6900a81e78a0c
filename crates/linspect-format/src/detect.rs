//! Which format an input is in, told from how it starts.

use crate::error::Problem;
use crate::etcd;
use std::fmt;
use std::io::{self, Read};

/// How a history is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Linspect's own: one JSON object per line.
    #[default]
    JsonLines,
    /// Events of Jepsen and Knossos.
    Edn,
    /// The log of Jepsen's etcd test.
    Etcd,
    /// Key-value logs.
    Kv,
    /// Operations of the checker porcupine, and of etcd's robustness tests.
    Porcupine,
    /// Messages of Maelstrom.
    Maelstrom,
    /// Traces of Apalache, Quint and other model checkers.
    Itf,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::JsonLines => "JSON Lines",
            Self::Edn => "Jepsen EDN",
            Self::Etcd => "etcd log",
            Self::Kv => "key-value log",
            Self::Porcupine => "porcupine JSON",
            Self::Maelstrom => "Maelstrom messages",
            Self::Itf => "ITF trace",
        })
    }
}

/// How many bytes of an input are looked at. A log may begin with other things than events.
const LOOK: usize = 64 << 10;

/// Reads the start of an input, which must then be read again before the rest.
pub(crate) fn look(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    input.take(LOOK as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// The format of an input that starts with `start`.
pub(crate) fn detect(start: &[u8]) -> Result<Format, Problem> {
    for (magic, name) in MAGIC {
        if start.starts_with(magic) {
            return Err(Problem::Compressed(name));
        }
    }
    // UTF-16, as other systems write it.
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return Err(Problem::NotUtf8 { column: 1 });
    }
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let text = String::from_utf8_lossy(start);
    let is_log = text.lines().any(etcd::is_event);
    let code = skip_comments(&text);
    let Some(first) = code.chars().next() else {
        return Err(Problem::Empty);
    };
    let inner = code.trim_start_matches(|c: char| c.is_whitespace() || "[({,".contains(c));
    if let Some(format) = json(code).filter(|_| inner.starts_with('"')) {
        return Ok(format);
    }
    match first {
        _ if is_log => Ok(Format::Etcd),
        '{' if inner.starts_with(['"', '}']) => Ok(Format::JsonLines),
        '[' if inner.starts_with('"') => Err(Problem::JsonArray),
        '{' | '[' | '(' | '#' if is_edn(inner) => Ok(edn_or_kv(code)),
        _ => Err(Problem::Unrecognised {
            start: code.chars().take(40).collect(),
        }),
    }
}

const MAGIC: [(&[u8], &str); 4] = [
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ", "xz"),
];

fn skip_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        match text.strip_prefix(';') {
            Some(comment) => text = comment.split_once('\n').map_or("", |(_, rest)| rest),
            None => return text,
        }
    }
}

/// JSON of another program, told by the members of its first object, in whatever order.
fn json(code: &str) -> Option<Format> {
    let line = code.lines().next().unwrap_or_default();
    // What is spread over many lines is told by the start of the file.
    let first = if line.trim().len() > 2 { line } else { code };
    let has = |name: &str| first.contains(&format!("\"{name}\""));
    if has("linspect") || has("process") && has("f") && !has("states") {
        None
    } else if has("Call") && has("Input") {
        Some(Format::Porcupine)
    } else if has("src") && has("dest") && has("body") {
        Some(Format::Maelstrom)
    } else if code.contains("\"states\"") && (has("#meta") || code.contains("\"vars\"")) {
        Some(Format::Itf)
    } else {
        None
    }
}

/// A keyword, a comment, a tag, or the end of an empty vector.
fn is_edn(inner: &str) -> bool {
    inner.starts_with([':', ';', '#', ']', ')', '}']) || inner.is_empty()
}

/// A log of a map has a `:key` in its first event.
fn edn_or_kv(code: &str) -> Format {
    let first = code.split_once('}').map_or(code, |(first, _)| first);
    let has_key = first
        .split([' ', ',', '\t', '\n', '{'])
        .any(|word| word == ":key");
    if has_key { Format::Kv } else { Format::Edn }
}
