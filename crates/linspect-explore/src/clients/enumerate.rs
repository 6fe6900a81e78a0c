//! All small clients, smallest first, one of each kind: threads can be permuted, and values renamed where they are only compared.

use super::is_allowed;
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::value::Value;
use std::collections::BTreeSet;

/// Which clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The most threads.
    pub threads: usize,
    /// The most operations in all threads together.
    pub operations: usize,
    /// Whether two values that the same operations take can be exchanged for each other. Not so where values have an order (priority queues).
    pub rename_values: bool,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            threads: 3,
            operations: 4,
            rename_values: true,
        }
    }
}

/// The concurrent parts (Pc) with at least two threads and at most these sizes, by number of operations, then of threads.
pub fn enumerate<'a>(declared: &'a [Declared], sizes: Sizes) -> impl Iterator<Item = Client> + 'a {
    let all = invocations(declared);
    let kinds = if sizes.rename_values {
        kinds(declared)
    } else {
        Vec::new()
    };
    (2..=sizes.operations).flat_map(move |operations| {
        let mut found = BTreeSet::new();
        for threads in 2..=sizes.threads.min(operations) {
            for shape in shapes(operations, threads) {
                fill(&all, &shape, &mut |client| {
                    if is_allowed(&client, declared) && is_first_of_its_kind(&client, &kinds) {
                        found.insert((threads, client));
                    }
                });
            }
        }
        found.into_iter().map(|(_, client)| client)
    })
}

/// Every call with every argument of its domain.
pub(crate) fn invocations(declared: &[Declared]) -> Vec<Invocation> {
    let mut all = Vec::new();
    for (operation, d) in (0..).zip(declared) {
        for argument in &d.domain {
            all.push(Invocation {
                operation,
                argument: argument.clone(),
            });
        }
    }
    all
}

/// Groups of values that can be renamed into each other: those in exactly the same domains, in domain order.
fn kinds(declared: &[Declared]) -> Vec<Vec<Value>> {
    let mut values: Vec<Value> = Vec::new();
    for value in declared.iter().flat_map(|d| &d.domain) {
        // Truth values and "nothing" have a meaning of their own.
        let plain = matches!(value, Value::Int(_) | Value::Text(_));
        if plain && !values.contains(value) {
            values.push(value.clone());
        }
    }
    let domains =
        |v: &Value| -> Vec<bool> { declared.iter().map(|d| d.domain.contains(v)).collect() };
    let mut groups: Vec<Vec<Value>> = Vec::new();
    for value in values {
        match groups
            .iter_mut()
            .find(|g| domains(&g[0]) == domains(&value))
        {
            Some(group) => group.push(value),
            None => groups.push(vec![value]),
        }
    }
    groups
}

/// Thread lengths, longest first.
fn shapes(operations: usize, threads: usize) -> Vec<Vec<usize>> {
    fn go(
        left: usize,
        threads: usize,
        most: usize,
        shape: &mut Vec<usize>,
        all: &mut Vec<Vec<usize>>,
    ) {
        if threads == 0 {
            if left == 0 {
                all.push(shape.clone());
            }
            return;
        }
        for length in (1..=most.min(left)).rev() {
            shape.push(length);
            go(left - length, threads - 1, length, shape, all);
            shape.pop();
        }
    }
    let mut all = Vec::new();
    go(operations, threads, operations, &mut Vec::new(), &mut all);
    all
}

/// Fills a shape with calls in every way.
fn fill(all: &[Invocation], shape: &[usize], each: &mut dyn FnMut(Client)) {
    let total: usize = shape.iter().sum();
    let mut digits = vec![0; total];
    loop {
        let mut calls = digits.iter().map(|&i: &usize| all[i].clone());
        let threads = shape
            .iter()
            .map(|&n| calls.by_ref().take(n).collect())
            .collect();
        each(Client {
            threads,
            ..Client::default()
        });
        let Some(at) = digits.iter().rposition(|&d| d + 1 < all.len()) else {
            return;
        };
        digits[at] += 1;
        digits[at + 1..].fill(0);
    }
}

/// Whether no renaming of values and permutation of equally long threads gives a smaller client.
fn is_first_of_its_kind(client: &Client, kinds: &[Vec<Value>]) -> bool {
    if renamed(client, kinds) != *client {
        return false;
    }
    let mut first = true;
    permutations(client.threads.len(), &mut |order| {
        let lengths_stay = order
            .iter()
            .enumerate()
            .all(|(i, &from)| client.threads[i].len() == client.threads[from].len());
        if first && lengths_stay {
            let permuted = Client {
                threads: order.iter().map(|&i| client.threads[i].clone()).collect(),
                ..client.clone()
            };
            first = *client <= renamed(&permuted, kinds);
        }
    });
    first
}

/// The client with values named in order of their first use.
fn renamed(client: &Client, kinds: &[Vec<Value>]) -> Client {
    let mut names: Vec<(Value, Value)> = Vec::new();
    let mut used = vec![0; kinds.len()];
    let mut client = client.clone();
    for invocation in client.threads.iter_mut().flatten() {
        let old = invocation.argument.clone();
        let Some(kind) = kinds.iter().position(|k| k.contains(&old)) else {
            continue;
        };
        if let Some((_, new)) = names.iter().find(|(o, _)| *o == old) {
            invocation.argument = new.clone();
            continue;
        }
        let new = kinds[kind][used[kind]].clone();
        used[kind] += 1;
        names.push((old, new.clone()));
        invocation.argument = new;
    }
    client
}

fn permutations(n: usize, each: &mut dyn FnMut(&[usize])) {
    fn go(order: &mut Vec<usize>, at: usize, each: &mut dyn FnMut(&[usize])) {
        if at == order.len() {
            each(order);
            return;
        }
        for i in at..order.len() {
            order.swap(at, i);
            go(order, at + 1, each);
            order.swap(at, i);
        }
    }
    go(&mut (0..n).collect(), 0, each);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::objects;
    use linspect_core::client::Limits;

    fn show(client: &Client, declared: &[Declared]) -> String {
        let thread = |t: &Vec<Invocation>| {
            let call = |i: &Invocation| match &i.argument {
                Value::Unit => declared[usize::from(i.operation)].name.clone(),
                v => format!("{}{v}", declared[usize::from(i.operation)].name),
            };
            t.iter().map(call).collect::<Vec<_>>().join(",")
        };
        client
            .threads
            .iter()
            .map(thread)
            .collect::<Vec<_>>()
            .join(" | ")
    }

    #[test]
    fn the_smallest_come_first_and_each_kind_once() {
        let stack = objects::treiber();
        let sizes = Sizes {
            threads: 2,
            operations: 3,
            rename_values: true,
        };
        let shown: Vec<String> = enumerate(&stack.declared, sizes)
            .map(|c| show(&c, &stack.declared))
            .collect();
        assert_eq!(
            shown[..8],
            [
                "push1 | push1",
                "push1 | push2",
                "push1 | pop",
                "pop | pop",
                "push1,push1 | push1",
                "push1,push1 | push2",
                "push1,push1 | pop",
                "push1,push2 | push1",
            ]
        );
        assert_eq!(shown.len(), 4 + 15);
    }

    /// Enumerating without renaming and sorting into kinds by brute force gives as many kinds as are enumerated.
    #[test]
    fn no_kind_is_missing() {
        let mut object = objects::treiber();
        object.declared[0].domain.truncate(3);
        let sizes = |rename_values| Sizes {
            threads: 3,
            operations: 4,
            rename_values,
        };
        let kinds = kinds(&object.declared);
        let mut all = BTreeSet::new();
        for client in enumerate(&object.declared, sizes(false)) {
            let mut least = None;
            permutations(client.threads.len(), &mut |order| {
                let permuted = Client {
                    threads: order.iter().map(|&i| client.threads[i].clone()).collect(),
                    ..client.clone()
                };
                // Longest thread first, as enumerated.
                if permuted.threads.is_sorted_by(|a, b| a.len() >= b.len()) {
                    let renamed = renamed(&permuted, &kinds);
                    if least.as_ref().is_none_or(|l| renamed < *l) {
                        least = Some(renamed);
                    }
                }
            });
            all.insert(least.expect("some permutation is sorted"));
        }
        let enumerated: BTreeSet<Client> = enumerate(&object.declared, sizes(true)).collect();
        assert_eq!(
            enumerated.len(),
            enumerate(&object.declared, sizes(true)).count()
        );
        assert_eq!(enumerated, all);
    }

    #[test]
    fn limits_are_kept() {
        let mut queue = objects::ms_queue();
        queue.declared[0].limits = Limits {
            role: Some("producer".into()),
            at_most: Some(1),
            after: None,
        };
        queue.declared[1].limits.after = Some(0);
        let shown: Vec<String> = enumerate(&queue.declared, Sizes::default())
            .map(|c| show(&c, &queue.declared))
            .collect();
        // Only the one thread that enqueues may dequeue, so there is never a second thread.
        assert_eq!(shown, [""; 0]);
        queue.declared[1].limits.after = None;
        queue.declared[1].limits.at_most = Some(2);
        let shown: Vec<String> = enumerate(&queue.declared, Sizes::default())
            .map(|c| show(&c, &queue.declared))
            .collect();
        assert_eq!(
            shown,
            [
                "enq1 | deq",
                "deq | deq",
                "enq1,deq | deq",
                "deq,enq1 | deq",
                "deq,deq | enq1",
                "enq1 | deq | deq",
            ]
        );
    }
}
