//! Simple arguments instead of random ones.

use super::StepOrder;
use super::shrink::{Progress, Shrinker};
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::value::Value;
use std::collections::BTreeSet;

impl Shrinker<'_> {
    /// Replaces the arguments by the smallest of all domains, keeping which are equal and how they are ordered, where each operation that has an argument may be called with the other, too.
    pub(super) fn simplify_values(&mut self) -> Progress<()> {
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
            .filter(|(a, b)| a != b && self.may_be(a, b))
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
        let like = StepOrder::of(&self.execution);
        self.attempt(client, &like)?;
        Ok(())
    }

    /// Whether whoever is called with `old` may be called with `new`.
    fn may_be(&self, old: &Value, new: &Value) -> bool {
        let mut may = true;
        self.each_call(|call, declared| {
            may &= call.argument != *old || declared.domain.contains(new);
        });
        may
    }

    pub(super) fn each_call(&self, each: impl FnMut(&Invocation, &Declared)) {
        each_call(&self.client, self.declared, each);
    }
}

fn each_call(client: &Client, declared: &[Declared], mut each: impl FnMut(&Invocation, &Declared)) {
    let calls = client.before.iter().chain(client.threads.iter().flatten());
    for call in calls.chain(&client.after) {
        each(call, &declared[usize::from(call.operation)]);
    }
}
