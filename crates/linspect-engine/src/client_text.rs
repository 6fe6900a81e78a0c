//! Clients as they are typed and shown: `[push(1)] pop | push(2) pop [pop]`; what a thread does to warm up stands first in the prefix, with its name:
//! `[T1:pop T2:pop push(1)] pop | push(2)`.

use crate::error::Error;
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::schedule::ThreadId;
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
    /// Somebody warms up whom there is not, or who does so too late.
    #[error(
        "`T{0}:` is no warm-up: threads of the client warm up, before anything else in the prefix"
    )]
    WarmUp(u32),
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
        (client.warm, client.before) = prefix(before, declared)?;
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
    let missing = |t: &&ThreadId| usize::from(**t) >= client.threads.len();
    match client.warm.iter().find(missing) {
        Some(&missing) => Err(BadClient::WarmUp(u32::from(missing) + 1)),
        None => Ok(client),
    }
}

/// The calls of a prefix, and who makes the first of them.
fn prefix(
    text: &str,
    declared: &[Declared],
) -> Result<(Vec<ThreadId>, Vec<Invocation>), BadClient> {
    let (mut warm, mut before) = (Vec::new(), Vec::new());
    for (caller, call) in called(text, declared)? {
        if let Some(number) = caller {
            let thread = ThreadId::try_from(number).ok();
            match thread.and_then(|thread| thread.checked_sub(1)) {
                Some(thread) if warm.len() == before.len() => warm.push(thread),
                _ => return Err(BadClient::WarmUp(number)),
            }
        }
        before.push(call);
    }
    Ok((warm, before))
}

/// The client as it would be typed.
pub fn show(client: &Client, declared: &[Declared]) -> String {
    let part = |calls: &[Invocation]| {
        let calls = calls.iter().map(|call| show_call(call, declared));
        calls.collect::<Vec<_>>().join(" ")
    };
    let threads: Vec<String> = client.threads.iter().map(|t| part(t)).collect();
    let warm = client.warm.iter().zip(&client.before);
    let mut before: Vec<String> = warm
        .map(|(thread, call)| format!("T{}:{}", thread + 1, show_call(call, declared)))
        .collect();
    let rest = &client.before[client.warm.len()..];
    before.extend((!rest.is_empty()).then(|| part(rest)));
    format!(
        "[{}] {} [{}]",
        before.join(" "),
        threads.join(" | "),
        part(&client.after)
    )
}

/// A call as it would be typed.
pub(super) fn show_call(call: &Invocation, declared: &[Declared]) -> String {
    let name = &declared[usize::from(call.operation)].name;
    let items = call.argument.items();
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    match call.argument {
        Value::Unit => name.clone(),
        _ => format!("{name}({})", items.join(", ")),
    }
}

/// Calls that belong to no thread but the one that they stand in.
fn calls(text: &str, declared: &[Declared]) -> Result<Vec<Invocation>, BadClient> {
    let all = called(text, declared)?.into_iter();
    let own = all.map(|(caller, call)| match caller {
        Some(number) => Err(BadClient::WarmUp(number)),
        None => Ok(call),
    });
    own.collect()
}

/// Calls, and the threads that are named before them.
fn called(text: &str, declared: &[Declared]) -> Result<Vec<(Option<u32>, Invocation)>, BadClient> {
    let mut calls = Vec::new();
    let mut rest = text.trim_matches(|c: char| c.is_whitespace() || c == ';');
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| c == '(' || c == ';' || c.is_whitespace())
            .unwrap_or(rest.len());
        let (caller, name) = caller(&rest[..end]);
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
        calls.push((caller, call(name, argument, declared)?));
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
    }
    Ok(calls)
}

/// `T1:pop` is what thread 1 calls.
fn caller(word: &str) -> (Option<u32>, &str) {
    let named = word.strip_prefix('T').and_then(|rest| rest.split_once(':'));
    let named = named.and_then(|(number, name)| Some((number.parse().ok()?, name)));
    named.map_or((None, word), |(number, name)| (Some(number), name))
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
    fn threads_warm_up_before_anything_else() {
        let text = "[T1:pop T2:push(2) push(1)] pop | push(2) []";
        let client = parse(text, &stack()).expect("readable");
        assert_eq!(
            (client.warm.as_slice(), client.before.len()),
            (&[0, 1][..], 3)
        );
        assert_eq!(show(&client, &stack()), text);
        assert_eq!(client.size(), 3);
        for (text, number) in [
            ("[push(1) T1:pop] pop | pop", 1),
            ("[T3:pop] pop | pop", 3),
            ("[T0:pop] pop | pop", 0),
            ("T2:pop | pop", 2),
            ("pop | pop [T1:pop]", 1),
        ] {
            assert_eq!(
                parse(text, &stack()),
                Err(BadClient::WarmUp(number)),
                "{text}"
            );
        }
        assert!(parse("[T1:] pop | pop", &stack()).is_err());
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
