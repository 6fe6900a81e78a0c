//! From what a run did to what its clients saw: the tight history of an execution.
//!
//! The prefix Ps comes first, one operation after the other, then the threads' operations with the real time of
//! their steps, then the suffix Pr. See [`crate::execution`] for why this order is the strongest one.

use crate::client::{Client, Declared, Invocation};
use crate::execution::{Activation, End, Ending, Execution, STEP_TIME};
use crate::history::{History, NEVER, OpId, Operation, Outcome, Time};
use crate::value::Value;

/// Where in a client an operation of a history comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CallOrigin {
    /// This operation of the prefix.
    Before(usize),
    /// This operation of a thread.
    Thread(Activation),
    /// This operation of the suffix.
    After(usize),
}

/// A history, and where its operations come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projection {
    /// What the clients saw.
    pub history: History,
    /// Per operation of the history, its place in the client.
    pub origins: Vec<CallOrigin>,
}

impl Projection {
    /// The operation of the history that `origin` became, if it was called.
    pub fn operation(&self, origin: CallOrigin) -> Option<OpId> {
        let at = self.origins.iter().position(|o| *o == origin)?;
        OpId::try_from(at).ok()
    }
}

/// The tight history of `execution`, a run of `client` on an object that declares these operations.
///
/// Prefix and suffix are the work of one further process, numbered after the threads, but for what threads do to warm up.
///
/// # Panics
/// If the execution is not one of this client.
pub fn project(execution: &Execution, client: &Client, declared: &[Declared]) -> Projection {
    let mut projector = Projector {
        declared,
        projection: Projection {
            history: History::new(),
            origins: Vec::new(),
        },
    };
    for operation in declared {
        projector.projection.history.method(&operation.name);
    }
    let main = u32::try_from(client.threads.len()).expect("a client has fewer than 2^32 threads");
    let mut now: Time = STEP_TIME;
    for (index, (invocation, ending)) in client.before.iter().zip(&execution.before).enumerate() {
        let process = client.warms_up(index).map_or(main, u32::from);
        projector.add(
            CallOrigin::Before(index),
            process,
            invocation,
            now,
            Some(ending),
        );
        now += STEP_TIME;
    }
    for step in &execution.steps {
        if let Some(called) = step.called {
            let invocation = step.invocation.as_ref().unwrap_or_else(|| {
                &client.threads[usize::from(called.thread)][usize::from(called.index)]
            });
            let process = u32::from(called.thread);
            projector.add(CallOrigin::Thread(called), process, invocation, now, None);
        }
        if let Some((returned, ending)) = &step.returned {
            let id = projector
                .projection
                .operation(CallOrigin::Thread(*returned))
                .expect("what returns was called");
            let operation = &mut projector.projection.history.operations[id as usize];
            operation.ret = now + 1;
            operation.outcome = outcome(ending);
        }
        now += STEP_TIME;
    }
    for (index, (invocation, ending)) in client.after.iter().zip(&execution.after).enumerate() {
        projector.add(
            CallOrigin::After(index),
            main,
            invocation,
            now,
            Some(ending),
        );
        now += STEP_TIME;
    }
    // What went wrong in the suffix was called, too, though nobody knows how far it came.
    if matches!(execution.end, End::Suffix(_)) {
        let known = execution.after.len();
        for (index, invocation) in client.after.iter().enumerate().skip(known) {
            projector.add(CallOrigin::After(index), main, invocation, now, None);
            now += STEP_TIME;
        }
    }
    // Who waits for ever at its first step has called, too.
    for &thread in execution.end.waiting() {
        let calls = execution.steps.iter().filter_map(|s| s.called);
        let index = calls.filter(|c| c.thread == thread).count();
        let returns = execution.steps.iter().filter_map(|s| s.returned.as_ref());
        let is_idle = returns.filter(|(r, _)| r.thread == thread).count() == index;
        let next = client.threads.get(usize::from(thread));
        if let Some(invocation) = next.and_then(|calls| calls.get(index)).filter(|_| is_idle) {
            let index = u16::try_from(index).expect("a thread calls fewer than 2^16 operations");
            let called = CallOrigin::Thread(Activation { thread, index });
            projector.add(called, u32::from(thread), invocation, now, None);
        }
    }
    projector.projection
}

/// What a history says of an ending. An operation that threw returned `["threw", message]`, which no specification allows
/// unless it was written for it.
pub fn outcome(ending: &Ending) -> Outcome {
    Outcome::Returned(match ending {
        Ending::Returned(value) => value.clone(),
        Ending::Threw(message) => Value::list([Value::text("threw"), Value::text(message)]),
    })
}

struct Projector<'a> {
    declared: &'a [Declared],
    projection: Projection,
}

impl Projector<'_> {
    fn add(
        &mut self,
        origin: CallOrigin,
        process: u32,
        invocation: &Invocation,
        call: Time,
        ending: Option<&Ending>,
    ) {
        let name = &self.declared[usize::from(invocation.operation)].name;
        let method = self.projection.history.method(name);
        self.projection.history.operations.push(Operation {
            process,
            method,
            argument: invocation.argument.clone(),
            outcome: ending.map_or(Outcome::Pending, outcome),
            call,
            ret: ending.map_or(NEVER, |_| call + 1),
        });
        self.projection.origins.push(origin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Limits;
    use crate::execution::{Fault, FaultKind, Step};
    use crate::schedule::Choice;

    fn step(thread: u16, called: Option<u16>, returned: Option<(u16, i64)>) -> Step {
        Step {
            choice: Choice::of(thread),
            called: called.map(|index| Activation { thread, index }),
            invocation: None,
            accesses: Default::default(),
            returned: returned.map(|(index, value)| {
                (
                    Activation { thread, index },
                    Ending::Returned(Value::Int(value)),
                )
            }),
            other: None,
            fault: None,
            aside: crate::execution::Aside::default(),
        }
    }

    #[test]
    fn returns_precede_the_calls_of_later_steps_only() {
        let declared = [Declared {
            name: "f".into(),
            domain: vec![Value::Unit],
            limits: Limits::default(),
        }];
        let call = || Invocation {
            operation: 0,
            argument: Value::Unit,
        };
        let client = Client {
            before: vec![call()],
            threads: vec![vec![call(), call()], vec![call()], vec![call()]],
            ..Client::default()
        };
        let execution = Execution {
            before: vec![Ending::Returned(Value::Int(0))],
            steps: vec![
                step(0, Some(0), Some((0, 1))),
                step(1, Some(0), None),
                step(0, Some(1), Some((1, 3))),
                step(2, Some(0), None),
                step(1, None, Some((0, 2))),
            ],
            after: vec![],
            end: End::Cut,
        };
        let projection = project(&execution, &client, &declared);
        let shown: Vec<String> = (0..5)
            .map(|id| {
                let op = &projection.history.operations[id as usize];
                let ret = if op.ret == NEVER { 0 } else { op.ret };
                format!(
                    "{} {}-{ret} {}",
                    op.process,
                    op.call,
                    projection.history.show(id)
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "3 2-3 f() → 0",
                "0 4-5 f() → 1",
                "1 6-13 f() → 2",
                "0 8-9 f() → 3",
                "2 10-0 f() … never returned",
            ]
        );
        let last = CallOrigin::Thread(Activation {
            thread: 2,
            index: 0,
        });
        assert_eq!(projection.operation(last), Some(4));
    }

    #[test]
    fn calls_of_a_suffix_that_goes_wrong_are_pending() {
        let declared = [Declared {
            name: "f".into(),
            domain: vec![Value::Unit],
            limits: Limits::default(),
        }];
        let call = || Invocation {
            operation: 0,
            argument: Value::Unit,
        };
        let client = Client {
            threads: vec![vec![call()]],
            after: vec![call()],
            ..Client::default()
        };
        let run = |end| Execution {
            before: vec![],
            steps: vec![step(0, Some(0), Some((0, 1)))],
            after: vec![],
            end,
        };
        let fault = Fault {
            kind: FaultKind::BadFree,
            message: "freed twice".into(),
            site: 0,
            related: None,
        };
        let wrong = project(&run(End::Suffix(fault)), &client, &declared);
        let threads = CallOrigin::Thread(Activation {
            thread: 0,
            index: 0,
        });
        assert_eq!(wrong.origins, [threads, CallOrigin::After(0)]);
        assert_eq!(wrong.history.operations[1].outcome, Outcome::Pending);
        let cut = project(&run(End::Cut), &client, &declared);
        assert_eq!(cut.origins, [threads]);
    }
}
