//! Who calls what: the clients of an object.

use crate::language::Module;
use std::fmt;

/// A call of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Call {
    /// The function.
    pub function: u8,
    /// Its argument, if it takes one.
    pub argument: Option<i64>,
}

/// Calls before the threads, in each thread, and after them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Client {
    /// One after the other, before the threads start.
    pub before: Vec<Call>,
    /// The threads.
    pub threads: Vec<Vec<Call>>,
    /// One after the other, after all threads have ended.
    pub after: Vec<Call>,
}

impl Client {
    /// How many calls there are.
    pub fn size(&self) -> usize {
        self.before.len() + self.concurrent() + self.after.len()
    }

    /// How many calls the threads make.
    pub fn concurrent(&self) -> usize {
        self.threads.iter().map(Vec::len).sum()
    }

    /// All calls: before, of each thread, after.
    pub fn calls(&self) -> Vec<Call> {
        let threads = self.threads.iter().flatten();
        self.before
            .iter()
            .chain(threads)
            .chain(&self.after)
            .cloned()
            .collect()
    }

    /// All clients with one call less.
    pub fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for i in 0..self.before.len() {
            let mut client = self.clone();
            client.before.remove(i);
            all.push(client);
        }
        for (t, calls) in self.threads.iter().enumerate() {
            for i in 0..calls.len() {
                let mut client = self.clone();
                client.threads[t].remove(i);
                client.threads.retain(|t| !t.is_empty());
                all.push(client);
            }
        }
        for i in 0..self.after.len() {
            let mut client = self.clone();
            client.after.remove(i);
            all.push(client);
        }
        all
    }
}

/// The name of a function in every language.
pub fn name(function: u8) -> String {
    format!("f{function}")
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.argument {
            Some(argument) => write!(f, "{}({argument})", name(self.function)),
            None => write!(f, "{}", name(self.function)),
        }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |calls: &[Call]| {
            calls
                .iter()
                .map(Call::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        let threads: Vec<String> = self.threads.iter().map(|t| list(t)).collect();
        let (before, after) = (list(&self.before), list(&self.after));
        write!(f, "[{before}] {} [{after}]", threads.join(" | "))
    }
}

/// Every call with every argument.
pub fn calls(module: &Module) -> Vec<Call> {
    let mut all = Vec::new();
    for (function, f) in (0..).zip(&module.functions) {
        if f.arguments.is_empty() {
            let argument = None;
            all.push(Call { function, argument });
        }
        for &argument in &f.arguments {
            let argument = Some(argument);
            all.push(Call { function, argument });
        }
    }
    all
}

/// All clients whose threads make this many calls each, in every way, one of each set that differs only in the order of equally long threads.
pub fn all(module: &Module, lengths: &[usize]) -> Vec<Client> {
    let calls = calls(module);
    let mut clients = vec![Client::default()];
    for &length in lengths {
        for at in 0..length {
            let longer = |client: &Client| -> Vec<Client> {
                let with = |call: &Call| {
                    let mut client = client.clone();
                    if at == 0 {
                        client.threads.push(Vec::new());
                    }
                    let last = client.threads.last_mut();
                    last.expect("a thread was just begun").push(call.clone());
                    client
                };
                calls.iter().map(with).collect()
            };
            clients = clients.iter().flat_map(longer).collect();
        }
    }
    for client in &mut clients {
        client.threads.sort_by_key(|t| (t.len(), t.clone()));
    }
    clients.sort();
    clients.dedup();
    clients
}
