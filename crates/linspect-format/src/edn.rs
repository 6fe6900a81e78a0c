//! Histories of Jepsen and Knossos in EDN: a vector or list of maps, or one map after the other.
//!
//! Any key order, comments, commas, tags and extra keys are fine. Events of processes that are no numbers, such as
//! `:nemesis`, are no client's and are left out.

mod reader;
mod stream;
mod write;

pub use write::write;

use crate::error::{Problem, ReadError};
use crate::jepsen::{self, Event, Kind, NilRead};
use crate::pairing::Pairing;
use crate::recorded::Recorded;
use linspect_core::value::Value;
use reader::Reader;
use std::io::Read;

/// Reads a history, map by map.
pub(crate) fn read(input: impl Read, nil_read: NilRead) -> Result<Recorded, ReadError> {
    let mut reader = Reader::new(input);
    let mut pairing = Pairing::default();
    let mut map = Map::default();
    while let Some(line) = reader.next_map()? {
        map.read(&mut reader, line)?;
        match map.event(line)? {
            Some(event) => jepsen::take(&mut pairing, event, nil_read)?,
            None => pairing.ignore(),
        }
    }
    pairing.finish(reader.line())
}

/// What a map says; kept from event to event to reuse its texts.
#[derive(Default)]
struct Map {
    process: Option<Value>,
    kind: Option<String>,
    method: Option<String>,
    key: Option<Value>,
    value: Option<Value>,
    is_unknown: bool,
}

/// The keys that matter.
#[derive(Clone, Copy)]
enum Entry {
    Process,
    Type,
    F,
    Object,
    Value,
    Unknown,
    Other,
}

impl Entry {
    fn named(name: &str) -> Self {
        match name {
            "process" => Self::Process,
            "type" => Self::Type,
            "f" => Self::F,
            "key" => Self::Object,
            "value" => Self::Value,
            "unknown" => Self::Unknown,
            _ => Self::Other,
        }
    }
}

impl Map {
    /// Reads the entries of a map up to its end.
    fn read(&mut self, reader: &mut Reader<impl Read>, began: u32) -> Result<(), ReadError> {
        let mut kind = self.kind.take().unwrap_or_default();
        let mut method = self.method.take().unwrap_or_default();
        *self = Self::default();
        while let Some(key) = reader.key(began, |name| name.map_or(Entry::Other, Entry::named))? {
            match key {
                Entry::Process => self.process = Some(reader.form()?),
                Entry::Type => {
                    reader.name(&mut kind)?;
                    self.kind = Some(std::mem::take(&mut kind));
                }
                Entry::F => {
                    reader.name(&mut method)?;
                    self.method = Some(std::mem::take(&mut method));
                }
                Entry::Object => self.key = Some(reader.form()?),
                Entry::Value => self.value = Some(reader.form()?),
                Entry::Unknown => self.is_unknown = reader.form()? == Value::Bool(true),
                Entry::Other => drop(reader.form()?),
            }
        }
        Ok(())
    }

    /// The event that it is, or `None` if no client made it.
    fn event(&mut self, line: u32) -> Result<Option<Event<'_>>, ReadError> {
        let missing = |key| Problem::Missing(key).at(line);
        let wrong = |key, wanted, found| Problem::WrongType { key, wanted, found }.at(line);
        let process = match self.process.take().ok_or_else(|| missing("process"))? {
            Value::Int(n) => u32::try_from(n).map_err(|_| {
                let wanted = "a number from 0 to 4294967295";
                wrong("process", wanted, n.to_string())
            })?,
            _ => return Ok(None),
        };
        let kind = self.kind.as_ref().ok_or_else(|| missing("type"))?;
        let kind = Kind::named(kind).ok_or_else(|| {
            let wanted = ":invoke, :ok, :fail or :info";
            wrong("type", wanted, format!("{kind:?}"))
        })?;
        let method = self.method.as_ref().ok_or_else(|| missing("f"))?;
        if method.is_empty() {
            let found = String::from("something without a name");
            return Err(wrong("f", "a keyword", found));
        }
        Ok(Some(Event {
            line,
            process,
            kind,
            method,
            key: self.key.take().filter(|key| *key != Value::Nil),
            value: self.value.take(),
            is_unknown: self.is_unknown,
            time: None,
        }))
    }
}
