//! Deletes, moves and simplifies operations until nothing more can go.

use super::algorithm_1::{self, Failing};
use super::{Assurance, MinimalTest, Place, Tester, Trial, schedule, split};
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::execution::{Activation, Execution};
use linspect_core::schedule::Schedule;
use linspect_core::value::Value;
use rustc_hash::FxHashSet;
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
        self.drop_uncalled();
        self.algorithm_1()?;
        for part in [in_threads, in_suffix, in_prefix] {
            self.thin(part)?;
        }
        loop {
            let size = self.size();
            self.halve_prefix()?;
            self.delete_each()?;
            self.delete_pairs()?;
            self.move_to_suffix()?;
            self.move_to_prefix()?;
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
                self.take((client, *execution));
                Ok(None)
            }
            Trial::Clean(assurance) => Ok(Some(assurance)),
            Trial::OutOfBudget => Err(OutOfBudget),
        }
    }

    /// Takes `client` if the run in the order of `like` is bad.
    fn imitate(&mut self, (client, like): (Client, Schedule)) -> Progress<bool> {
        if self.tester.is_out_of_budget() {
            return Err(OutOfBudget);
        }
        let bad = self.tester.imitate(&client, &like);
        let taken = bad.is_some();
        if let Some(execution) = bad {
            self.take((client, execution));
        }
        Ok(taken)
    }

    fn take(&mut self, (client, execution): Failing) {
        self.client = client;
        self.execution = execution;
    }

    fn failing(&self) -> Failing {
        (self.client.clone(), self.execution.clone())
    }

    /// Operations that the bad run never came to cannot matter. Done whatever the budget: from now on the run is one to its end.
    fn drop_uncalled(&mut self) {
        let called: FxHashSet<Activation> = split::calls(&self.execution).into_iter().collect();
        let (client, like) = split::restrict(self.client.clone(), &self.execution, |a| {
            called.contains(&a)
        });
        if let Some(execution) = self.tester.imitate(&client, &like) {
            self.take((client, execution));
        }
    }

    /// Algorithm 1.
    fn algorithm_1(&mut self) -> Progress<()> {
        for part in [algorithm_1::prefix, algorithm_1::suffix] {
            if self.tester.is_out_of_budget() {
                return Err(OutOfBudget);
            }
            if let Some(smaller) = part(&self.failing(), self.tester) {
                self.take(smaller);
            }
        }
        Ok(())
    }

    /// Deletes many operations at once, then fewer and fewer, as long as the run without them is bad (after Zeller and Hildebrandt, "Simplifying
    /// and Isolating Failure-Inducing Input", 2002).
    fn thin(&mut self, part: fn(&Client) -> Vec<Place>) -> Progress<()> {
        let mut length = part(&self.client).len().div_ceil(2);
        while length > 0 {
            let mut at = 0;
            loop {
                let places = part(&self.client);
                let Some(chunk) = places.get(at..places.len().min(at + length)) else {
                    break;
                };
                if chunk.is_empty() {
                    break;
                }
                let smaller = split::without(&self.client, &self.execution, chunk);
                if !self.imitate(smaller)? {
                    at += length;
                }
            }
            length /= 2;
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

    /// Deletes single operations until none can go; remembers why.
    fn delete_each(&mut self) -> Progress<()> {
        loop {
            self.needed.clear();
            let mut deleted = false;
            let mut at = 0;
            while let Some(place) = self.places().get(at).copied() {
                let (client, like) = split::without(&self.client, &self.execution, &[place]);
                match self.attempt(client, &like)? {
                    None => deleted = true,
                    Some(assurance) => {
                        self.needed.push((place, assurance));
                        at += 1;
                    }
                }
            }
            // What was tried before a deletion was tried with that operation present: once more.
            if !deleted {
                return Ok(());
            }
        }
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
        let mut places = in_threads(&self.client);
        places.extend(in_suffix(&self.client));
        places.extend(in_prefix(&self.client));
        places
    }

    /// An operation at the end of a thread that need not be concurrent goes into the suffix.
    fn move_to_suffix(&mut self) -> Progress<()> {
        let mut thread = 0;
        while thread < self.client.threads.len() {
            let last = self.client.threads[thread].len() - 1;
            let operation = self.client.threads[thread][last].clone();
            let place = Place::Thread(thread, last);
            let (mut client, like) = split::without(&self.client, &self.execution, &[place]);
            client.after.insert(0, operation);
            if self.client.threads.len() < 2 || self.attempt(client, &like)?.is_some() {
                thread += 1;
            }
        }
        Ok(())
    }

    /// An operation at the beginning of a thread that need not be concurrent goes into the prefix.
    fn move_to_prefix(&mut self) -> Progress<()> {
        let mut thread = 0;
        while thread < self.client.threads.len() {
            let operation = self.client.threads[thread][0].clone();
            let place = Place::Thread(thread, 0);
            let (mut client, like) = split::without(&self.client, &self.execution, &[place]);
            client.before.push(operation);
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
        domain.extend(used.iter().cloned());
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
        let like = schedule(&self.execution);
        self.attempt(client, &like)?;
        Ok(())
    }

    fn each_call(&self, each: impl FnMut(&Invocation, &Declared)) {
        each_call(&self.client, self.declared, each);
    }
}

/// The operations of the threads.
fn in_threads(client: &Client) -> Vec<Place> {
    let threads = client.threads.iter().enumerate();
    let places = threads.flat_map(|(t, ops)| (0..ops.len()).map(move |i| Place::Thread(t, i)));
    places.collect()
}

/// The operations of the prefix, the last first.
fn in_prefix(client: &Client) -> Vec<Place> {
    (0..client.before.len()).rev().map(Place::Before).collect()
}

/// The operations of the suffix.
fn in_suffix(client: &Client) -> Vec<Place> {
    (0..client.after.len()).map(Place::After).collect()
}

fn each_call(client: &Client, declared: &[Declared], mut each: impl FnMut(&Invocation, &Declared)) {
    let calls = client.before.iter().chain(client.threads.iter().flatten());
    for call in calls.chain(&client.after) {
        each(call, &declared[usize::from(call.operation)]);
    }
}
