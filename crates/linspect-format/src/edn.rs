//! Histories of Jepsen and Knossos in EDN: a vector or list of maps, or one map after the other.
//!
//! Any key order, comments, commas, tags and extra keys are fine. Events of processes that are no numbers, such as
//! `:nemesis`, are no client's: they are what was done to the system (`nemesis.rs`).

mod reader;
mod stream;
mod write;

pub use write::write;

use crate::error::{Problem, ReadError};
use crate::jepsen::{self, Event, Kind, NilRead};
use crate::pairing::Pairing;
use crate::recorded::Recorded;
use linspect_core::history::Time;
use linspect_core::value::Value;
use reader::Reader;
use std::io::Read;

/// Reads a history, map by map.
pub(crate) fn read(input: impl Read, nil_read: NilRead) -> Result<Recorded, ReadError> {
    let mut reader = Reader::new(input);
    let mut pairing = Pairing::default();
    let mut map = Map::default();
    let mut untimed = false;
    while let Some(line) = reader.next_map()? {
        map.read(&mut reader, line)?;
        // Events come in the order of time, so their times say how long things took and never what came first.
        if let Some(time) = map.time {
            pairing.not_before(time);
        }
        if map.is_of_client() {
            untimed |= map.time.is_none();
            jepsen::take(&mut pairing, map.event(line)?, nil_read)?;
        } else if let Some(f) = map.method.as_ref().filter(|f| !f.is_empty()) {
            pairing.disturb(f, map.value.as_ref(), None);
        } else {
            pairing.ignore();
        }
    }
    let mut recorded = pairing.finish(reader.line())?;
    // Jepsen counts in nanoseconds.
    recorded.unit = (!untimed && !recorded.history.operations.is_empty()).then(|| "ns".to_owned());
    Ok(recorded)
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
    time: Option<Time>,
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
    Time,
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
            "time" => Self::Time,
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
                Entry::Time => {
                    self.time = match reader.form()? {
                        Value::Int(time) => u64::try_from(time).ok(),
                        _ => None,
                    }
                }
                Entry::Other => drop(reader.form()?),
            }
        }
        Ok(())
    }

    /// Whether a client made it, or nobody says who did.
    fn is_of_client(&self) -> bool {
        matches!(self.process, None | Some(Value::Int(_)))
    }

    /// The event of a client that it is.
    fn event(&mut self, line: u32) -> Result<Event<'_>, ReadError> {
        let missing = |key| Problem::Missing(key).at(line);
        let wrong = |key, wanted, found| Problem::WrongType { key, wanted, found }.at(line);
        let Some(Value::Int(process)) = self.process else {
            return Err(missing("process"));
        };
        let process = u32::try_from(process).map_err(|_| {
            let wanted = "a number from 0 to 4294967295";
            wrong("process", wanted, process.to_string())
        })?;
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
        Ok(Event {
            line,
            process,
            kind,
            method,
            key: self.key.take().filter(|key| *key != Value::Nil),
            value: self.value.take(),
            is_unknown: self.is_unknown,
            time: None,
        })
    }
}
