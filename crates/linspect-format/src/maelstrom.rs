//! Messages of Maelstrom's key-value workload, one JSON object per line, requests and replies of clients in the order of time:
//! `{"src":"c1","dest":"n0","body":{"type":"write","key":0,"value":3,"msg_id":1}}` and
//! `{"src":"n0","dest":"c1","body":{"type":"write_ok","in_reply_to":1}}`.
//!
//! What nodes say to each other and to Maelstrom's services is left out. Who asks anew before a reply has given up the request before; a
//! reply to that comes too late to tell anything.

use crate::error::{Problem, ReadError};
use crate::json::{member, number, value};
use crate::objects::Objects;
use crate::pairing::{Ending, Pairing};
use crate::recorded::Recorded;
use linspect_core::history::Outcome;
use linspect_core::value::Value;
use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use std::io::Read;

/// Reads a history of a map.
pub(crate) fn read(input: impl Read) -> Result<Recorded, ReadError> {
    let mut objects = Objects::new(input);
    let mut pairing = Pairing::default();
    let mut asked: FxHashMap<u32, Request> = FxHashMap::default();
    while let Some((line, message)) = objects.next()? {
        let body = message.get("body").ok_or(Problem::Missing("body"));
        let body = body.map_err(|problem| problem.at(line))?;
        if let Some(process) = client(message.get("src")) {
            let Some(request) = Request::of(body).map_err(|problem| problem.at(line))? else {
                pairing.ignore();
                continue;
            };
            if asked.contains_key(&process) {
                pairing.end(line, process, Ending::Open, None)?;
            }
            pairing.invoke(
                line,
                process,
                request.method,
                request.argument.clone(),
                None,
            )?;
            asked.insert(process, request);
        } else if let Some(process) = client(message.get("dest"))
            && let Some(request) = asked.get(&process)
            && body.get("in_reply_to").and_then(Json::as_u64) == Some(request.id)
        {
            let ending = request.ending(body).map_err(|problem| problem.at(line))?;
            pairing.end(line, process, ending, None)?;
            asked.remove(&process);
        } else {
            pairing.ignore();
        }
    }
    let mut recorded = pairing.finish(objects.line())?;
    recorded.spec = Some(String::from("kv"));
    Ok(recorded)
}

/// The number of a client: 3 for "c3".
fn client(name: Option<&Json>) -> Option<u32> {
    name?.as_str()?.strip_prefix('c')?.parse().ok()
}

/// A request that is in flight.
struct Request {
    id: u64,
    method: &'static str,
    argument: Value,
}

impl Request {
    /// Nothing for what is no operation, such as `init`.
    fn of(body: &Json) -> Result<Option<Self>, Problem> {
        let key = || {
            member(body, &["key"])
                .map(value)
                .ok_or(Problem::Missing("key"))
        };
        let part = |name: &'static str| body.get(name).map(value).ok_or(Problem::Missing(name));
        let (method, argument) = match body.get("type").and_then(Json::as_str) {
            Some("read") => ("read", key()?),
            Some("write") => ("write", Value::list([key()?, part("value")?])),
            Some("cas") if body.get("create_if_not_exists") == Some(&Json::Bool(true)) => {
                return Err(Problem::Unsupported("a `cas` with `create_if_not_exists`"));
            }
            Some("cas") => ("cas", Value::list([key()?, part("from")?, part("to")?])),
            Some("txn") => return Err(Problem::Transaction(String::from("txn"))),
            Some(_) => return Ok(None),
            None => return Err(Problem::Missing("type")),
        };
        Ok(Some(Self {
            id: number(body, "msg_id")?,
            method,
            argument,
        }))
    }

    fn ending(&self, body: &Json) -> Result<Ending, Problem> {
        let kind = body.get("type").and_then(Json::as_str).unwrap_or_default();
        let returned = |result| Ok(Ending::Known(Outcome::Returned(result)));
        if kind != "error" {
            return match (self.method, kind) {
                ("read", "read_ok") => returned(
                    body.get("value")
                        .map(value)
                        .ok_or(Problem::Missing("value"))?,
                ),
                ("write", "write_ok") => returned(Value::Unit),
                ("cas", "cas_ok") => returned(Value::Bool(true)),
                _ => Err(Problem::WrongType {
                    key: "type",
                    wanted: "the `_ok` of its request, or `error`",
                    found: format!("{kind:?}"),
                }),
            };
        }
        // https://github.com/jepsen-io/maelstrom/blob/main/doc/protocol.md#errors
        const ABSENT: u64 = 20;
        const OTHER_VALUE: u64 = 22;
        const PERHAPS: [u64; 2] = [0, 13];
        match (self.method, number(body, "code")?) {
            ("read", ABSENT) => returned(Value::Nil),
            ("cas", ABSENT | OTHER_VALUE) => returned(Value::Bool(false)),
            ("read", _) => Ok(Ending::Failed),
            (_, code) if PERHAPS.contains(&code) || code >= 1000 => Ok(Ending::Open),
            _ => Ok(Ending::Failed),
        }
    }
}
