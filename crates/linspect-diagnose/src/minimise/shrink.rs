//! The order in which a test is made smaller: cheap attempts while it is large, all schedules when it is small.

use super::algorithm_1::{self, Failing};
use super::delete::{in_prefix, in_suffix, in_threads};
use super::{Assurance, CallPlace, MinimalTest, StepOrder, Tester, Trial, split};
use linspect_core::client::{Client, Declared};
use linspect_core::execution::{Activation, Execution};
use rustc_hash::FxHashSet;

/// The budget is used up: stop with what there is.
pub(super) struct OutOfBudget;

pub(super) type Progress<T> = Result<T, OutOfBudget>;

/// A prefix that takes long to thin.
const LONG_PREFIX: usize = 100;

/// A way to try a client that says nothing if it fails.
pub(super) type Attempt = fn(&mut dyn Tester, &Client, &StepOrder) -> Option<Execution>;

pub(crate) struct Shrinker<'a> {
    pub(super) declared: &'a [Declared],
    tester: &'a mut dyn Tester,
    /// The best test so far.
    pub(super) client: Client,
    /// A bad run of it.
    pub(super) execution: Execution,
    /// Its operations that cannot go.
    pub(super) needed: Vec<(CallPlace, Assurance)>,
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
        let imitate: Attempt = |tester, client, like| tester.imitate(client, like);
        let sample: Attempt = |tester, client, like| tester.sample(client, like);
        self.cool_down(sample)?;
        self.thin(in_threads, imitate)?;
        self.thin(in_suffix, imitate)?;
        if self.client.before.len() > LONG_PREFIX {
            self.rebuild_prefix(imitate)?;
        }
        self.thin(in_prefix, imitate)?;
        self.thin(in_threads, sample)?;
        self.delete_concurrent_pairs(sample)?;
        self.rebuild_prefix(sample)?;
        for part in [in_threads, in_suffix, in_prefix] {
            self.thin(part, sample)?;
        }
        self.delete_concurrent_pairs(sample)?;
        self.rebuild_threads(sample)?;
        while self.reveal_otherwise(sample)? {}
        loop {
            let size = self.size();
            self.halve_prefix()?;
            self.delete_each()?;
            self.delete_pairs()?;
            self.move_to_suffix()?;
            self.move_to_prefix()?;
            self.merge_threads()?;
            self.delete_concurrent_pairs(sample)?;
            self.rebuild_threads(sample)?;
            if self.size() == size {
                break;
            }
        }
        self.make_sequential()?;
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
    pub(super) fn attempt(
        &mut self,
        client: Client,
        like: &StepOrder,
    ) -> Progress<Option<Assurance>> {
        match self.tester.test(&client, like) {
            Trial::Bad(execution) => {
                self.take((client, *execution));
                Ok(None)
            }
            Trial::Clean(assurance) => Ok(Some(assurance)),
            Trial::OutOfBudget => Err(OutOfBudget),
        }
    }

    /// Takes `client` if one of the runs that are tried is bad.
    pub(super) fn glimpse(
        &mut self,
        (client, like): (Client, StepOrder),
        attempt: Attempt,
    ) -> Progress<bool> {
        if self.tester.is_out_of_budget() {
            return Err(OutOfBudget);
        }
        let bad = attempt(self.tester, &client, &like);
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
}
