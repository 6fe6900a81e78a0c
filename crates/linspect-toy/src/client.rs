//! Reads clients of toy programs from text.

use crate::program::Program;
use linspect_core::client::{Client, Invocation};
use linspect_core::value::Value;

impl Program {
    /// A client of this program: calls are `pop` or `push=1`, with spaces between them.
    ///
    /// # Panics
    /// If a call is not declared, or its argument is no number.
    pub fn client(&self, before: &str, threads: &[&str], after: &str) -> Client {
        let call = |text: &str| {
            let (name, argument) = match text.split_once('=') {
                Some((name, argument)) => (name, Some(argument)),
                None => (text, None),
            };
            let at = self.declared.iter().position(|d| d.name == name);
            let at = at.unwrap_or_else(|| panic!("{} has no operation {name}", self.name));
            Invocation {
                operation: at.try_into().expect("few operations"),
                argument: argument
                    .map_or(Value::Unit, |a| Value::Int(a.parse().expect("a number"))),
            }
        };
        let calls = |text: &str| text.split_whitespace().map(call).collect();
        Client {
            before: calls(before),
            threads: threads.iter().map(|t| calls(t)).collect(),
            after: calls(after),
            ..Client::default()
        }
    }
}
