//! Clients as they are typed and shown: `[push(1)] pop | push(2) pop [pop]`.

use crate::error::Error;
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::value::Value;

/// Why a text is no client.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadClient {
    /// A prefix that does not end.
    #[error("a prefix ends with `]`")]
    Prefix,
    /// A suffix that does not begin.
    #[error("a suffix starts with `[`")]
    Suffix,
    /// Arguments that do not end.
    #[error("arguments end with `)`")]
    Arguments,
    /// An operation that the object does not have.
    #[error("there is no operation `{name}`; there are {}", .known.join(", "))]
    Operation {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// An argument too many, or none where there should be one.
    #[error("`{name}` takes {}", if *.nothing { "no argument" } else { "an argument" })]
    Arity {
        /// The operation.
        name: String,
        /// Whether it takes no argument.
        nothing: bool,
    },
}

/// Reads a client of an object with these operations.
pub fn parse(text: &str, declared: &[Declared]) -> Result<Client, BadClient> {
    let mut rest = text.trim();
    let mut client = Client::default();
    if let Some(after) = rest.strip_prefix('[') {
        let (before, more) = after.split_once(']').ok_or(BadClient::Prefix)?;
        client.before = calls(before, declared)?;
        rest = more.trim();
    }
    if let Some(until) = rest.strip_suffix(']') {
        let (threads, after) = until.rsplit_once('[').ok_or(BadClient::Suffix)?;
        client.after = calls(after, declared)?;
        rest = threads.trim();
    }
    for thread in rest.split('|') {
        client.threads.push(calls(thread, declared)?);
    }
    Ok(client)
}

/// The client as it would be typed.
pub fn show(client: &Client, declared: &[Declared]) -> String {
    let part = |calls: &[Invocation]| {
        let one = |call: &Invocation| {
            let name = &declared[usize::from(call.operation)].name;
            let items: Vec<String> = call
                .argument
                .items()
                .iter()
                .map(ToString::to_string)
                .collect();
            match call.argument {
                Value::Unit => name.clone(),
                _ => format!("{name}({})", items.join(", ")),
            }
        };
        calls.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    let threads: Vec<String> = client.threads.iter().map(|t| part(t)).collect();
    format!(
        "[{}] {} [{}]",
        part(&client.before),
        threads.join(" | "),
        part(&client.after)
    )
}

fn calls(text: &str, declared: &[Declared]) -> Result<Vec<Invocation>, BadClient> {
    let mut calls = Vec::new();
    let mut rest = text.trim_matches(|c: char| c.is_whitespace() || c == ';');
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| c == '(' || c == ';' || c.is_whitespace())
            .unwrap_or(rest.len());
        let name = &rest[..end];
        rest = &rest[end..];
        let mut argument = Value::Unit;
        if let Some(inside) = rest.strip_prefix('(') {
            let (values, more) = inside.split_once(')').ok_or(BadClient::Arguments)?;
            let mut values: Vec<Value> = values
                .split(',')
                .map(str::trim)
                .filter(|v| !v.is_empty())
                .map(linspect_format::value)
                .collect();
            argument = match values.len() {
                0 => Value::Unit,
                1 => values.remove(0),
                _ => Value::list(values),
            };
            rest = more;
        }
        calls.push(call(name, argument, declared)?);
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
    }
    Ok(calls)
}

fn call(name: &str, argument: Value, declared: &[Declared]) -> Result<Invocation, BadClient> {
    let operation = declared
        .iter()
        .position(|d| d.name == name)
        .ok_or_else(|| BadClient::Operation {
            name: name.to_owned(),
            known: declared.iter().map(|d| d.name.clone()).collect(),
        })?;
    let takes_nothing = declared[operation].domain == [Value::Unit];
    if takes_nothing != (argument == Value::Unit) {
        return Err(BadClient::Arity {
            name: name.to_owned(),
            nothing: takes_nothing,
        });
    }
    Ok(Invocation {
        operation: u16::try_from(operation).expect("few operations"),
        argument,
    })
}

/// Refuses a client of a token that `declared` does not have: it was made with another harness, or before an edit.
pub(super) fn fits(client: &Client, declared: &[Declared]) -> Result<(), Error> {
    let threads = client.threads.iter().flatten();
    let mut calls = client.before.iter().chain(threads).chain(&client.after);
    let alien = calls.find(|call| match declared.get(usize::from(call.operation)) {
        Some(known) => (known.domain == [Value::Unit]) != (call.argument == Value::Unit),
        None => true,
    });
    let Some(alien) = alien else { return Ok(()) };
    Err(Error::AlienToken {
        number: u32::from(alien.operation) + 1,
        argument: alien.argument.clone(),
        operations: declared.iter().map(|d| d.name.clone()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::client::Limits;

    fn stack() -> Vec<Declared> {
        let operation = |name: &str, domain| Declared {
            name: name.to_owned(),
            domain,
            limits: Limits::default(),
        };
        vec![
            operation("push", vec![Value::Int(1), Value::Int(2)]),
            operation("pop", vec![Value::Unit]),
        ]
    }

    #[test]
    fn a_client_has_prefix_threads_and_suffix() {
        let client = parse("[push(1)] pop | push(2); pop() [pop]", &stack()).expect("readable");
        assert_eq!((client.before.len(), client.after.len()), (1, 1));
        let lengths: Vec<usize> = client.threads.iter().map(Vec::len).collect();
        assert_eq!(lengths, [1, 2]);
        assert_eq!(client.threads[1][0].argument, Value::Int(2));
        assert_eq!(show(&client, &stack()), "[push(1)] pop | push(2) pop [pop]");
        assert!(parse("pop | peek", &stack()).is_err());
        assert!(parse("pop(1) | pop", &stack()).is_err());
        assert!(parse("[push(1) pop | pop", &stack()).is_err());
    }

    #[test]
    fn clients_of_other_harnesses_are_refused() {
        let client = parse("push(1) | pop", &stack()).expect("readable");
        assert!(fits(&client, &stack()).is_ok());
        assert!(fits(&client, &stack()[..1]).is_err(), "no pop any more");
        assert!(fits(&client, &[]).is_err(), "a program");
        let mut swapped = stack();
        swapped.reverse();
        assert!(fits(&client, &swapped).is_err(), "pop with an argument");
        assert!(fits(&Client::default(), &[]).is_ok());
    }
}
