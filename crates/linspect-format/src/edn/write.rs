//! Writes a history as Jepsen events, one map per line, in the order of time.
//!
//! Events have no times: at equal times calls come before returns, which keeps exactly the same operations overlapping.

use crate::recorded::Recorded;
use linspect_core::history::{History, OpId, Operation, Outcome};
use linspect_core::value::Value;
use std::io::{self, Write};

/// Writes one event per line.
pub fn write(recorded: &Recorded, mut to: impl Write) -> io::Result<()> {
    let history = &recorded.history;
    for (is_return, id) in events(history) {
        let operation = &history.operations[id as usize];
        if is_return {
            completion(history, operation, &mut to)?;
        } else {
            event(history, operation, "invoke", &operation.argument, &mut to)?;
        }
    }
    Ok(())
}

/// Calls and returns in the order of time.
fn events(history: &History) -> Vec<(bool, OpId)> {
    let mut events: Vec<(u64, bool, OpId)> = Vec::with_capacity(2 * history.operations.len());
    for (id, operation) in (0..).zip(&history.operations) {
        events.push((operation.call, false, id));
        if !operation.is_pending() {
            events.push((operation.ret, true, id));
        }
    }
    events.sort_unstable();
    events
        .into_iter()
        .map(|(_, is_return, id)| (is_return, id))
        .collect()
}

fn completion(history: &History, operation: &Operation, to: &mut impl Write) -> io::Result<()> {
    match &operation.outcome {
        Outcome::Returned(result) => event(history, operation, "ok", result, to),
        Outcome::Unknown => event(history, operation, "ok", &Value::Unit, to),
        Outcome::Pending => Ok(()),
    }
}

fn event(
    history: &History,
    operation: &Operation,
    kind: &str,
    value: &Value,
    to: &mut impl Write,
) -> io::Result<()> {
    let (process, method) = (operation.process, history.name(operation));
    write!(to, "{{:process {process}, :type :{kind}, :f :{method}")?;
    if *value != Value::Unit {
        write!(to, ", :value ")?;
        form(value, to)?;
    }
    if kind == "ok" && operation.outcome == Outcome::Unknown {
        write!(to, ", :unknown true")?;
    }
    writeln!(to, "}}")
}

fn form(value: &Value, to: &mut impl Write) -> io::Result<()> {
    match value {
        Value::Unit | Value::Nil => write!(to, "nil"),
        Value::Bool(b) => write!(to, "{b}"),
        Value::Int(n) => write!(to, "{n}"),
        Value::Text(s) => string(s, to),
        Value::List(items) => {
            write!(to, "[")?;
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    write!(to, " ")?;
                }
                form(item, to)?;
            }
            write!(to, "]")
        }
    }
}

fn string(s: &str, to: &mut impl Write) -> io::Result<()> {
    write!(to, "\"")?;
    for c in s.chars() {
        match c {
            '"' | '\\' => write!(to, "\\{c}")?,
            '\n' => write!(to, "\\n")?,
            '\t' => write!(to, "\\t")?,
            '\r' => write!(to, "\\r")?,
            c if c.is_control() => write!(to, "\\u{:04x}", u32::from(c))?,
            c => write!(to, "{c}")?,
        }
    }
    write!(to, "\"")
}
