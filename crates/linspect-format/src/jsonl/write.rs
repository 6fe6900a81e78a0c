//! Writes a history as whole operations. Reading it back gives the same history.

use crate::recorded::Recorded;
use linspect_core::history::{History, Operation, Outcome};
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
    writeln!(
        to,
        ",\"operations\":{}}}",
        recorded.history.operations.len()
    )?;
    for operation in &recorded.history.operations {
        whole(&recorded.history, operation, &mut to)?;
    }
    Ok(())
}

fn whole(history: &History, operation: &Operation, to: &mut impl Write) -> io::Result<()> {
    write!(to, "{{\"process\":{},\"f\":", operation.process)?;
    text(history.name(operation), to)?;
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
