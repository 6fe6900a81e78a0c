//! A specification that is a program: what an object does when its operations run one after the other.
//!
//! With the object itself this needs no specification at all (phase 1 of Round-Up; Burckhardt, Dern, Musuvathi, Tan:
//! "Line-Up: A Complete and Automatic Linearizability Checker", PLDI 2010). With another subject it is a golden model, such as
//! a plain list, or the same object with its relaxation turned off.
//!
//! An object may have threads of its own that do its work. What they have to do when an operation is called they may have done, or not.

use crate::alone::{self, Alone};
use linspect_core::client::{Client, Invocation};
use linspect_core::execution::Ending;
use linspect_core::machine::{Machine, Subject};
use linspect_core::project::outcome;
use linspect_core::spec::{Spec, Unfit};
use linspect_core::value::Value;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The sequential behaviour of a subject.
///
/// A state is what the machine is in after some sequence of calls; each is reached once and then known by a number.
pub struct SubjectSpec<'a, S: Subject> {
    subject: &'a S,
    name: &'static str,
    /// Whether the object has threads of its own.
    works: bool,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// Per state, a sequence of calls that leads to it.
    sequences: Vec<Vec<Turn>>,
    /// States by what the machine says of itself.
    states: FxHashMap<u128, u32>,
    /// What each call did in each state; nothing if it did not end.
    steps: FxHashMap<(u32, Invocation), Vec<(Value, u32)>>,
}

/// A call, and whether the object's own threads have done what they had to do before it.
#[derive(Clone)]
struct Turn {
    call: Invocation,
    settled: bool,
}

impl<'a, S: Subject> SubjectSpec<'a, S> {
    /// The sequential behaviour of `subject`.
    pub fn new(subject: &'a S) -> Self {
        Self::named(subject, "sequential execution")
    }

    /// The same, called `name` in reports.
    pub fn named(subject: &'a S, name: &'static str) -> Self {
        Self {
            subject,
            name,
            works: works(subject),
            known: Mutex::new(Known {
                sequences: vec![Vec::new()],
                ..Known::default()
            }),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A state as the subject prints it.
    fn printed(&self, state: u32) -> Option<String> {
        let sequence = self.known().sequences[state as usize].clone();
        self.after(&sequence)?.0.show()
    }

    /// Runs `call` after the sequence of `state`.
    fn run(&self, state: u32, call: &Invocation, settled: bool) -> Option<(Value, u32)> {
        let mut sequence = self.known().sequences[state as usize].clone();
        let call = call.clone();
        sequence.push(Turn { call, settled });
        // A call that blocks or goes wrong when nothing else runs is not possible here.
        let (mut machine, ending) = self.after(&sequence)?;
        let result = outcome(&ending?).value()?.clone();
        let fingerprint = machine.fingerprint();
        let known = &mut *self.known();
        let fresh = known.sequences.len() as u32;
        let next = *known.states.entry(fingerprint).or_insert(fresh);
        if next == fresh {
            known.sequences.push(sequence);
        }
        Some((result, next))
    }

    /// The machine after a sequence of calls, and how the last of them ended.
    fn after(&self, sequence: &[Turn]) -> Option<(S::Machine, Option<Ending>)> {
        let calls: Vec<Invocation> = sequence.iter().map(|turn| turn.call.clone()).collect();
        if !self.works {
            let client = Client {
                before: calls,
                ..Client::default()
            };
            let machine = self.subject.start(&client).ok()?;
            let ending = machine.prefix().last().cloned();
            return Some((machine, ending));
        }
        let client = Client {
            threads: vec![calls],
            ..Client::default()
        };
        let mut machine = self.subject.start(&client).ok()?;
        let mut last = None;
        for turn in sequence {
            if turn.settled {
                alone::settle(&mut machine, 1);
            }
            match alone::run(&mut machine, 1, 0) {
                Alone::Ended(ending) => last = Some(ending),
                Alone::Waits | Alone::Fails => return None,
            }
        }
        Some((machine, last))
    }
}

/// Whether an object starts threads of its own when it is made.
fn works<S: Subject>(subject: &S) -> bool {
    let machine = subject.start(&Client::default());
    machine.is_ok_and(|machine| machine.threads() > 0)
}

impl<S: Subject> Spec for SubjectSpec<'_, S> {
    type State = u32;
    type Call = Invocation;

    fn name(&self) -> &str {
        self.name
    }

    fn call(&self, method: &str, argument: &Value) -> Result<Invocation, Unfit> {
        let operations = self.subject.operations();
        match operations.iter().position(|d| d.name == method) {
            Some(at) => Ok(Invocation {
                operation: at as u16,
                argument: argument.clone(),
            }),
            None => Err(Unfit::Method {
                spec: self.name().to_owned(),
                method: method.to_owned(),
                known: operations
                    .iter()
                    .map(|d| d.name.as_str())
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }

    fn initial(&self) -> u32 {
        0
    }

    fn outcomes(&self, state: &u32, call: &Invocation, each: &mut dyn FnMut(Value, u32)) {
        let key = (*state, call.clone());
        let known = self.known().steps.get(&key).cloned();
        let steps = known.unwrap_or_else(|| {
            let mut steps = Vec::from_iter(self.run(*state, call, false));
            if self.works {
                steps.extend(self.run(*state, call, true));
                steps.dedup();
            }
            self.known().steps.insert(key, steps.clone());
            steps
        });
        for (result, next) in steps {
            each(result, next);
        }
    }

    fn show(&self, state: &u32) -> String {
        if let Some(printed) = self.printed(*state) {
            return printed;
        }
        let known = self.known();
        let operations = self.subject.operations();
        let show = |i: &Invocation| {
            let name = &operations[usize::from(i.operation)].name;
            let items: Vec<String> = i.argument.items().iter().map(Value::to_string).collect();
            format!("{name}({})", items.join(", "))
        };
        let turns = known.sequences[*state as usize].iter();
        let calls: Vec<String> = turns.map(|turn| show(&turn.call)).collect();
        if calls.is_empty() {
            "as constructed".to_owned()
        } else {
            format!("after {}", calls.join("; "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_toy::objects;

    #[test]
    fn a_treiber_stack_alone_is_a_stack() {
        let stack = objects::treiber();
        let spec = SubjectSpec::new(&stack);
        let mut state = spec.initial();
        let mut run = |method: &str, argument: Value| {
            let call = spec.call(method, &argument).expect("the stack has it");
            let mut seen = Vec::new();
            spec.outcomes(&state, &call, &mut |result, next| seen.push((result, next)));
            state = seen[0].1;
            assert_eq!(seen.len(), 1);
            seen[0].0.to_string()
        };
        assert_eq!(run("pop", Value::Unit), "nil");
        assert_eq!(run("push", Value::Int(1)), "()");
        assert_eq!(run("push", Value::Int(2)), "()");
        assert_eq!(run("pop", Value::Unit), "2");
        assert_eq!(run("pop", Value::Unit), "1");
        assert_eq!(run("pop", Value::Unit), "nil");
        assert!(
            spec.show(&state).starts_with("after "),
            "{}",
            spec.show(&state)
        );
        assert_eq!(
            spec.call("peek", &Value::Unit)
                .expect_err("no peek")
                .to_string(),
            "sequential execution has no method `peek` (it has push, pop)"
        );
    }
}
