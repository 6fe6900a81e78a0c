//! JSON values of other programs as values of operations.

use crate::error::Problem;
use linspect_core::value::Value;
use serde_json::Value as Json;

/// A value. An object is a list of pairs, an empty one no value; numbers that are not whole or do not fit are texts.
pub(crate) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Nil,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => n
            .as_i64()
            .map_or_else(|| Value::text(n.to_string()), Value::Int),
        Json::String(s) => Value::text(s),
        Json::Array(items) => Value::list(items.iter().map(value)),
        Json::Object(members) if members.is_empty() => Value::Unit,
        Json::Object(members) => {
            let mut pairs: Vec<Value> = members
                .iter()
                .map(|(name, member)| Value::list([Value::text(name), value(member)]))
                .collect();
            pairs.sort();
            Value::list(pairs)
        }
    }
}

/// The first of some members that is there and not null.
pub(crate) fn member<'j>(object: &'j Json, names: &[&str]) -> Option<&'j Json> {
    let mut found = names.iter().filter_map(|name| object.get(name));
    found.find(|member| !member.is_null())
}

/// A member that must be a whole number, not below zero.
pub(crate) fn number(object: &Json, key: &'static str) -> Result<u64, Problem> {
    match object.get(key) {
        None => Err(Problem::Missing(key)),
        Some(found) => found.as_u64().ok_or_else(|| Problem::WrongType {
            key,
            wanted: "a whole number from 0",
            found: found.to_string(),
        }),
    }
}

/// A number of a process.
pub(crate) fn process(object: &Json, key: &'static str) -> Result<u32, Problem> {
    let n = number(object, key)?;
    u32::try_from(n).map_err(|_| Problem::WrongType {
        key,
        wanted: "a number from 0 to 4294967295",
        found: n.to_string(),
    })
}
