//! Findings as JSON, described by `docs/finding.schema.json`.
//!
//! The order of members is that of the types, so writing what was read gives the same bytes.

use crate::finding::{Finding, VERSION};
use crate::text::is_dangerous;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};
use std::io;

/// `finding` as JSON text, indented, ending with a line break.
///
/// Characters that could drive a terminal or reorder text are written as escapes.
pub fn write(finding: &Finding) -> String {
    let mut bytes = Vec::new();
    finding
        .serialize(&mut Serializer::with_formatter(
            &mut bytes,
            Careful::default(),
        ))
        .expect("a finding has only text keys, and a vector takes every byte");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// The finding in `json`.
pub fn read(json: &str) -> Result<Finding, FindingReadError> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let Versioned { version } =
        serde_json::from_str(json).map_err(FindingReadError::NotAFinding)?;
    match version {
        VERSION => serde_json::from_str(json).map_err(FindingReadError::NotAFinding),
        1 => {
            let mut old = serde_json::from_str(json).map_err(FindingReadError::NotAFinding)?;
            crate::finding::from_first_version(&mut old);
            serde_json::from_value(old).map_err(FindingReadError::NotAFinding)
        }
        found => Err(FindingReadError::Version { found }),
    }
}

/// What a text of several results has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavedResult {
    /// A finding.
    Finding(Box<Finding>),
    /// Why there is none: this went wrong.
    Failed(String),
}

/// The results in a text that has several, one after another or as a list: what `--json` prints of several tests or histories.
pub fn read_all(json: &str) -> Result<Vec<SavedResult>, FindingReadError> {
    let texts = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    let mut all = Vec::new();
    for value in texts {
        let values = match value.map_err(FindingReadError::NotAFinding)? {
            Value::Array(values) => values,
            value => vec![value],
        };
        for value in values {
            let failed = value["error"]["message"].as_str();
            all.push(match failed {
                Some(failed) => SavedResult::Failed(failed.to_owned()),
                None => SavedResult::Finding(Box::new(read(&value.to_string())?)),
            });
        }
    }
    match all.is_empty() {
        true => read(json).map(|finding| vec![SavedResult::Finding(Box::new(finding))]),
        false => Ok(all),
    }
}

/// Why a text is not a finding that this version reads.
#[derive(Debug, thiserror::Error)]
pub enum FindingReadError {
    /// It is not JSON, or not of the published form.
    #[error("not a Linspect finding: {0}; docs/finding.schema.json describes the format")]
    NotAFinding(serde_json::Error),
    /// Another version of Linspect wrote it.
    #[error(
        "this finding has format version {found}, but this Linspect reads versions 1 to {VERSION}: use the Linspect that wrote it, or make the finding again"
    )]
    Version {
        /// Its version.
        found: u32,
    },
}

/// JSON with a line for each member of the outer levels and for each operation, in which dangerous characters are
/// escaped.
#[derive(Default)]
struct Careful {
    depth: usize,
}

/// Deeper values stay on one line.
const BROKEN_DEPTH: usize = 3;

impl Careful {
    fn begin(&mut self, w: &mut (impl io::Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        w.write_all(bracket)
    }

    fn end(&mut self, w: &mut (impl io::Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        if self.depth <= BROKEN_DEPTH {
            self.depth -= 1;
            self.line(w)?;
        } else {
            self.depth -= 1;
        }
        w.write_all(bracket)
    }

    fn item(&mut self, w: &mut (impl io::Write + ?Sized), first: bool) -> io::Result<()> {
        if !first {
            w.write_all(b",")?;
        }
        match (self.depth <= BROKEN_DEPTH, first) {
            (true, _) => self.line(w),
            (false, true) => Ok(()),
            (false, false) => w.write_all(b" "),
        }
    }

    fn line(&mut self, w: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
        w.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| w.write_all(b"  "))
    }
}

impl Formatter for Careful {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        w: &mut W,
        s: &str,
    ) -> io::Result<()> {
        let mut rest = s;
        while let Some(at) = rest.find(is_dangerous) {
            let (safe, from) = rest.split_at(at);
            w.write_all(safe.as_bytes())?;
            let bad = from.chars().next().expect("find gave its position");
            for unit in bad.encode_utf16(&mut [0; 2]) {
                write!(w, "\\u{unit:04x}")?;
            }
            rest = &from[bad.len_utf8()..];
        }
        w.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.begin(w, b"[")
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.end(w, b"]")
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        w: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.item(w, first)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.begin(w, b"{")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.end(w, b"}")
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        w: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.item(w, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        w.write_all(b": ")
    }
}
