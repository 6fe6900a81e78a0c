//! What the events of Jepsen and Knossos mean, however they are written.
//!
//! An event has a process, a type (`invoke`, `ok`, `fail`, `info`), a method `f` and a value. The value of an `invoke` is
//! the argument, that of an `ok` is the result. `fail` says that the operation did not happen, `info` that nobody knows
//! whether it did. That Jepsen repeats the argument of an operation which only acknowledges is left to the specification:
//! it knows which ones do.

use crate::error::{Problem, ReadError};
use crate::pairing::{Ending, Pairing};
use linspect_core::history::{Outcome, Time};
use linspect_core::value::Value;

/// The four types of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Invoke,
    Ok,
    Fail,
    Info,
}

impl Kind {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "invoke" => Self::Invoke,
            "ok" => Self::Ok,
            "fail" => Self::Fail,
            "info" => Self::Info,
            _ => return None,
        })
    }
}

/// One event of one client.
pub(crate) struct Event<'a> {
    pub(crate) line: u32,
    pub(crate) process: u32,
    pub(crate) kind: Kind,
    pub(crate) method: &'a str,
    /// The object that it works on, where the value does not say so.
    pub(crate) key: Option<Value>,
    /// `None` if there is none; Jepsen often writes nil instead.
    pub(crate) value: Option<Value>,
    pub(crate) is_unknown: bool,
    pub(crate) time: Option<Time>,
}

/// What a nil result of a read says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NilRead {
    /// The object was seen to hold nothing.
    #[default]
    Absent,
    /// Nobody knows what was read, as in the models of Knossos.
    Unknown,
}

/// Adds an event to the history.
pub(crate) fn take(
    pairing: &mut Pairing,
    event: Event<'_>,
    nil_read: NilRead,
) -> Result<(), ReadError> {
    let Event {
        line,
        process,
        method,
        time,
        ..
    } = event;
    match method {
        "txn" => return Err(Problem::Transaction(method.to_owned()).at(line)),
        "drain" => return Err(Problem::Drain.at(line)),
        _ => {}
    }
    if event.kind == Kind::Invoke {
        let value = match event.value {
            Some(Value::Nil) if event.key.is_some() || takes_nothing(method) || is_lock(method) => {
                Value::Unit
            }
            // Some tests send a read with what its client read before.
            Some(Value::Int(_) | Value::Bool(_)) if method == "read" && event.key.is_some() => {
                Value::Unit
            }
            Some(sent @ (Value::Int(_) | Value::Bool(_))) if method == "read" => {
                pairing.recorded.has_sent_reads = true;
                sent
            }
            // An independent key: nothing beside it is the want of an argument.
            Some(Value::List(pair)) if takes_nothing(method) && is_key_alone(&pair) => {
                pairing.keyed.insert(process);
                pair[0].clone()
            }
            other => other.unwrap_or_default(),
        };
        let argument = match event.key {
            Some(key) => with_key(method, key, value),
            None => value,
        };
        return pairing.invoke(line, process, method, argument, time);
    }
    let is_keyed = pairing.keyed.remove(&process);
    let (since, operation) = pairing.flight(line, process, method)?;
    if let Some(key) = &event.key
        && operation.argument != *key
        && operation.argument.items().first() != Some(key)
    {
        return Err(Problem::OtherKey {
            process,
            method: method.to_owned(),
            key: key.to_string(),
            since,
        }
        .at(line));
    }
    // What was called with a key alone is completed with the key and what is told.
    let told = match event.value {
        Some(Value::List(pair)) if is_keyed && pair.len() == 2 && pair[0] == operation.argument => {
            Some(pair[1].clone())
        }
        other => other,
    };
    let ending = match event.kind {
        Kind::Fail => Ending::Failed,
        Kind::Info => Ending::Open,
        Kind::Invoke | Kind::Ok if event.is_unknown => Ending::Known(Outcome::Unknown),
        Kind::Invoke | Kind::Ok => Ending::Known(match told {
            Some(Value::Nil) if method == "read" && nil_read == NilRead::Unknown => {
                Outcome::Unknown
            }
            value => Outcome::Returned(value.unwrap_or_default()),
        }),
    };
    pairing.end(line, process, ending, time)
}

/// The argument of an operation on the object `key`: `get(key)`, `put(key, value)`, `cas(key, from, to)`.
pub(crate) fn with_key(method: &str, key: Value, value: Value) -> Value {
    match value {
        Value::Unit => key,
        Value::List(items) if method == "cas" => {
            Value::list(std::iter::once(key).chain(items.iter().cloned()))
        }
        value => Value::list([key, value]),
    }
}

/// Whether this is `[key nil]`.
fn is_key_alone(pair: &[Value]) -> bool {
    matches!(pair, [key, Value::Nil] if *key != Value::Nil)
}

/// Whether a method works on a lock, which Jepsen calls with nil, too.
fn is_lock(method: &str) -> bool {
    matches!(method, "acquire" | "release" | "lock" | "unlock")
}

/// Whether a method is one of those that Jepsen calls with nil, for want of an argument.
fn takes_nothing(method: &str) -> bool {
    matches!(
        method,
        "read" | "get" | "load" | "dequeue" | "deq" | "pop" | "poll" | "take" | "peek"
    )
}
