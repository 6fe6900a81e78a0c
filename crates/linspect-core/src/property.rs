//! What makes an execution wrong.
//!
//! A property only sorts executions into good and bad. Exploration, minimisation, localisation, repair and explanation work for every
//! property, not only for linearizability.

use crate::check::{Arena, CallId, Monitor};
use crate::client::{Client, Declared, Invocation};
use crate::defect::Handed;
use crate::execution::{Activation, End, Ending, Step};
use crate::history::Outcome;
use crate::project::outcome;
use crate::spec::{Goods, HandOver, Spec, Unfit, caller};
use crate::value::Value;
use std::hash::Hash;

/// A property of executions of one client, judged while they happen.
pub trait Property {
    /// What must be remembered of a run so far. Two runs with equal watches and equal machines have the same future.
    type Watch: Clone + Eq + Hash;

    /// The watch of a run whose prefix (Ps) gave these results.
    fn start(&mut self, before: &[Ending]) -> Self::Watch;

    /// Goes on with `step`.
    fn observe(&mut self, watch: &mut Self::Watch, step: &Step);

    /// Whether a run so far is bad however it goes on.
    fn is_lost(&self, _watch: &Self::Watch) -> bool {
        false
    }

    /// Whether equivalent schedules can differ in it: whether the order of calls and returns counts, beyond what they return.
    fn sees_real_time(&self) -> bool {
        true
    }

    /// What is handed over in `step` from one thread to another through the object.
    fn hands(&mut self, _step: &Step) -> Hands {
        Hands::default()
    }

    /// How many permits whoever takes them finds there before any thread runs.
    fn stock(&self) -> u64 {
        0
    }

    /// Whether a run that ended so, with these results of its suffix (Pr), is good.
    fn holds(&mut self, watch: &Self::Watch, end: &End, after: &[Ending]) -> bool;
}

/// What is handed over in a step: whoever takes something out comes after whoever added it, so that what the one wrote before is there for the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hands {
    /// What the operation adds that is called in it.
    pub added: Option<Handed>,
    /// What the operation took out that returns in it.
    pub taken: Option<Handed>,
}

/// Linearizability of one client's executions with respect to a specification.
///
/// A run that deadlocks or has a fault is judged by what it returned: other properties speak of the rest.
pub struct Linearizable<'s, S: Spec> {
    arena: Arena<'s, S>,
    before: Vec<CallId>,
    threads: Vec<Vec<CallId>>,
    after: Vec<CallId>,
    declared: &'s [Declared],
    /// The operations of each thread, by number and as the specification understands them.
    operations: Vec<Vec<(u16, S::Call)>>,
    /// What the prefix (Ps) adds: who takes such a value out comes after that.
    added_before: Vec<Value>,
    /// The permits that the prefix leaves.
    stock: u64,
}

impl<'s, S: Spec> Linearizable<'s, S> {
    /// The property for `client`, whose operations are `declared`; an error names an operation that `spec` does not have.
    pub fn new(spec: &'s S, client: &Client, declared: &'s [Declared]) -> Result<Self, Unfit> {
        // What runs before and after the threads is done by somebody else.
        let nobody = client.threads.len() as u32;
        let operation = |process: u32, i: &Invocation| {
            let name = &declared[usize::from(i.operation)].name;
            let argument = caller(spec, process, &i.argument);
            Ok((i.operation, spec.call(name, &argument)?))
        };
        let operations = (0..).zip(&client.threads).map(|(process, calls)| {
            let calls = calls.iter().map(|call| operation(process, call));
            calls.collect()
        });
        let (mut added_before, mut stock) = (Vec::new(), spec.stock());
        for invocation in &client.before {
            let call = operation(nobody, invocation)?.1;
            match spec.hands_over(&call, &Outcome::Unknown) {
                HandOver::Adds(Goods::Value(value)) => added_before.push(value),
                HandOver::Adds(goods) => stock += goods.permits().unwrap_or(0),
                HandOver::Takes(goods) => {
                    stock = stock.saturating_sub(goods.permits().unwrap_or(0));
                }
                HandOver::Nothing => {}
            }
        }
        let operations = operations.collect::<Result<_, Unfit>>()?;
        let mut arena = Arena::new(spec);
        let mut calls = |process: u32, invocations: &[Invocation]| {
            let call = |i: &Invocation| {
                let name = &declared[usize::from(i.operation)].name;
                arena.call(name, &caller(spec, process, &i.argument))
            };
            invocations.iter().map(call).collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            before: calls(nobody, &client.before)?,
            threads: (0..)
                .zip(&client.threads)
                .map(|(process, t)| calls(process, t))
                .collect::<Result<_, _>>()?,
            after: calls(nobody, &client.after)?,
            arena,
            declared,
            operations,
            added_before,
            stock,
        })
    }

    /// What is called: as the client says, or as the step says of a program that decides itself. Nothing if the specification has no such call.
    fn call_of(&mut self, called: Activation, told: Option<&Invocation>) -> Option<CallId> {
        let Some(invocation) = told else {
            return Some(self.threads[usize::from(called.thread)][usize::from(called.index)]);
        };
        let name = &self.declared[usize::from(invocation.operation)].name;
        let process = u32::from(called.thread);
        let argument = caller(self.arena.spec(), process, &invocation.argument);
        self.arena.call(name, &argument).ok()
    }

    /// What an operation of the client, which ended so, hands over.
    fn handed(&self, called: Activation, outcome: &Outcome) -> Option<(u16, HandOver)> {
        let thread = self.operations.get(usize::from(called.thread))?;
        let (operation, call) = thread.get(usize::from(called.index))?;
        let spec = self.arena.spec();
        let outcome = spec.outcome(call, outcome).ok()?;
        Some((*operation, spec.hands_over(call, &outcome)))
    }

    /// One operation after the other, by a process of its own.
    fn sequentially(&mut self, monitor: &mut Monitor, calls: &[CallId], endings: &[Ending]) {
        let process = self.threads.len();
        for (call, ending) in calls.iter().zip(endings) {
            if monitor.is_empty() {
                return;
            }
            monitor.call(&mut self.arena, process, *call);
            self.ret(monitor, process, ending);
        }
    }

    fn ret(&mut self, monitor: &mut Monitor, process: usize, ending: &Ending) {
        if monitor.is_empty() {
            return;
        }
        let Outcome::Returned(result) = outcome(ending) else {
            unreachable!("an ending is a result");
        };
        // A result that no call of this kind ever has explains nothing either.
        if monitor.ret(&mut self.arena, process, &result).is_err() {
            monitor.refuse();
        }
    }
}

impl<S: Spec> Property for Linearizable<'_, S> {
    type Watch = Monitor;

    fn start(&mut self, before: &[Ending]) -> Monitor {
        let mut monitor = Monitor::new();
        let calls = std::mem::take(&mut self.before);
        self.sequentially(&mut monitor, &calls, before);
        self.before = calls;
        monitor
    }

    fn observe(&mut self, monitor: &mut Monitor, step: &Step) {
        if monitor.is_empty() {
            return;
        }
        if let Some(called) = step.called {
            match self.call_of(called, step.invocation.as_ref()) {
                Some(call) => monitor.call(&mut self.arena, usize::from(called.thread), call),
                None => monitor.refuse(),
            }
        }
        if let Some((returned, ending)) = &step.returned {
            self.ret(monitor, usize::from(returned.thread), ending);
        }
    }

    fn is_lost(&self, monitor: &Monitor) -> bool {
        monitor.is_empty()
    }

    fn hands(&mut self, step: &Step) -> Hands {
        // A program that decides itself what it calls says nothing about what its threads may rely on.
        if step.invocation.is_some() {
            return Hands::default();
        }
        let called = step
            .called
            .and_then(|id| self.handed(id, &Outcome::Pending));
        let returned = step.returned.as_ref();
        let returned = returned.and_then(|(id, ending)| self.handed(*id, &outcome(ending)));
        Hands {
            added: called.and_then(|(operation, hands)| match hands {
                HandOver::Adds(goods) => Some(Handed { operation, goods }),
                HandOver::Takes(_) | HandOver::Nothing => None,
            }),
            taken: returned.and_then(|(operation, hands)| match hands {
                HandOver::Takes(Goods::Value(value)) if self.added_before.contains(&value) => None,
                HandOver::Takes(goods) => Some(Handed { operation, goods }),
                HandOver::Adds(_) | HandOver::Nothing => None,
            }),
        }
    }

    fn stock(&self) -> u64 {
        self.stock
    }

    fn holds(&mut self, monitor: &Monitor, _end: &End, after: &[Ending]) -> bool {
        let mut monitor = monitor.clone();
        let calls = std::mem::take(&mut self.after);
        self.sequentially(&mut monitor, &calls, after);
        self.after = calls;
        !monitor.is_empty()
    }
}

/// No step has a fault, nothing deadlocks: what a plain program with assertions promises.
#[derive(Clone, Copy, Debug, Default)]
pub struct FaultFree;

impl Property for FaultFree {
    type Watch = ();

    fn start(&mut self, _before: &[Ending]) {}

    fn observe(&mut self, _watch: &mut (), _step: &Step) {}

    fn sees_real_time(&self) -> bool {
        false
    }

    fn holds(&mut self, _watch: &(), end: &End, _after: &[Ending]) -> bool {
        matches!(
            end,
            End::Complete | End::StepLimit | End::Cut | End::Covered
        )
    }
}
