//! Parts of clients: what is left of a client, and of the order of its steps, when operations leave it.

use super::Place;
use linspect_core::client::Client;
use linspect_core::execution::{Activation, Execution};
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The operations that returned, in that order, each with the number of steps up to its return.
pub(crate) fn returns(execution: &Execution) -> Vec<(usize, Activation)> {
    let steps = execution.steps.iter().enumerate();
    let returned = steps.filter_map(|(at, step)| Some((at + 1, step.returned.as_ref()?.0)));
    returned.collect()
}

/// The operations that were called, in that order.
pub(crate) fn calls(execution: &Execution) -> Vec<Activation> {
    execution.steps.iter().filter_map(|s| s.called).collect()
}

/// The client with the operations `gone`, in that order, at the end of the prefix.
pub(crate) fn into_prefix(
    client: &Client,
    execution: &Execution,
    gone: &[Activation],
) -> (Client, Schedule) {
    let mut changed = client.clone();
    changed
        .before
        .extend(gone.iter().map(|a| operation(client, *a).clone()));
    let gone: FxHashSet<Activation> = gone.iter().copied().collect();
    restrict(changed, execution, |a| !gone.contains(&a))
}

/// The client with the operations `gone`, in that order, at the beginning of the suffix.
pub(crate) fn into_suffix(
    client: &Client,
    execution: &Execution,
    gone: &[Activation],
) -> (Client, Schedule) {
    let mut changed = client.clone();
    let late = gone.iter().map(|a| operation(client, *a).clone());
    changed.after = late.chain(client.after.iter().cloned()).collect();
    let gone: FxHashSet<Activation> = gone.iter().copied().collect();
    restrict(changed, execution, |a| !gone.contains(&a))
}

/// The client without the operations at `places`, and the order of the steps that are left.
pub(crate) fn without(
    client: &Client,
    execution: &Execution,
    places: &[Place],
) -> (Client, Schedule) {
    let places: BTreeSet<Place> = places.iter().copied().collect();
    let mut changed = client.clone();
    let mut at = 0..;
    changed
        .before
        .retain(|_| !places.contains(&Place::Before(at.next().expect("no end"))));
    let mut at = 0..;
    changed
        .after
        .retain(|_| !places.contains(&Place::After(at.next().expect("no end"))));
    restrict(changed, execution, |a| {
        !places.contains(&Place::Thread(usize::from(a.thread), usize::from(a.index)))
    })
}

/// Keeps the thread operations for which `keep` says so; gives the order of the steps that are left, for the threads that are left.
pub(crate) fn restrict(
    mut client: Client,
    execution: &Execution,
    keep: impl Fn(Activation) -> bool,
) -> (Client, Schedule) {
    let mut number = Vec::new();
    let mut threads = Vec::new();
    for (t, operations) in client.threads.iter().enumerate() {
        let left: Vec<_> = operations
            .iter()
            .enumerate()
            .filter(|(i, _)| keep(activation(t, *i)))
            .map(|(_, operation)| operation.clone())
            .collect();
        number.push((!left.is_empty()).then_some(threads.len()));
        if !left.is_empty() {
            threads.push(left);
        }
    }
    let mut running = vec![None; client.threads.len()];
    let mut order = Vec::new();
    for step in &execution.steps {
        let thread = usize::from(step.choice.thread);
        // Threads that the operations started themselves keep their own order.
        if thread >= running.len() {
            continue;
        }
        if let Some(called) = step.called {
            running[thread] = Some(keep(called));
        }
        if let (Some(true), Some(new)) = (running[thread], number[thread]) {
            order.push(Choice::of(ThreadId::try_from(new).expect("few threads")));
        }
    }
    client.threads = threads;
    (client, Schedule(order))
}

/// Operation `index` of thread `thread`.
pub(crate) fn activation(thread: usize, index: usize) -> Activation {
    Activation {
        thread: ThreadId::try_from(thread).expect("few threads"),
        index: u16::try_from(index).expect("few operations"),
    }
}

fn operation(client: &Client, a: Activation) -> &linspect_core::client::Invocation {
    &client.threads[usize::from(a.thread)][usize::from(a.index)]
}
