//! The log that Jepsen's etcd test prints: `INFO  jepsen.util - 0 :invoke :write 3`, and since 2017
//! `INFO [2017-06-02 14:38:41,333] jepsen worker 0 - jepsen.util 0 :invoke :write 3`, and since 2021
//! `2021-03-01 12:30:00,123{GMT} INFO [jepsen worker 0] jepsen.util: 0 :invoke :write 3`.
//!
//! One register with compare-and-set, absent at first. The order of the lines is the order of time. Differences from Jepsen in general:
//! a failed `:cas` is an observation (the value was another), and a read of nil saw absence.

use crate::error::{Problem, ReadError};
use crate::jepsen::Kind;
use crate::lines::Lines;
use crate::pairing::{Ending, Pairing};
use crate::recorded::Recorded;
use linspect_core::history::Outcome;
use linspect_core::value::Value;
use std::io::Read;

const MARK: &str = "jepsen.util";

/// Reads a history of a compare-and-set register. Lines of other shapes are left out.
pub(crate) fn read(input: impl Read) -> Result<Recorded, ReadError> {
    let mut lines = Lines::new(input);
    let mut pairing = Pairing::default();
    while let Some(line) = lines.next()? {
        match Event::parse(line.text) {
            Ok(Some(event)) => event.take(line.number, &mut pairing)?,
            Ok(None) if !line.is_terminated && is_cut_mark(line.text) => {
                return Err(Problem::Truncated("a line").at(line.number));
            }
            Ok(None) => match nemesis(line.text) {
                Some((f, details)) => pairing.disturb(f, Some(&Value::text(details)), None),
                None => pairing.ignore(),
            },
            Err(_) if !line.is_terminated => {
                return Err(Problem::Truncated("a line").at(line.number));
            }
            Err(problem) => return Err(problem.at(line.number)),
        }
    }
    let mut recorded = pairing.finish(lines.number())?;
    recorded.spec = Some(String::from("cas-register"));
    recorded.initial = Some(Value::Nil);
    Ok(recorded)
}

/// Whether a line is an event of a client, of whatever type.
pub(crate) fn is_event(line: &str) -> bool {
    matches!(Event::parse(line), Ok(Some(_)))
}

/// What the nemesis did, and what is said of it, if a line is an event of its own.
fn nemesis(line: &str) -> Option<(&str, &str)> {
    let (_, event) = line.split_once(MARK)?;
    let (_, event) = event.split_once(":nemesis")?;
    let (kind, rest) = word(event);
    let (f, details) = word(rest);
    let f = f.strip_prefix(':').filter(|_| kind == ":info")?;
    let details = details.trim_ascii();
    Some((f, if details == "nil" { "" } else { details }))
}

struct Event<'a> {
    process: u32,
    kind: Kind,
    method: &'a str,
    value: Value,
}

impl<'a> Event<'a> {
    /// `None` for a line of another shape, such as the nemesis's.
    fn parse(line: &'a str) -> Result<Option<Self>, Problem> {
        let Some((_, event)) = line.split_once(MARK) else {
            return Ok(None);
        };
        let event = event
            .strip_prefix(" -")
            .or(event.strip_prefix(':'))
            .unwrap_or(event);
        if !event.starts_with(|c: char| c.is_ascii_whitespace()) {
            return Ok(None);
        }
        let (process, rest) = word(event);
        let Ok(process) = process.parse() else {
            return Ok(None);
        };
        let (kind, rest) = word(rest);
        let (method, value) = word(rest);
        // After the value there may be a column with an error.
        let value = value
            .trim_ascii_start()
            .split('\t')
            .next()
            .unwrap_or_default();
        let kind = kind.strip_prefix(':').and_then(Kind::named);
        let (Some(kind), Some(method)) = (kind, method.strip_prefix(':')) else {
            return Err(Problem::Malformed(line.to_owned()));
        };
        if !matches!(method, "read" | "write" | "cas") {
            let (method, known) = (method.to_owned(), "read, write and cas");
            return Err(Problem::UnknownMethod { method, known });
        }
        let value = parse_value(value).ok_or_else(|| Problem::Malformed(line.to_owned()))?;
        Ok(Some(Self {
            process,
            kind,
            method,
            value,
        }))
    }

    fn take(self, line: u32, pairing: &mut Pairing) -> Result<(), ReadError> {
        let Self {
            process, method, ..
        } = self;
        if self.kind == Kind::Invoke {
            let argument = match (method, self.value) {
                ("read", _) => Value::Unit,
                ("write", value @ Value::Int(_)) => value,
                ("cas", value @ Value::List(_)) => value,
                (_, found) => {
                    return Err(Problem::WrongType {
                        key: "value",
                        wanted: "a number for :write, [from to] for :cas",
                        found: found.to_string(),
                    }
                    .at(line));
                }
            };
            return pairing.invoke(line, process, method, argument, None);
        }
        pairing.flight(line, process, method)?;
        let ending = match (self.kind, method) {
            (Kind::Ok, "read") => Ending::Known(Outcome::Returned(self.value)),
            (Kind::Ok, "cas") => Ending::Known(Outcome::Returned(Value::Bool(true))),
            (Kind::Ok, _) => Ending::Known(Outcome::Returned(Value::Unit)),
            // The server compared and said no; a time-out says nothing.
            (Kind::Fail, "cas") if matches!(self.value, Value::List(_)) => {
                Ending::Known(Outcome::Returned(Value::Bool(false)))
            }
            // A read that is lost tells nothing and changes nothing.
            (Kind::Fail, _) | (Kind::Info, "read") => Ending::Failed,
            (Kind::Info | Kind::Invoke, _) => Ending::Open,
        };
        pairing.end(line, process, ending, None)
    }
}

fn word(s: &str) -> (&str, &str) {
    let s = s.trim_ascii_start();
    s.split_once(|c: char| c.is_ascii_whitespace())
        .unwrap_or((s, ""))
}

/// `nil`, a number, `[from to]`, or `:timed-out`.
fn parse_value(s: &str) -> Option<Value> {
    let s = s.trim_ascii();
    if let Some(pair) = s.strip_prefix('[') {
        let (from, to) = word(pair.strip_suffix(']')?);
        let number = |s: &str| s.trim_ascii().parse().ok().map(Value::Int);
        return Some(Value::list([number(from)?, number(to)?]));
    }
    match s {
        "nil" => Some(Value::Nil),
        _ if s.starts_with(':') => Some(Value::text(s)),
        _ => s.parse().ok().map(Value::Int),
    }
}

/// Whether the input ends inside `INFO  jepsen.util - `.
fn is_cut_mark(line: &str) -> bool {
    let words = line.split_ascii_whitespace();
    let mut expected = ["INFO", "jepsen.util", "-"].into_iter();
    let mut words = words.peekable();
    while let (Some(word), Some(whole)) = (words.next(), expected.next()) {
        if words.peek().is_none() {
            return whole.starts_with(word);
        }
        if word != whole {
            return false;
        }
    }
    false
}
