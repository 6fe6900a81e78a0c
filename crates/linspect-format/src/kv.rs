//! Key-value logs as the porcupine checker has them: one EDN map per line, with a `:key` of its own.
//!
//! The object is a map from text to text in which an absent key holds the empty text.

use crate::edn;
use crate::error::{Problem, ReadError};
use crate::jepsen::NilRead;
use crate::recorded::Recorded;
use linspect_core::value::Value;
use std::io::Read;

const METHODS: [&str; 5] = ["get", "put", "append", "delete", "cas"];

/// Reads a history of a map.
pub(crate) fn read(input: impl Read) -> Result<Recorded, ReadError> {
    let mut recorded = edn::read(input, NilRead::Absent)?;
    for (operation, &line) in recorded.history.operations.iter().zip(&recorded.lines) {
        let method = recorded.history.name(operation);
        if !METHODS.contains(&method) {
            let method = method.to_owned();
            let known = "get, put, append, delete and cas";
            return Err(Problem::UnknownMethod { method, known }.at(line));
        }
    }
    recorded.spec = Some(String::from("kv"));
    recorded.initial = Some(Value::text(""));
    Ok(recorded)
}
