//! Traces of model checkers in the Informal Trace Format (Apalache, Quint, TLA+).
//!
//! The model records what clients do in a variable `history`, a sequence of records with `process`, `type` (`invoke` or `call`, `ok`
//! or `return`, `fail`, `info`), `f` and `value`. Its value in the last state is the history; the order of the sequence is that of time.

use crate::error::{Problem, ReadError};
use crate::jepsen::{self, Event, Kind, NilRead};
use crate::json;
use crate::objects::Objects;
use crate::pairing::Pairing;
use crate::recorded::Recorded;
use linspect_core::value::Value;
use serde_json::Value as Json;
use std::io::Read;

/// The variable with the history.
const VARIABLE: &str = "history";

/// Reads the history of a trace.
pub(crate) fn read(input: impl Read) -> Result<Recorded, ReadError> {
    let mut objects = Objects::new(input);
    let Some((line, trace)) = objects.next()? else {
        return Err(Problem::Empty.at(1));
    };
    let mut pairing = Pairing::default();
    let mut names: Vec<Value> = Vec::new();
    for event in events(&trace).map_err(|problem| problem.at(line))? {
        let event = Record::of(event, &mut names).map_err(|problem| problem.at(line))?;
        let event = Event {
            line,
            process: event.process,
            kind: event.kind,
            method: event.method,
            key: None,
            value: event.value,
            is_unknown: false,
            time: None,
        };
        jepsen::take(&mut pairing, event, NilRead::Absent)?;
    }
    pairing.finish(line)
}

fn events(trace: &Json) -> Result<&[Json], Problem> {
    let states = trace.get("states").and_then(Json::as_array);
    let last = states.ok_or(Problem::Missing("states"))?.last();
    let history = last
        .and_then(|state| state.get(VARIABLE))
        .ok_or(Problem::Missing(VARIABLE))?;
    let items = history.get("#tup").unwrap_or(history);
    items
        .as_array()
        .map(Vec::as_slice)
        .ok_or_else(|| Problem::WrongType {
            key: VARIABLE,
            wanted: "a sequence of records",
            found: history.to_string().chars().take(60).collect(),
        })
}

struct Record<'j> {
    process: u32,
    kind: Kind,
    method: &'j str,
    value: Option<Value>,
}

impl<'j> Record<'j> {
    fn of(event: &'j Json, names: &mut Vec<Value>) -> Result<Self, Problem> {
        let text = |key: &'static str| {
            let found = event.get(key).ok_or(Problem::Missing(key))?;
            found.as_str().ok_or_else(|| Problem::WrongType {
                key,
                wanted: "a text",
                found: found.to_string(),
            })
        };
        let process = event.get("process").ok_or(Problem::Missing("process"))?;
        let kind = match text("type")? {
            "call" => Kind::Invoke,
            "return" => Kind::Ok,
            name => Kind::named(name).ok_or_else(|| Problem::WrongType {
                key: "type",
                wanted: "invoke, ok, fail or info",
                found: format!("{name:?}"),
            })?,
        };
        Ok(Self {
            process: numbered(value(process), names)?,
            kind,
            method: text("f")?,
            value: event.get("value").map(value).filter(|v| *v != Value::Unit),
        })
    }
}

/// The number of a process. Those with other names get numbers in the order in which they come.
fn numbered(name: Value, names: &mut Vec<Value>) -> Result<u32, Problem> {
    if let Value::Int(n) = name {
        return u32::try_from(n).map_err(|_| Problem::WrongType {
            key: "process",
            wanted: "a number from 0 to 4294967295, or a name",
            found: n.to_string(),
        });
    }
    let known = names.iter().position(|other| *other == name);
    let at = known.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    });
    u32::try_from(at).map_err(|_| Problem::TooMany {
        what: "processes",
        limit: u64::from(u32::MAX),
    })
}

/// A value of the format: `{"#bigint":"3"}`, `{"#tup":[…]}`, `{"#set":[…]}`, `{"#map":[[k,v],…]}`, `{"tag":"Some","value":…}`.
fn value(json: &Json) -> Value {
    let items = |json: &Json| -> Vec<Value> {
        let items = json.as_array().into_iter().flatten();
        items.map(value).collect()
    };
    let Json::Object(members) = json else {
        return match json {
            Json::Array(_) => Value::list(items(json)),
            plain => json::value(plain),
        };
    };
    let sorted = |json| {
        let mut items = items(json);
        items.sort();
        Value::list(items)
    };
    match members.iter().next().map(|(name, inner)| (&**name, inner)) {
        None => Value::Unit,
        Some(("#bigint", Json::String(digits))) => digits
            .parse()
            .map_or_else(|_| Value::text(digits), Value::Int),
        Some(("#tup", inner)) => Value::list(items(inner)),
        Some(("#set" | "#map", inner)) => sorted(inner),
        _ => match (json.get("tag").and_then(Json::as_str), json.get("value")) {
            (Some("None"), _) => Value::Nil,
            (Some("Some"), Some(inner)) => value(inner),
            (Some(tag), Some(inner)) => Value::list([Value::text(tag), value(inner)]),
            _ => Value::list(
                members
                    .iter()
                    .map(|(name, member)| Value::list([Value::text(name), value(member)])),
            ),
        },
    }
}
