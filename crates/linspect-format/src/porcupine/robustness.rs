//! Requests of etcd's robustness tests (`client-N/operations.json`), as operations of a map.
//!
//! Keys are decided one by one, so a request that works on several keys becomes an operation for each, all from its call to its
//! return. Nothing is claimed that was not recorded: what a map cannot say is left out where it only looks (a range of keys, an
//! old revision, the comparison of a transaction), may have happened where that is not known, and is an error where it writes.

use super::Operation;
use crate::error::{Problem, ReadError};
use crate::json::member;
use crate::pairing::Pairing;
use linspect_core::history::Outcome;
use linspect_core::value::Value;
use serde_json::Value as Json;

/// Operations of one request beyond the first are done by processes from here on: each process does one at a time.
const HELPERS: u32 = 1 << 31;

/// Whether an `Input` is a request.
pub(super) fn is_request(input: &Json) -> bool {
    let is_named = |name: &&str| matches!(input.get(name), Some(Json::Object(_)));
    const NAMES: [&str; 6] = [
        "Range",
        "Txn",
        "LeaseGrant",
        "LeaseRevoke",
        "Defragment",
        "Compact",
    ];
    input.get("Type").is_some_and(Json::is_string) && NAMES.iter().any(is_named)
}

/// What has to be remembered from request to request.
#[derive(Default)]
pub(super) struct Robustness {
    helpers: u32,
    /// Keys that were put with a lease.
    leased: Vec<(Json, Value)>,
    /// Leases that were revoked: when, on which line.
    revoked: Vec<(Json, u64, u32)>,
}

impl Robustness {
    /// Adds what a request did to each key.
    pub(super) fn take(
        &mut self,
        pairing: &mut Pairing,
        line: u32,
        operation: &Operation<'_>,
    ) -> Result<(), ReadError> {
        pairing.recorded.spec = Some(String::from("kv"));
        let output = operation.output;
        let is_set = |name| member(output, &[name]).is_some_and(|text| text.as_str() != Some(""));
        let answer = if is_set("Error") {
            Answer::Open
        } else if is_set("ClientError") {
            // The server refused it.
            pairing.ignore();
            return Ok(());
        } else if output.get("Persisted") == Some(&Json::Bool(true)) {
            Answer::Done
        } else if operation.ret.is_none() {
            Answer::Open
        } else {
            Answer::Said
        };
        let input = operation.input;
        let mut deeds = Vec::new();
        if let Some(range) = member(input, &["Range"]) {
            let is_old = range.get("Revision").and_then(Json::as_i64) != Some(0)
                && range.get("Revision").is_some();
            if !is_old {
                deeds.extend(looked(range, output.get("Range"), answer));
            }
        } else if let Some(txn) = member(input, &["Txn"]) {
            deeds = self
                .transaction(txn, output.get("Txn"), answer)
                .map_err(|p| p.at(line))?;
        } else if let Some(revoke) = member(input, &["LeaseRevoke"]) {
            let lease = revoke.get("LeaseID").cloned().unwrap_or_default();
            self.revoked.push((lease, operation.call, line));
        }
        if deeds.is_empty() {
            pairing.ignore();
        }
        for (i, deed) in deeds.into_iter().enumerate() {
            let process = if i == 0 {
                operation.process
            } else {
                self.helper()
            };
            let ret = operation.ret.filter(|_| deed.outcome != Outcome::Pending);
            pairing.whole(
                line,
                process,
                deed.method,
                deed.argument,
                deed.outcome,
                operation.call,
                ret,
            )?;
        }
        Ok(())
    }

    /// A lease that is revoked takes its keys along: from then on each may be deleted.
    pub(super) fn finish(mut self, pairing: &mut Pairing) -> Result<(), ReadError> {
        for (lease, call, line) in std::mem::take(&mut self.revoked) {
            let mut keys: Vec<Value> = (self.leased.iter())
                .filter(|(of, _)| *of == lease)
                .map(|(_, key)| key.clone())
                .collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let process = self.helper();
                pairing.whole(line, process, "delete", key, Outcome::Pending, call, None)?;
            }
        }
        Ok(())
    }

    fn helper(&mut self) -> u32 {
        self.helpers += 1;
        HELPERS + self.helpers
    }

    fn transaction(
        &mut self,
        txn: &Json,
        response: Option<&Json>,
        answer: Answer,
    ) -> Result<Vec<Deed>, Problem> {
        let listed = |name: &str| match txn.get(name) {
            Some(Json::Array(operations)) => &operations[..],
            _ => &[],
        };
        let (success, failure) = (listed("OperationsOnSuccess"), listed("OperationsOnFailure"));
        let conditions = listed("Conditions");
        let failed = response.and_then(|r| r.get("Failure")) == Some(&Json::Bool(true));
        let done = match answer {
            Answer::Said if failed => failure,
            Answer::Said => success,
            // It compared, and nobody knows with what result.
            _ if failure
                .iter()
                .any(|operation| kind(operation) != Kind::Range) =>
            {
                return Err(Problem::Unsupported(
                    "a transaction that writes when its comparison fails, and of which nobody knows whether it did",
                ));
            }
            _ => success,
        };
        let answer = match answer {
            Answer::Done if !conditions.is_empty() => Answer::Open,
            other => other,
        };
        let results = response
            .and_then(|r| r.get("Results"))
            .and_then(Json::as_array);
        let mut deeds = Vec::new();
        for (i, operation) in done.iter().enumerate() {
            let result = results.and_then(|results| results.get(i));
            let options = |name| {
                operation
                    .get(name)
                    .filter(|o| o.is_object())
                    .unwrap_or(operation)
            };
            match kind(operation) {
                Kind::Range => deeds.extend(looked(options("Range"), result, answer)),
                Kind::Put => {
                    let put = options("Put");
                    let key = text(put.get("Key"));
                    let lease = put.get("LeaseID").filter(|l| l.as_i64() != Some(0));
                    if let Some(lease) = lease {
                        self.leased.push((lease.clone(), key.clone()));
                    }
                    deeds.push(Deed {
                        method: "put",
                        argument: Value::list([key, stored(put.get("Value"))]),
                        outcome: answer.outcome(|| Some(Value::Unit)),
                    });
                }
                Kind::Delete => deeds.push(Deed {
                    method: "delete",
                    argument: text(options("Delete").get("Key")),
                    outcome: answer.outcome(|| {
                        let deleted = result?.get("Deleted").and_then(Json::as_i64);
                        Some(Value::Bool(deleted.is_some_and(|n| n > 0)))
                    }),
                }),
                Kind::Other => {
                    return Err(Problem::Unsupported(
                        "an operation that is neither range, put nor delete",
                    ));
                }
            }
        }
        Ok(deeds)
    }
}

/// What is known of the end of a request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// The response.
    Said,
    /// That it was done.
    Done,
    /// Nothing.
    Open,
}

impl Answer {
    fn outcome(self, result: impl FnOnce() -> Option<Value>) -> Outcome {
        match self {
            Self::Said => result().map_or(Outcome::Unknown, Outcome::Returned),
            Self::Done => Outcome::Unknown,
            Self::Open => Outcome::Pending,
        }
    }
}

/// What a request did to one key.
struct Deed {
    method: &'static str,
    argument: Value,
    outcome: Outcome,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Range,
    Put,
    Delete,
    Other,
}

/// Older tests write `put`, newer ones `put-operation`.
fn kind(operation: &Json) -> Kind {
    let name = operation
        .get("Type")
        .and_then(Json::as_str)
        .unwrap_or_default();
    match name.strip_suffix("-operation").unwrap_or(name) {
        "range" => Kind::Range,
        "put" => Kind::Put,
        "delete" => Kind::Delete,
        _ => Kind::Other,
    }
}

/// A look at one key that was answered; nothing of a range of keys.
fn looked(options: &Json, response: Option<&Json>, answer: Answer) -> Option<Deed> {
    let is_many = member(options, &["End"]).is_some_and(|end| end.as_str() != Some(""))
        || options.get("WithPrefix") == Some(&Json::Bool(true));
    let found = response?.get("KVs");
    if is_many || answer != Answer::Said {
        return None;
    }
    let first = found.and_then(|found| found.get(0));
    let result = first.map_or(Value::Nil, |pair| stored(pair.get("Value")));
    Some(Deed {
        method: "get",
        argument: text(member(options, &["Start", "Key"])),
        outcome: Outcome::Returned(result),
    })
}

fn text(json: Option<&Json>) -> Value {
    Value::text(json.and_then(Json::as_str).unwrap_or_default())
}

/// A value, or the hash that stands for a long one.
fn stored(json: Option<&Json>) -> Value {
    match json
        .and_then(|value| value.get("Hash"))
        .and_then(Json::as_u64)
    {
        Some(hash) if hash != 0 => Value::text(format!("hash {hash}")),
        _ => text(json.and_then(|value| value.get("Value"))),
    }
}
