//! Other ways to reveal what the concurrent operations triggered.

use super::delete::{MAX_PAIRED, in_suffix, in_threads};
use super::shrink::{Attempt, Progress, Shrinker};
use super::split;
use linspect_core::client::{Invocation, Limits};
use linspect_core::value::Value;
use std::collections::BTreeSet;

impl Shrinker<'_> {
    /// Deletes a concurrent operation that was only needed because of how the fault was revealed: another suffix may reveal it without.
    /// Any call that the test makes somewhere, and any other operation with the same argument, is worth a try.
    pub(super) fn reveal_otherwise(&mut self, attempt: Attempt) -> Progress<bool> {
        let concurrent = in_threads(&self.client);
        if !(3..=MAX_PAIRED).contains(&concurrent.len()) {
            return Ok(false);
        }
        let questions = self.calls_worth_trying();
        for place in concurrent {
            let (mut client, like) = split::without(&self.client, &self.execution, &[place]);
            client.after = questions.clone();
            if self.glimpse((client, like), attempt)? {
                self.thin(in_suffix, attempt)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Every operation with every argument that the concurrent operations and the suffix have.
    pub(super) fn calls_worth_trying(&self) -> Vec<Invocation> {
        let mut used = BTreeSet::from([Value::Unit]);
        let calls = self.client.threads.iter().flatten();
        used.extend(calls.chain(&self.client.after).map(|c| c.argument.clone()));
        let mut worth_trying = Vec::new();
        for (operation, declared) in (0..).zip(self.declared) {
            let may_call = declared.limits == Limits::default();
            let arguments = used
                .iter()
                .filter(|a| may_call && declared.domain.contains(a));
            worth_trying.extend(arguments.map(|argument| Invocation {
                operation,
                argument: argument.clone(),
            }));
        }
        worth_trying
    }
}
