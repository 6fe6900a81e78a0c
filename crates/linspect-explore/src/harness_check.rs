//! Whether a harness can be tested at all: its operations alone, right after the object is built.
//!
//! What goes wrong here is wrong with the description of the object, so that it is never mistaken for a violation.

use crate::alone;
use linspect_core::client::{Client, Invocation};
use linspect_core::execution::{Ending, Fault};
use linspect_core::history::Outcome;
use linspect_core::machine::{Machine, StartError, Subject};
use linspect_core::project::outcome;
use linspect_core::schedule::ThreadId;
use linspect_core::spec::{Spec, Unfit, caller};
use linspect_core::value::Value;

/// What is wrong with a harness.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HarnessFlaw {
    /// The object cannot be built.
    #[error("the object's constructor failed: {}", .0.message)]
    Constructor(Fault),
    /// Every operation fails on a new object.
    #[error("no operation works on a new object; {call}: {}", .fault.message)]
    NothingWorks {
        /// The first that was tried.
        call: String,
        /// How it failed.
        fault: Fault,
    },
    /// Every operation waits for ever on a new object.
    #[error("every operation waits for ever on a new object, {call} too")]
    NothingReturns {
        /// The first that was tried.
        call: String,
    },
    /// An operation alone returns sometimes this, sometimes that.
    #[error(
        "{call}{} is not deterministic: nobody else runs, and it returned {first} once and {second} another time", after(.before)
    )]
    Nondeterministic {
        /// The operation before it, if any.
        before: Option<String>,
        /// The operation.
        call: String,
        /// What it returned.
        first: String,
        /// What it returned with other random numbers, another time and other addresses.
        second: String,
    },
    /// An operation that may fail beside others fails alone.
    #[error("{call}{} returned {found}, although nobody else runs: it may fail only beside others", after(.before))]
    FailsAlone {
        /// The operation before it, if any.
        before: Option<String>,
        /// The operation.
        call: String,
        /// What it returned.
        found: Value,
    },
    /// The owner of a lock waits for itself.
    #[error("{call} after {before} waits for ever, although {spec} lets its owner go on")]
    WaitsForItself {
        /// The specification.
        spec: String,
        /// The operation before it.
        before: String,
        /// The operation.
        call: String,
    },
    /// The specification does not have an operation, or not with such a result.
    #[error("the specification does not fit the harness: {0}")]
    Unfit(#[from] Unfit),
    /// A new object gives something where the specification has nothing to give.
    #[error("{call} returned {found} from a new object, where {spec} has nothing to give")]
    NotEmpty {
        /// The specification.
        spec: String,
        /// The operation.
        call: String,
        /// What it returned.
        found: Value,
    },
}

fn after(before: &Option<String>) -> String {
    before
        .as_ref()
        .map_or_else(String::new, |call| format!(" after {call}"))
}

/// Tries every operation of `subject` alone on a new object.
pub fn inspect<S: Subject>(subject: &S) -> Result<(), HarnessFlaw> {
    let calls = calls(subject);
    let (mut failed, mut waits) = (Vec::new(), Vec::new());
    for call in &calls {
        match run(subject, std::slice::from_ref(call)) {
            Ok(_) => {}
            Err(StartError::Constructor(fault)) => return Err(HarnessFlaw::Constructor(fault)),
            Err(StartError::Prefix { fault, .. }) => failed.push((show(subject, call), fault)),
            Err(StartError::PrefixBlocks { .. }) => waits.push(show(subject, call)),
        }
    }
    if failed.len() == calls.len()
        && let Some((call, fault)) = failed.into_iter().next()
    {
        return Err(HarnessFlaw::NothingWorks { call, fault });
    }
    if waits.len() == calls.len()
        && meeting(subject) == 1
        && let Some(call) = waits.into_iter().next()
    {
        return Err(HarnessFlaw::NothingReturns { call });
    }
    Ok(())
}

/// So many operations meet at most, as far as anybody looks: clients rarely have more threads.
pub(crate) const MEET: usize = 4;
/// So many meetings are tried to find out whether there are some.
const MEETINGS: usize = 300;

/// How many operations wait for each other and then return together, at most, on a new object or after one operation: 1 if none do.
pub(crate) fn meeting<S: Subject>(subject: &S) -> usize {
    let calls = calls(subject);
    let before = std::iter::once(Vec::new()).chain(calls.iter().map(|call| vec![call.clone()]));
    let mut left = MEETINGS;
    let mut most = 1;
    for before in before {
        let waits = |call: &&Invocation| {
            let sequence = [&before[..], std::slice::from_ref(*call)].concat();
            matches!(run(subject, &sequence), Err(StartError::PrefixBlocks { index }) if index == before.len())
        };
        let waiting: Vec<&Invocation> = calls.iter().filter(waits).collect();
        if waiting.is_empty() {
            continue;
        }
        // Of more than two all wait.
        for size in 2..=MEET {
            let beside = if size == 2 {
                calls.iter().collect()
            } else {
                waiting.clone()
            };
            let mut sets: Vec<Vec<&Invocation>> = waiting.iter().map(|&call| vec![call]).collect();
            for _ in 1..size {
                let longer = sets.iter().flat_map(|set| {
                    let next = beside.iter().map(|&next| [&set[..], &[next]].concat());
                    next.collect::<Vec<_>>()
                });
                sets = longer.take(MEETINGS).collect();
            }
            for set in sets {
                if left == 0 || size <= most {
                    break;
                }
                left -= 1;
                if meets(subject, &before, &set) {
                    most = size;
                }
            }
        }
    }
    most
}

/// Whether these calls, each by a thread of its own, all return after `before`, if they come in this order.
fn meets<S: Subject>(subject: &S, before: &[Invocation], calls: &[&Invocation]) -> bool {
    let client = Client {
        before: before.to_vec(),
        threads: calls.iter().map(|&call| vec![call.clone()]).collect(),
        ..Client::default()
    };
    let threads: Vec<ThreadId> = (0..calls.len() as ThreadId).collect();
    let machine = subject.start(&client);
    machine.is_ok_and(|mut machine| alone::together(&mut machine, calls.len(), &threads).is_some())
}

/// How many pairs of operations are compared.
const PAIRS: usize = 400;

/// Compares what operations return alone, and one after another, in `subject` and in `others`: the same program with other random numbers, at
/// another time, with other addresses.
pub fn is_deterministic<S: Subject>(subject: &S, others: &[S]) -> Result<(), HarnessFlaw> {
    let calls = calls(subject);
    let alone = calls.iter().map(|call| vec![call.clone()]);
    let pairs = calls
        .iter()
        .flat_map(|a| calls.iter().map(|b| vec![a.clone(), b.clone()]))
        .take(PAIRS);
    // What does not return alone takes long to say so, and nothing comes after it.
    let mut never: Vec<Invocation> = Vec::new();
    for sequence in alone.chain(pairs) {
        if never.contains(&sequence[0]) {
            continue;
        }
        let Ok(first) = run(subject, &sequence) else {
            never.extend((sequence.len() == 1).then(|| sequence[0].clone()));
            continue;
        };
        for other in others {
            let Ok(second) = run(other, &sequence) else {
                continue;
            };
            let differs = first.iter().zip(&second).position(|(a, b)| a != b);
            if let Some(at) = differs {
                let before = at.checked_sub(1).map(|i| show(subject, &sequence[i]));
                return Err(HarnessFlaw::Nondeterministic {
                    before,
                    call: show(subject, &sequence[at]),
                    first: told(&first[at]),
                    second: told(&second[at]),
                });
            }
        }
    }
    Ok(())
}

/// Compares what each operation returns from a new object with what `spec` has to say.
pub fn fits<S: Subject, P: Spec>(subject: &S, spec: &P) -> Result<(), HarnessFlaw> {
    for invocation in calls(subject) {
        let name = &subject.operations()[usize::from(invocation.operation)].name;
        let call = spec.call(name, &caller(spec, 0, &invocation.argument))?;
        let Ok(endings) = run(subject, std::slice::from_ref(&invocation)) else {
            continue;
        };
        let Some(Ending::Returned(found)) = endings.first() else {
            continue;
        };
        let Outcome::Returned(result) = spec.outcome(&call, &Outcome::Returned(found.clone()))?
        else {
            continue;
        };
        let mut allowed = Vec::new();
        spec.outcomes(&spec.initial(), &call, &mut |result, _| {
            allowed.push(result);
        });
        if allowed == [Value::Nil] && matches!(result, Value::Int(_)) {
            return Err(HarnessFlaw::NotEmpty {
                spec: spec.name().to_owned(),
                call: show(subject, &invocation),
                found: found.clone(),
            });
        }
    }
    Ok(())
}

/// Whether an owner whom `spec` lets go on waits for itself: somebody who locks a recursive lock again.
pub fn waits_for_itself<S: Subject, P: Spec>(subject: &S, spec: &P) -> Result<(), HarnessFlaw> {
    if !spec.asks_who() {
        return Ok(());
    }
    let calls = calls(subject);
    let pairs = calls.iter().flat_map(|a| calls.iter().map(move |b| [a, b]));
    for [first, second] in pairs.take(PAIRS) {
        let sequence = [first.clone(), second.clone()];
        if !matches!(
            run(subject, &sequence),
            Err(StartError::PrefixBlocks { index: 1 })
        ) {
            continue;
        }
        let mut states = vec![spec.initial()];
        for call in [first, second] {
            let name = &subject.operations()[usize::from(call.operation)].name;
            let call = spec.call(name, &caller(spec, 0, &call.argument))?;
            let mut next = Vec::new();
            for state in &states {
                spec.outcomes(state, &call, &mut |result, state| {
                    // Whoever is refused may as well wait.
                    next.extend((result != Value::Bool(false)).then_some(state));
                });
            }
            states = next;
        }
        if !states.is_empty() {
            return Err(HarnessFlaw::WaitsForItself {
                spec: spec.name().to_owned(),
                before: show(subject, first),
                call: show(subject, second),
            });
        }
    }
    Ok(())
}

/// Asks those operations that may fail beside others whether they do what `spec` says when they are alone: on a new object, and after each other operation.
pub fn fails_alone<S: Subject, P: Spec>(subject: &S, spec: &P) -> Result<(), HarnessFlaw> {
    let calls = calls(subject);
    let operation = |call: &Invocation| &subject.operations()[usize::from(call.operation)];
    for last in calls
        .iter()
        .filter(|call| operation(call).limits.may_fail.is_some())
    {
        let alone = std::iter::once(vec![last.clone()]);
        let pairs = calls.iter().map(|first| vec![first.clone(), last.clone()]);
        for sequence in alone.chain(pairs) {
            let Ok(endings) = run(subject, &sequence) else {
                continue;
            };
            let mut states = vec![spec.initial()];
            for (at, (invocation, ending)) in sequence.iter().zip(&endings).enumerate() {
                let argument = caller(spec, 0, &invocation.argument);
                let call = spec.call(&operation(invocation).name, &argument)?;
                let said = outcome(ending);
                let mut next = Vec::new();
                // What the specification never returns it does not return here either.
                if let Ok(said) = spec.outcome(&call, &said) {
                    for state in &states {
                        spec.successors(state, &call, &said, &mut |state| next.push(state));
                    }
                }
                if next.is_empty()
                    && at + 1 == sequence.len()
                    && let Outcome::Returned(found) = said
                {
                    let before = at.checked_sub(1).map(|i| show(subject, &sequence[i]));
                    return Err(HarnessFlaw::FailsAlone {
                        before,
                        call: show(subject, last),
                        found,
                    });
                }
                states = next;
                if states.is_empty() {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Every operation with every argument.
pub(crate) fn calls<S: Subject>(subject: &S) -> Vec<Invocation> {
    let operations = (0..).zip(subject.operations());
    operations
        .flat_map(|(operation, declared)| {
            let call = move |argument: &Value| Invocation {
                operation,
                argument: argument.clone(),
            };
            declared.domain.iter().map(call)
        })
        .collect()
}

/// Runs `sequence` on a new object.
fn run<S: Subject>(subject: &S, sequence: &[Invocation]) -> Result<Vec<Ending>, StartError> {
    let client = Client {
        before: sequence.to_vec(),
        ..Client::default()
    };
    Ok(subject.start(&client)?.prefix().to_vec())
}

fn show<S: Subject>(subject: &S, call: &Invocation) -> String {
    let name = &subject.operations()[usize::from(call.operation)].name;
    let items = call.argument.items();
    let items: Vec<String> = items.iter().map(Value::to_string).collect();
    format!("{name}({})", items.join(", "))
}

fn told(ending: &Ending) -> String {
    match outcome(ending) {
        Outcome::Returned(value) => value.to_string(),
        _ => "nothing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::spec::{Queue, Stack};
    use linspect_toy::objects;

    #[test]
    fn a_stack_is_no_queue_and_needs_no_mending() {
        let stack = objects::treiber();
        assert_eq!(inspect(&stack), Ok(()));
        assert_eq!(is_deterministic(&stack, &[objects::treiber()]), Ok(()));
        assert_eq!(fits(&stack, &Stack::default()), Ok(()));
        let counter = linspect_core::spec::Counter::default();
        let flaw = fits(&stack, &counter).expect_err("a stack is no counter");
        assert!(matches!(flaw, HarnessFlaw::Unfit(_)), "{flaw}");
        // Both push and pop: what a queue does beyond one operation is for the search to find out.
        assert_eq!(fits(&stack, &Queue::default()), Ok(()));
    }
}
