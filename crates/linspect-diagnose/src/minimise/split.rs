//! Parts of clients: what is left of a client, and of the order of its steps, when operations leave it.

use super::CallPlace;
use super::order::StepOrder;
use linspect_core::client::Client;
use linspect_core::execution::{Activation, Execution};
use linspect_core::schedule::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};
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
) -> (Client, StepOrder) {
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
) -> (Client, StepOrder) {
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
    places: &[CallPlace],
) -> (Client, StepOrder) {
    let places: BTreeSet<CallPlace> = places.iter().copied().collect();
    let mut changed = client.clone();
    for at in (0..changed.before.len()).rev() {
        if places.contains(&CallPlace::Before(at)) {
            changed.remove_before(at);
        }
    }
    let mut at = 0..;
    changed
        .after
        .retain(|_| !places.contains(&CallPlace::After(at.next().expect("no end"))));
    restrict(changed, execution, |a| {
        !places.contains(&CallPlace::Thread(
            usize::from(a.thread),
            usize::from(a.index),
        ))
    })
}

/// Keeps the thread operations for which `keep` says so; gives the order of the steps that are left, for the threads that are left.
pub(crate) fn restrict(
    mut client: Client,
    execution: &Execution,
    keep: impl Fn(Activation) -> bool,
) -> (Client, StepOrder) {
    let mut becomes = FxHashMap::default();
    let (mut threads, mut gone) = (Vec::new(), Vec::new());
    for (t, operations) in client.threads.iter().enumerate() {
        let mut left = Vec::new();
        for (i, operation) in operations.iter().enumerate() {
            if keep(activation(t, i)) {
                becomes.insert(activation(t, i), activation(threads.len(), left.len()));
                left.push(operation.clone());
            }
        }
        if left.is_empty() {
            gone.push(t);
        } else {
            threads.push(left);
        }
    }
    client.threads = threads;
    for &thread in gone.iter().rev() {
        client.forget_thread(thread);
    }
    let order = StepOrder::project(execution, |a| becomes.get(&a).copied());
    (client, order)
}

/// The client in which thread `first` goes on with what thread `second` did.
pub(crate) fn merged(
    client: &Client,
    execution: &Execution,
    first: usize,
    second: usize,
) -> (Client, StepOrder) {
    let mut changed = client.clone();
    let moved = changed.threads.remove(second);
    changed.forget_thread(second);
    let place = first - usize::from(second < first);
    changed.threads[place].extend(moved);
    let order = StepOrder::project(execution, |a| {
        let (thread, index) = (usize::from(a.thread), usize::from(a.index));
        Some(if thread == second {
            activation(place, client.threads[first].len() + index)
        } else {
            activation(thread - usize::from(second < thread), index)
        })
    });
    (changed, order)
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
