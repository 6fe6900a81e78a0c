//! Linspect's own format: JSON Lines, one object per line (docs/format.md, docs/history.schema.json).
//!
//! A line is an optional header, an *event* in the manner of Jepsen (`type`), or a *whole operation* (`call`, `return`).

mod line;
mod plain;
mod write;

pub use write::{write, write_header, write_operation};

use crate::error::{Problem, ReadError};
use crate::jepsen::{self, Event, NilRead};
use crate::lines::Lines;
use crate::pairing::Pairing;
use crate::recorded::Recorded;
use line::{Any, Line, Process};
use linspect_core::history::Outcome;
use linspect_core::value::Value;
use std::io::Read;

/// Reads a history, line by line.
pub(crate) fn read(input: impl Read) -> Result<Recorded, ReadError> {
    let mut pairing = Pairing::default();
    let last = lines(input, &mut pairing, &mut |_| true)?;
    pairing.finish(last)
}

/// Gives `each` a history part by part, of `size` operations or more; stops when it says no. What has not ended waits.
pub(crate) fn read_parts(
    input: impl Read,
    size: usize,
    each: &mut dyn FnMut(Recorded) -> bool,
) -> Result<(), ReadError> {
    let mut pairing = Pairing::default();
    let mut goes_on = true;
    let last = lines(input, &mut pairing, &mut |pairing| {
        if pairing.waiting() >= size {
            goes_on = pairing.hand_over().is_none_or(&mut *each);
        }
        goes_on
    })?;
    if goes_on {
        each(pairing.finish(last)?);
    }
    Ok(())
}

/// Reads all lines, or until `goes_on` says no; the number of the last.
fn lines(
    input: impl Read,
    pairing: &mut Pairing,
    goes_on: &mut dyn FnMut(&mut Pairing) -> bool,
) -> Result<u32, ReadError> {
    let mut lines = Lines::new(input);
    let mut promised = None;
    let mut is_first = true;
    while let Some(line) = lines.next()? {
        let number = line.number;
        let text = if is_first {
            line.text.trim_start_matches('\u{feff}')
        } else {
            line.text
        };
        let parsed =
            Line::parse(text).map_err(|e| located(&e, text, line.is_terminated).at(number))?;
        if let Some(version) = parsed.linspect {
            if !is_first {
                return Err(Problem::LateHeader.at(number));
            }
            if version != 1 {
                return Err(Problem::Version(version).at(number));
            }
            pairing.recorded.spec = parsed.spec.map(std::borrow::Cow::into_owned);
            pairing.recorded.initial = parsed.initial;
            pairing.recorded.unit = parsed.unit.map(std::borrow::Cow::into_owned);
            promised = parsed.operations;
        } else {
            take(pairing, number, parsed)?;
            if !goes_on(pairing) {
                return Ok(number);
            }
        }
        is_first = false;
    }
    let last = lines.number();
    if let Some(promised) = promised {
        let found = pairing.told();
        if found != promised {
            return Err(Problem::Count { promised, found }.at(last));
        }
    }
    Ok(last)
}

/// Adds one line that is not a header.
fn take(pairing: &mut Pairing, number: u32, line: Line<'_>) -> Result<(), ReadError> {
    let missing = |key| Problem::Missing(key).at(number);
    let process = match line.process {
        Some(Process::Client(process)) => process,
        Some(Process::Nemesis) => {
            match &line.f {
                Some(f) => pairing.disturb(f, line.value.as_ref(), line.time),
                None => pairing.ignore(),
            }
            return Ok(());
        }
        None => return Err(missing("process")),
    };
    let method = line.f.ok_or_else(|| missing("f"))?;
    if let Some(kind) = line.kind {
        if line.call.is_some() || line.ret.is_some() {
            return Err(Problem::BothForms.at(number));
        }
        let event = Event {
            line: number,
            process,
            kind,
            method: &method,
            key: line.key,
            value: line.value,
            is_unknown: line.is_unknown,
            time: line.time,
        };
        return jepsen::take(pairing, event, NilRead::Absent);
    }
    let call = line.call.ok_or_else(|| missing("type` or `call"))?;
    let outcome = match line.ret {
        None => Outcome::Pending,
        Some(_) if line.is_unknown => Outcome::Unknown,
        Some(_) => Outcome::Returned(line.result.unwrap_or_default()),
    };
    let value = line.value.unwrap_or_default();
    let argument = match line.key {
        Some(key) => jepsen::with_key(&method, key, value),
        None => value,
    };
    pairing.whole(number, process, &method, argument, outcome, call, line.ret)
}

/// The value that a JSON text is.
pub(crate) fn value(json: &str) -> Option<Value> {
    serde_json::from_str(json).ok().map(|Any(value)| value)
}

/// What the JSON parser says, in terms of our lines.
fn located(error: &serde_json::Error, text: &str, is_terminated: bool) -> Problem {
    if text.starts_with('[') {
        return Problem::JsonArray;
    }
    if error.is_eof() && !is_terminated {
        return Problem::Truncated("a JSON object");
    }
    let message = error.to_string();
    let message = message
        .rsplit_once(" at line ")
        .map_or(&*message, |(message, _)| message);
    Problem::Json {
        message: message.to_owned(),
        column: error.column(),
    }
}
