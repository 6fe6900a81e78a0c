//! Deletes, moves and simplifies operations until nothing more can go.

use super::{Assurance, MinimalTest, Place, Tester, Trial, schedule, split};
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::execution::Execution;
use linspect_core::schedule::Schedule;
use linspect_core::value::Value;
use std::collections::BTreeSet;

/// Pairs are tried in prefixes of at most this length.
const MAX_PAIRED: usize = 16;

/// The budget is used up: stop with what there is.
struct OutOfBudget;

type Progress<T> = Result<T, OutOfBudget>;

pub(crate) struct Shrinker<'a> {
    declared: &'a [Declared],
    tester: &'a mut dyn Tester,
    client: Client,
    execution: Execution,
    needed: Vec<(Place, Assurance)>,
}

impl<'a> Shrinker<'a> {
    pub(crate) fn new(
        client: &Client,
        execution: &Execution,
        declared: &'a [Declared],
        tester: &'a mut dyn Tester,
    ) -> Self {
        Self {
            declared,
            tester,
            client: client.clone(),
            execution: execution.clone(),
            needed: Vec::new(),
        }
    }

    /// Shrinks as far as possible; whether it came to the end within the budget.
    pub(crate) fn minimise(&mut self) -> bool {
        self.run().is_ok()
    }

    pub(crate) fn finish(self, complete: bool) -> MinimalTest {
        MinimalTest {
            client: self.client,
            execution: self.execution,
            needed: self.needed,
            complete,
        }
    }

    fn run(&mut self) -> Progress<()> {
        self.drop_uncalled()?;
        self.split()?;
        loop {
            let size = self.size();
            self.halve_prefix()?;
            self.delete_each()?;
            self.delete_pairs()?;
            self.move_to_suffix()?;
            self.merge_threads()?;
            if self.size() == size {
                break;
            }
        }
        self.simplify_values()?;
        // The last round of deletions failed one by one: that is the certificate, for the values the test has now.
        self.delete_each()
    }

    /// Smaller is better: fewer concurrent operations, then fewer threads, then fewer operations at all.
    fn size(&self) -> (usize, usize, usize) {
        let concurrent = self.client.threads.iter().map(Vec::len).sum();
        let all = self.client.before.len() + self.client.after.len();
        (concurrent, self.client.threads.len(), all)
    }

    /// Takes `client` if it can fail.
    fn attempt(&mut self, client: Client, like: &Schedule) -> Progress<Option<Assurance>> {
        match self.tester.test(&client, like) {
            Trial::Bad(execution) => {
                self.client = client;
                self.execution = *execution;
                Ok(None)
            }
            Trial::Clean(assurance) => Ok(Some(assurance)),
            Trial::OutOfBudget => Err(OutOfBudget),
        }
    }

    /// Operations that the bad run never came to cannot matter.
    fn drop_uncalled(&mut self) -> Progress<()> {
        let called: BTreeSet<(usize, usize)> = self
            .execution
            .steps
            .iter()
            .filter_map(|s| s.called)
            .map(|a| (usize::from(a.thread), usize::from(a.index)))
            .collect();
        let all: usize = self.client.threads.iter().map(Vec::len).sum();
        if called.len() < all {
            let mut client = self.client.clone();
            let (client, like) = split::restrict(&mut client, &self.execution, |t, i| {
                called.contains(&(t, i))
            });
            self.attempt(client, &like)?;
        }
        Ok(())
    }

    fn split(&mut self) -> Progress<()> {
        for (client, like) in split::candidates(&self.client, &self.execution) {
            if self.attempt(client, &like)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Deletes long runs of the prefix at once: halves, quarters, …
    fn halve_prefix(&mut self) -> Progress<()> {
        let mut length = self.client.before.len() / 2;
        while length > 1 {
            let mut at = 0;
            while at < self.client.before.len() {
                let mut client = self.client.clone();
                let end = (at + length).min(client.before.len());
                client.before.drain(at..end);
                let like = schedule(&self.execution);
                if self.attempt(client, &like)?.is_some() {
                    at += length;
                }
            }
            length /= 2;
        }
        Ok(())
    }

    /// Deletes single operations; remembers why the others are needed.
    fn delete_each(&mut self) -> Progress<()> {
        self.needed.clear();
        let mut at = 0;
        while let Some(place) = self.places().get(at).copied() {
            let (client, like) = split::without(&self.client, &self.execution, place);
            match self.attempt(client, &like)? {
                // Everything before was tried with this operation present: once more from the start.
                None => {
                    self.needed.clear();
                    at = 0;
                }
                Some(assurance) => {
                    self.needed.push((place, assurance));
                    at += 1;
                }
            }
        }
        Ok(())
    }

    /// Deletes two operations of a short prefix at once: an insertion and its removal are only needed for one another.
    fn delete_pairs(&mut self) -> Progress<()> {
        let mut pairs = self.prefix_pairs();
        while let Some((first, second)) = pairs.pop() {
            let mut client = self.client.clone();
            client.before.remove(second);
            client.before.remove(first);
            let like = schedule(&self.execution);
            if self.attempt(client, &like)?.is_none() {
                pairs = self.prefix_pairs();
            }
        }
        Ok(())
    }

    fn prefix_pairs(&self) -> Vec<(usize, usize)> {
        let length = self.client.before.len();
        if length > MAX_PAIRED {
            return Vec::new();
        }
        (0..length)
            .flat_map(|a| (a + 1..length).map(move |b| (a, b)))
            .collect()
    }

    fn places(&self) -> Vec<Place> {
        let threads = self.client.threads.iter().enumerate();
        let threads = threads.flat_map(|(t, ops)| (0..ops.len()).map(move |i| Place::Thread(t, i)));
        let before = (0..self.client.before.len()).rev().map(Place::Before);
        let after = (0..self.client.after.len()).map(Place::After);
        threads.chain(after).chain(before).collect()
    }

    /// An operation at the end of a thread that need not be concurrent goes into the suffix.
    fn move_to_suffix(&mut self) -> Progress<()> {
        let mut thread = 0;
        while thread < self.client.threads.len() {
            let last = self.client.threads[thread].len() - 1;
            let operation = self.client.threads[thread][last].clone();
            let place = Place::Thread(thread, last);
            let (mut client, like) = split::without(&self.client, &self.execution, place);
            client.after.insert(0, operation);
            if self.client.threads.len() < 2 || self.attempt(client, &like)?.is_some() {
                thread += 1;
            }
        }
        Ok(())
    }

    /// Two threads whose operations can follow one another become one.
    fn merge_threads(&mut self) -> Progress<()> {
        let count = self.client.threads.len();
        for (first, second) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))) {
            if first == second || self.client.threads.len() < count || count < 3 {
                continue;
            }
            let mut client = self.client.clone();
            let moved = client.threads[second].clone();
            client.threads[first].extend(moved);
            client.threads.remove(second);
            self.attempt(client, &Schedule::default())?;
        }
        Ok(())
    }

    /// Replaces the arguments by the smallest of their domains, keeping which are equal and how they are ordered.
    fn simplify_values(&mut self) -> Progress<()> {
        let mut used: BTreeSet<Value> = BTreeSet::new();
        let mut domain: BTreeSet<Value> = BTreeSet::new();
        self.each_call(|call, declared| {
            used.insert(call.argument.clone());
            domain.extend(declared.domain.iter().cloned());
        });
        used.remove(&Value::Unit);
        domain.remove(&Value::Unit);
        let smaller: Vec<(Value, Value)> = used
            .into_iter()
            .zip(domain)
            .filter(|(a, b)| a != b)
            .collect();
        if smaller.is_empty() {
            return Ok(());
        }
        let mut client = self.client.clone();
        let calls = client
            .before
            .iter_mut()
            .chain(client.threads.iter_mut().flatten());
        for call in calls.chain(&mut client.after) {
            if let Some((_, new)) = smaller.iter().find(|(old, _)| *old == call.argument) {
                call.argument = new.clone();
            }
        }
        let mut fits = true;
        each_call(&client, self.declared, |call, declared| {
            fits &= declared.domain.contains(&call.argument);
        });
        if fits {
            let like = schedule(&self.execution);
            self.attempt(client, &like)?;
        }
        Ok(())
    }

    fn each_call(&self, each: impl FnMut(&Invocation, &Declared)) {
        each_call(&self.client, self.declared, each);
    }
}

fn each_call(client: &Client, declared: &[Declared], mut each: impl FnMut(&Invocation, &Declared)) {
    let calls = client.before.iter().chain(client.threads.iter().flatten());
    for call in calls.chain(&client.after) {
        each(call, &declared[usize::from(call.operation)]);
    }
}
