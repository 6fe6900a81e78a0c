//! Algorithm 1 of the paper: operations that had returned early become the sequential prefix.

use super::Place;
use linspect_core::client::Client;
use linspect_core::execution::{Activation, Execution};
use linspect_core::schedule::{Choice, Schedule, ThreadId};

/// The smallest and latest concurrent parts first: the client in which everything that returned before step `at` is done in the prefix,
/// for every step `at` at which this makes a difference.
pub(crate) fn candidates(client: &Client, execution: &Execution) -> Vec<(Client, Schedule)> {
    let returns: Vec<(usize, Activation)> = execution
        .steps
        .iter()
        .enumerate()
        .filter_map(|(at, step)| Some((at, step.returned.as_ref()?.0)))
        .collect();
    // The last return alone is never concurrent with anything: begin with two operations.
    let most = returns.len().saturating_sub(1);
    (1..most)
        .rev()
        .map(|done| {
            let gone: Vec<Activation> = returns[..done].iter().map(|r| r.1).collect();
            into_prefix(client, execution, &gone)
        })
        .collect()
}

/// The client with the operations `gone`, in that order, at the end of the prefix.
fn into_prefix(client: &Client, execution: &Execution, gone: &[Activation]) -> (Client, Schedule) {
    let mut changed = client.clone();
    let operation =
        |a: &Activation| client.threads[usize::from(a.thread)][usize::from(a.index)].clone();
    changed.before.extend(gone.iter().map(operation));
    let keep = |thread: usize, index: usize| {
        let activation = Activation {
            thread: ThreadId::try_from(thread).expect("few threads"),
            index: u16::try_from(index).expect("few operations"),
        };
        !gone.contains(&activation)
    };
    restrict(&mut changed, execution, keep)
}

/// Keeps the thread operations for which `keep` says so; gives the order of the steps that are left, for the threads that are left.
pub(crate) fn restrict(
    client: &mut Client,
    execution: &Execution,
    keep: impl Fn(usize, usize) -> bool,
) -> (Client, Schedule) {
    let mut number = Vec::new();
    let mut threads = Vec::new();
    for (t, operations) in client.threads.iter().enumerate() {
        let left: Vec<_> = operations
            .iter()
            .enumerate()
            .filter(|(i, _)| keep(t, *i))
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
            running[thread] = Some(usize::from(called.index));
        }
        if let (Some(index), Some(new)) = (running[thread], number[thread])
            && keep(thread, index)
        {
            order.push(Choice::of(ThreadId::try_from(new).expect("few threads")));
        }
    }
    client.threads = threads;
    (client.clone(), Schedule(order))
}

/// The client without the operation at `place`, and the order of the steps that are left.
pub(crate) fn without(client: &Client, execution: &Execution, place: Place) -> (Client, Schedule) {
    let mut changed = client.clone();
    match place {
        Place::Before(i) => {
            changed.before.remove(i);
        }
        Place::After(i) => {
            changed.after.remove(i);
        }
        Place::Thread(t, i) => {
            return restrict(&mut changed, execution, |thread, index| {
                (thread, index) != (t, i)
            });
        }
    }
    (changed, super::schedule(execution))
}
