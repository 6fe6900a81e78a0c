//! Writes a history as whole operations. Reading it back gives the same history.

use crate::recorded::Recorded;
use linspect_core::history::{Operation, Outcome};
use linspect_core::value::Value;
use std::io::{self, Write};

/// Writes the header and one line per operation.
pub fn write(recorded: &Recorded, mut to: impl Write) -> io::Result<()> {
    write!(to, "{{\"linspect\":1")?;
    if let Some(spec) = &recorded.spec {
        write!(to, ",\"spec\":")?;
        text(spec, &mut to)?;
    }
    if let Some(initial) = &recorded.initial {
        write!(to, ",\"initial\":")?;
        value(initial, &mut to)?;
    }
    if let Some(unit) = &recorded.unit {
        write!(to, ",\"unit\":")?;
        text(unit, &mut to)?;
    }
    writeln!(
        to,
        ",\"operations\":{}}}",
        recorded.history.operations.len()
    )?;
    for operation in &recorded.history.operations {
        whole(recorded.history.name(operation), operation, &mut to)?;
    }
    Ok(())
}

/// Writes the header of a history of `operations` operations of `spec`; [`write_operation`] writes each.
pub fn write_header(spec: &str, operations: usize, mut to: impl Write) -> io::Result<()> {
    write!(to, "{{\"linspect\":1,\"spec\":")?;
    text(spec, &mut to)?;
    writeln!(to, ",\"operations\":{operations}}}")
}

/// Writes one operation, a call of the method `name`.
pub fn write_operation(name: &str, operation: &Operation, mut to: impl Write) -> io::Result<()> {
    whole(name, operation, &mut to)
}

fn whole(name: &str, operation: &Operation, to: &mut impl Write) -> io::Result<()> {
    write!(to, "{{\"process\":{},\"f\":", operation.process)?;
    text(name, to)?;
    if operation.argument != Value::Unit {
        write!(to, ",\"value\":")?;
        value(&operation.argument, to)?;
    }
    match &operation.outcome {
        Outcome::Returned(Value::Unit) | Outcome::Pending => {}
        Outcome::Returned(result) => {
            write!(to, ",\"result\":")?;
            value(result, to)?;
        }
        Outcome::Unknown => write!(to, ",\"unknown\":true")?,
    }
    write!(to, ",\"call\":{}", operation.call)?;
    if !operation.is_pending() {
        write!(to, ",\"return\":{}", operation.ret)?;
    }
    writeln!(to, "}}")
}

fn value(v: &Value, to: &mut impl Write) -> io::Result<()> {
    match v {
        Value::Unit => write!(to, "{{}}"),
        Value::Nil => write!(to, "null"),
        Value::Bool(b) => write!(to, "{b}"),
        Value::Int(n) => write!(to, "{n}"),
        Value::Text(s) => text(s, to),
        Value::List(items) => {
            write!(to, "[")?;
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    write!(to, ",")?;
                }
                value(item, to)?;
            }
            write!(to, "]")
        }
    }
}

fn text(s: &str, to: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(to, s).map_err(io::Error::from)
}
