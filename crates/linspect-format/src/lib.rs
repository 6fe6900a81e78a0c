//! Recorded histories as files: read from bytes into a [`linspect_core::history::History`], and written back; and
//! specifications of a user's own ([`model`]).
//!
//! Every format answers the same questions: who called what and when, what came back, and what nobody knows. An input that
//! does not answer them is a [`ReadError`], never a verdict. Memory is bounded by the history, not by the input: lines and
//! forms have a [limit](LONGEST).
//!
//! ```
//! let log = r#"{"process":0,"type":"invoke","f":"enqueue","value":1}
//! {"process":0,"type":"ok","f":"enqueue"}"#;
//! let recorded = linspect_format::read(log.as_bytes(), None, Default::default())?;
//! assert_eq!(recorded.history.show(0).to_string(), "enqueue(1)");
//! # Ok::<(), linspect_format::ReadError>(())
//! ```

mod detect;
pub mod edn;
mod error;
mod etcd;
mod itf;
mod jepsen;
mod json;
pub mod jsonl;
mod kv;
mod lines;
mod maelstrom;
mod model;
mod nemesis;
mod objects;
mod pairing;
mod porcupine;
mod recorded;

pub use detect::Format;
pub use error::{Problem, ReadError};
pub use jepsen::NilRead;
pub use lines::LONGEST;
pub use model::{ModelError, model};
pub use nemesis::Disturbance;
pub use recorded::Recorded;

use linspect_core::value::Value;
use std::io::Read;

/// Reads a history in `format`, or in the format that it seems to be in.
///
/// `nil_read` says what a nil read of Jepsen EDN means; the other formats leave no doubt.
pub fn read(
    mut input: impl Read,
    format: Option<Format>,
    nil_read: NilRead,
) -> Result<Recorded, ReadError> {
    let start = detect::look(&mut input).map_err(|e| Problem::Io(e).at(1))?;
    let format = match format {
        Some(format) => format,
        None => detect::detect(&start).map_err(|problem| problem.at(1))?,
    };
    let input = start.as_slice().chain(input);
    let mut recorded = match format {
        Format::JsonLines => jsonl::read(input),
        Format::Edn => edn::read(input, nil_read),
        Format::Etcd => etcd::read(input),
        Format::Kv => kv::read(input),
        Format::Porcupine => porcupine::read(input),
        Format::Maelstrom => maelstrom::read(input),
        Format::Itf => itf::read(input),
    }
    .map_err(|error| ReadError { format, ..error })?;
    recorded.format = format;
    Ok(recorded)
}

/// Reads a history in JSON Lines part by part, of `size` operations or more, and gives each to `each` until that says no. A part has the operations that were
/// told before the first that has not ended; what is called later comes in a later part if the lines are in the order of time.
pub fn read_parts(
    input: impl Read,
    size: usize,
    each: &mut dyn FnMut(Recorded) -> bool,
) -> Result<(), ReadError> {
    jsonl::read_parts(input, size, each)
}

/// A value as a person types it: JSON, `nil`, or else a text.
pub fn value(typed: &str) -> Value {
    match typed {
        "nil" => Value::Nil,
        _ => jsonl::value(typed).unwrap_or_else(|| Value::text(typed)),
    }
}
