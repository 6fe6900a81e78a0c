//! The clients of an object: every small concurrent part (Pc) after every short beginning (Ps) that leads to another state, with an end (Pr) that shows
//! what it left behind.

use super::enumerate::exactly;
use super::{Sizes, is_allowed, prefixes, suffix};
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::spec::{Spec, Unfit};

/// Calls in a sequential prefix.
pub const PREFIX: usize = 2;

/// The clients of an object that should behave like a specification.
pub struct ClientFamily<'a, S> {
    spec: &'a S,
    declared: &'a [Declared],
    sizes: Sizes,
    /// Shortest first.
    prefixes: Vec<Vec<Invocation>>,
}

impl<'a, S: Spec> ClientFamily<'a, S> {
    /// The clients with concurrent parts of at most these `sizes`.
    pub fn new(spec: &'a S, declared: &'a [Declared], sizes: Sizes) -> Result<Self, Unfit> {
        Ok(Self {
            spec,
            declared,
            sizes,
            prefixes: prefixes(spec, declared, PREFIX)?,
        })
    }

    /// All clients by number of operations, then of threads.
    pub fn clients(&self) -> impl Iterator<Item = Client> {
        let sizes = 2..=self.sizes.operations + PREFIX;
        let all = sizes.flat_map(|size| self.of_size(size));
        all.map(|client| self.complete(client))
    }

    /// How many clients have at most so many operations, counted up to `enough`.
    pub fn count(&self, size: usize, enough: usize) -> usize {
        let small = (2..=size).flat_map(|size| self.of_size(size));
        small.take(enough).count()
    }

    /// The clients with so many operations, by number of threads; without their suffixes.
    fn of_size(&self, size: usize) -> impl Iterator<Item = Client> {
        (2..=self.sizes.threads).flat_map(move |threads| {
            let fewest = size.saturating_sub(PREFIX).max(threads);
            let concurrent = fewest..=size.min(self.sizes.operations);
            concurrent.flat_map(move |operations| self.with(operations, threads, size - operations))
        })
    }

    /// The clients with so many operations in so many threads after a prefix of this length.
    fn with(
        &self,
        operations: usize,
        threads: usize,
        prefix: usize,
    ) -> impl Iterator<Item = Client> {
        let all = move || exactly(self.declared, operations, threads);
        let usual = all().filter(|client| self.is_usual(client));
        let others = all().filter(|client| !self.is_usual(client));
        usual.chain(others).flat_map(move |concurrent| {
            let prefixes = self.prefixes.iter().filter(move |p| p.len() == prefix);
            prefixes.filter_map(move |before| {
                let client = Client {
                    before: before.clone(),
                    ..concurrent.clone()
                };
                is_allowed(&client, self.declared).then_some(client)
            })
        })
    }

    /// Whether values are used in the order in which they are declared. Where the code treats values alike such a client stands for others, so they come first.
    fn is_usual(&self, client: &Client) -> bool {
        let mut used = Vec::new();
        client.threads.iter().flatten().all(|call| {
            let domain = &self.declared[usize::from(call.operation)].domain;
            let mut before = domain.iter().take_while(|value| **value != call.argument);
            let in_order = before.all(|value| used.contains(&value));
            used.push(&call.argument);
            in_order
        })
    }

    /// The client with its suffix.
    fn complete(&self, client: Client) -> Client {
        let after = suffix(self.spec, self.declared, &client);
        Client {
            after: after.expect("all calls were understood for the prefixes"),
            ..client
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::enumerate;
    use linspect_core::spec::Stack;
    use linspect_toy::objects;

    /// Every concurrent part with every prefix is there once, and smaller clients come before larger ones.
    #[test]
    fn every_part_meets_every_prefix() {
        let mut stack = objects::treiber();
        stack.declared[0].domain.truncate(2);
        let spec = Stack::default();
        let sizes = Sizes {
            threads: 3,
            operations: 3,
        };
        let family = ClientFamily::new(&spec, &stack.declared, sizes).expect("the stack has these");
        let all: Vec<Client> = family.clients().collect();
        let prefixes = prefixes(&spec, &stack.declared, PREFIX).expect("the stack has these");
        let parts = enumerate(&stack.declared, sizes).count();
        assert_eq!(all.len(), parts * prefixes.len());
        assert!(all.is_sorted_by_key(|c| (c.size(), c.threads.len())));
        let distinct: std::collections::BTreeSet<&Client> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        let pushes = |c: &&Client| c.threads.iter().flatten().any(|call| call.operation == 0);
        assert!(all.iter().filter(pushes).all(|c| !c.after.is_empty()));
        let small = all.iter().filter(|c| c.size() <= 3).count();
        assert_eq!(family.count(3, usize::MAX), small);
        assert_eq!(family.count(3, 5), 5);
    }
}
