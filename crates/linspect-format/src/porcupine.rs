//! Operations of the checker porcupine as Go's `encoding/json` writes them:
//! `{"ClientId":0,"Input":{"Op":"put","Key":"a","Value":"1"},"Call":100,"Output":{},"Return":250}`.
//!
//! What `Input` and `Output` hold is up to whoever recorded them. Understood are the usual members, the numbers for `Op` of the
//! labs of MIT's course on distributed systems, and requests of etcd's robustness tests ([`robustness`]).

mod robustness;

use crate::error::{Problem, ReadError};
use crate::json::{member, number, process, value};
use crate::objects::Objects;
use crate::pairing::Pairing;
use crate::recorded::Recorded;
use linspect_core::history::Outcome;
use linspect_core::value::Value;
use robustness::Robustness;
use serde_json::Value as Json;
use std::io::Read;

/// Go's largest time: for ever.
const NEVER: u64 = i64::MAX as u64;

/// Reads a history.
pub(crate) fn read(input: impl Read) -> Result<Recorded, ReadError> {
    let mut objects = Objects::new(input);
    let mut pairing = Pairing::default();
    let mut robustness = Robustness::default();
    while let Some((line, object)) = objects.next()? {
        let operation = Operation::of(&object).map_err(|problem| problem.at(line))?;
        if robustness::is_request(operation.input) {
            robustness.take(&mut pairing, line, &operation)?;
        } else {
            take(&mut pairing, line, &operation)?;
        }
    }
    robustness.finish(&mut pairing)?;
    pairing.finish(objects.line())
}

struct Operation<'j> {
    process: u32,
    input: &'j Json,
    output: &'j Json,
    call: u64,
    /// Nothing if it never returned.
    ret: Option<u64>,
}

impl<'j> Operation<'j> {
    fn of(object: &'j Json) -> Result<Self, Problem> {
        let ret = match object.get("Return") {
            None | Some(Json::Null) => None,
            Some(_) => Some(number(object, "Return")?).filter(|&ret| ret < NEVER),
        };
        Ok(Self {
            process: match object.get("ClientId") {
                None => 0,
                Some(_) => process(object, "ClientId")?,
            },
            input: object.get("Input").ok_or(Problem::Missing("Input"))?,
            output: object.get("Output").unwrap_or(&Json::Null),
            call: number(object, "Call")?,
            ret,
        })
    }
}

/// Adds an operation of any other object.
fn take(pairing: &mut Pairing, line: u32, operation: &Operation<'_>) -> Result<(), ReadError> {
    let call = Call::of(operation.input).map_err(|problem| problem.at(line))?;
    if call.key.is_some() {
        pairing.recorded.spec = Some(String::from("kv"));
    }
    if call.is_numbered {
        pairing.recorded.initial = Some(Value::text(""));
    }
    let outcome = match operation.ret {
        None => Outcome::Pending,
        Some(_) => call
            .outcome(operation.output)
            .map_err(|problem| problem.at(line))?,
    };
    let Operation {
        process, call: at, ..
    } = *operation;
    let argument = call.argument();
    pairing.whole(
        line,
        process,
        &call.method,
        argument,
        outcome,
        at,
        operation.ret,
    )
}

/// What `Input` says.
struct Call {
    method: String,
    key: Option<Value>,
    arguments: Vec<Value>,
    /// Whether the method was a number.
    is_numbered: bool,
}

impl Call {
    fn of(input: &Json) -> Result<Self, Problem> {
        let wrong = |found: &Json| Problem::WrongType {
            key: "Input",
            wanted: "an object with `Op`, such as {\"Op\":\"put\",\"Key\":\"a\",\"Value\":1}",
            found: found.to_string(),
        };
        // ["enqueue", 1], "dequeue"
        let (name, listed) = match input {
            Json::Array(items) => match items.split_first() {
                Some((name, arguments)) => (name, arguments),
                None => return Err(wrong(input)),
            },
            Json::Object(_) => (
                member(input, &["Op", "op", "Method", "method", "F", "f", "Type"])
                    .ok_or_else(|| wrong(input))?,
                &[][..],
            ),
            name => (name, &[][..]),
        };
        let key = member(input, &["Key", "key", "K"]).map(value);
        let method = match (name, name.as_u64(), &key) {
            (Json::String(name), ..) => name.to_lowercase(),
            (_, Some(0), Some(_)) => String::from("get"),
            (_, Some(1), Some(_)) => String::from("put"),
            (_, Some(2), Some(_)) => String::from("append"),
            _ => {
                return Err(Problem::WrongType {
                    key: "Op",
                    wanted: "a name, or with a `Key` 0 for get, 1 for put, 2 for append",
                    found: name.to_string(),
                });
            }
        };
        let mut arguments: Vec<Value> = listed.iter().map(value).collect();
        let is_read = matches!(&*method, "get" | "read" | "contains" | "delete");
        let names = ["From", "from", "Old", "old", "Expected"];
        let expected = match method.starts_with("cas") || method.starts_with("compare") {
            // It may expect that nothing is there.
            true => names.iter().find_map(|&name| input.get(name)),
            false => member(input, &names),
        };
        let given = member(
            input,
            &["To", "to", "New", "new", "Value", "value", "Arg", "arg"],
        );
        if !is_read {
            arguments.extend([expected, given].into_iter().flatten().map(value));
        }
        Ok(Self {
            method,
            key,
            arguments,
            is_numbered: name.is_u64(),
        })
    }

    fn argument(&self) -> Value {
        let mut all = self.key.iter().chain(&self.arguments).cloned();
        match (self.key.iter().len() + self.arguments.len(), all.next()) {
            (1, Some(only)) => only,
            (_, Some(first)) => Value::list(std::iter::once(first).chain(all)),
            (_, None) => Value::Unit,
        }
    }

    fn outcome(&self, output: &Json) -> Result<Outcome, Problem> {
        let result = match output {
            Json::Object(members) if members.is_empty() => Value::Unit,
            Json::Object(_)
                if member(output, &["Unknown", "unknown"]) == Some(&Json::Bool(true)) =>
            {
                return Ok(Outcome::Unknown);
            }
            Json::Object(_) => {
                let names = ["Value", "value", "Result", "result", "Ok", "ok"];
                match names.iter().find_map(|name| output.get(name)) {
                    Some(result) => value(result),
                    None => {
                        return Err(Problem::WrongType {
                            key: "Output",
                            wanted: "a value, or an object with `Value`",
                            found: output.to_string(),
                        });
                    }
                }
            }
            Json::Null => Value::Unit,
            plain => value(plain),
        };
        // Go writes the empty text where nothing was set.
        let is_unset = result == Value::text("") && matches!(&*self.method, "put" | "append");
        Ok(Outcome::Returned(if is_unset {
            Value::Unit
        } else {
            result
        }))
    }
}
