//! Tries only tests that keep to what the harness allows: one without the `lock` of an `unlock` is no smaller test.

use super::{Assurance, StepOrder, Tester, Trial};
use linspect_core::client::{Client, Declared};
use linspect_core::execution::{Activation, Execution};
use linspect_explore::clients::is_allowed;

/// A tester to which tests that are not allowed never fail.
pub(super) struct Allowed<'a> {
    /// The operations and their limits; none if there are no limits to keep to.
    pub(super) declared: Option<&'a [Declared]>,
    pub(super) tester: &'a mut dyn Tester,
}

impl Allowed<'_> {
    fn allows(&self, client: &Client) -> bool {
        let mut declared = self.declared.iter();
        declared.all(|declared| is_allowed(client, declared))
    }
}

impl Tester for Allowed<'_> {
    fn is_out_of_budget(&self) -> bool {
        self.tester.is_out_of_budget()
    }

    fn imitate(&mut self, client: &Client, like: &StepOrder) -> Option<Execution> {
        if !self.allows(client) {
            return None;
        }
        self.tester.imitate(client, like)
    }

    fn sample(&mut self, client: &Client, like: &StepOrder) -> Option<Execution> {
        if !self.allows(client) {
            return None;
        }
        self.tester.sample(client, like)
    }

    fn witness(&mut self, client: &Client, execution: &Execution, steps: usize) -> Vec<Activation> {
        self.tester.witness(client, execution, steps)
    }

    fn test(&mut self, client: &Client, like: &StepOrder) -> Trial {
        if !self.allows(client) {
            return Trial::Clean(Assurance::Exhausted);
        }
        self.tester.test(client, like)
    }
}
