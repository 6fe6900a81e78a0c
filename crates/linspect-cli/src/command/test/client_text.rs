//! Clients as they are typed and shown: `[push(1)] pop | push(2) pop [pop]`.

use crate::failure::Failure;
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::value::Value;

/// Reads a client of an object with these operations.
pub(super) fn parse(text: &str, declared: &[Declared]) -> Result<Client, Failure> {
    let mut rest = text.trim();
    let mut client = Client::default();
    if let Some(after) = rest.strip_prefix('[') {
        let (before, more) = after
            .split_once(']')
            .ok_or_else(|| bad("a prefix ends with `]`"))?;
        client.before = calls(before, declared)?;
        rest = more.trim();
    }
    if let Some(until) = rest.strip_suffix(']') {
        let (threads, after) = until
            .rsplit_once('[')
            .ok_or_else(|| bad("a suffix starts with `[`"))?;
        client.after = calls(after, declared)?;
        rest = threads.trim();
    }
    for thread in rest.split('|') {
        client.threads.push(calls(thread, declared)?);
    }
    Ok(client)
}

/// The client as it would be typed.
pub(crate) fn show(client: &Client, declared: &[Declared]) -> String {
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

fn calls(text: &str, declared: &[Declared]) -> Result<Vec<Invocation>, Failure> {
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
            let (values, more) = inside
                .split_once(')')
                .ok_or_else(|| bad("arguments end with `)`"))?;
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

fn call(name: &str, argument: Value, declared: &[Declared]) -> Result<Invocation, Failure> {
    let known = || {
        declared
            .iter()
            .map(|d| d.name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let operation = declared
        .iter()
        .position(|d| d.name == name)
        .ok_or_else(|| {
            bad(&format!(
                "there is no operation `{name}`; there are {}",
                known()
            ))
        })?;
    let takes_nothing = declared[operation].domain == [Value::Unit];
    if takes_nothing != (argument == Value::Unit) {
        let takes = if takes_nothing {
            "no argument"
        } else {
            "an argument"
        };
        return Err(bad(&format!("`{name}` takes {takes}")));
    }
    Ok(Invocation {
        operation: u16::try_from(operation).expect("few operations"),
        argument,
    })
}

/// Refuses a client of a token that `declared` does not have: it was made with another harness, or before an edit.
pub(super) fn fits(client: &Client, declared: &[Declared]) -> Result<(), Failure> {
    let threads = client.threads.iter().flatten();
    let mut calls = client.before.iter().chain(threads).chain(&client.after);
    let alien = calls.find(|call| match declared.get(usize::from(call.operation)) {
        Some(known) => (known.domain == [Value::Unit]) != (call.argument == Value::Unit),
        None => true,
    });
    let Some(alien) = alien else { return Ok(()) };
    let names: Vec<&str> = declared.iter().map(|d| d.name.as_str()).collect();
    let (number, argument) = (u32::from(alien.operation) + 1, &alien.argument);
    Err(Failure::Usage {
        message: format!(
            "the token calls operation {number} with {argument}, which this program does not have: its operations are {}",
            names.join(", ")
        ),
        help: "give the files that the token was made with, or test what you have with `linspect test`",
    })
}

fn bad(what: &str) -> Failure {
    Failure::Usage {
        message: format!("--client: {what}"),
        help: "write for example --client '[push(1)] pop | push(2) pop [pop]'",
    }
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
