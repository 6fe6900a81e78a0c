//! A specification without its types: states and calls become numbers.
//!
//! Everything that is generic over a specification is compiled once for each of them. What needs no speed, or would be compiled into much code,
//! takes an [`Erased`] one instead.

use super::{Family, Spec, Unfit};
use crate::history::Outcome;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Any specification.
pub struct Erased<'a>(Box<dyn Numbered + Sync + 'a>);

impl<'a> Erased<'a> {
    /// `spec` without its types.
    pub fn new<S: Spec + Sync>(spec: &'a S) -> Self
    where
        S::State: Send,
        S::Call: Send,
    {
        let tables = Tables {
            states: vec![spec.initial()],
            numbers: FxHashMap::from_iter([(spec.initial(), 0)]),
            calls: Vec::new(),
        };
        Self(Box::new(Interned {
            spec,
            tables: Mutex::new(tables),
        }))
    }
}

impl Spec for Erased<'_> {
    type State = u32;
    type Call = u32;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn call(&self, method: &str, argument: &Value) -> Result<u32, Unfit> {
        self.0.call(method, argument)
    }

    fn outcome(&self, call: &u32, outcome: &Outcome) -> Result<Outcome, Unfit> {
        self.0.outcome(*call, outcome)
    }

    fn initial(&self) -> u32 {
        0
    }

    fn outcomes(&self, state: &u32, call: &u32, each: &mut dyn FnMut(Value, u32)) {
        self.0.outcomes(*state, *call, each);
    }

    fn is_read_only(&self, call: &u32) -> bool {
        self.0.is_read_only(*call)
    }

    fn observes(&self, call: &u32, outcome: &Outcome) -> bool {
        self.0.observes(*call, outcome)
    }

    fn family(&self, call: &u32, outcome: &Outcome) -> Family {
        self.0.family(*call, outcome)
    }

    fn show(&self, state: &u32) -> String {
        self.0.show(*state)
    }
}

/// A specification whose states and calls are numbers.
trait Numbered {
    fn name(&self) -> &str;
    fn call(&self, method: &str, argument: &Value) -> Result<u32, Unfit>;
    fn outcome(&self, call: u32, outcome: &Outcome) -> Result<Outcome, Unfit>;
    fn outcomes(&self, state: u32, call: u32, each: &mut dyn FnMut(Value, u32));
    fn is_read_only(&self, call: u32) -> bool;
    fn observes(&self, call: u32, outcome: &Outcome) -> bool;
    fn family(&self, call: u32, outcome: &Outcome) -> Family;
    fn show(&self, state: u32) -> String;
}

struct Interned<'a, S: Spec> {
    spec: &'a S,
    tables: Mutex<Tables<S>>,
}

struct Tables<S: Spec> {
    states: Vec<S::State>,
    numbers: FxHashMap<S::State, u32>,
    calls: Vec<S::Call>,
}

impl<S: Spec> Tables<S> {
    fn number(&mut self, state: S::State) -> u32 {
        let fresh = u32::try_from(self.states.len()).expect("fewer than 2^32 states");
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            fresh
        })
    }
}

impl<S: Spec> Interned<'_, S> {
    fn tables(&self) -> MutexGuard<'_, Tables<S>> {
        // Tables are whole between any two calls, even where one of them panicked.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn call_of(&self, call: u32) -> S::Call {
        self.tables().calls[call as usize].clone()
    }
}

impl<S: Spec> Numbered for Interned<'_, S> {
    fn name(&self) -> &str {
        self.spec.name()
    }

    fn call(&self, method: &str, argument: &Value) -> Result<u32, Unfit> {
        let call = self.spec.call(method, argument)?;
        let mut tables = self.tables();
        tables.calls.push(call);
        Ok(u32::try_from(tables.calls.len() - 1).expect("fewer than 2^32 calls"))
    }

    fn outcome(&self, call: u32, outcome: &Outcome) -> Result<Outcome, Unfit> {
        self.spec.outcome(&self.call_of(call), outcome)
    }

    fn outcomes(&self, state: u32, call: u32, each: &mut dyn FnMut(Value, u32)) {
        let (state, call) = {
            let tables = self.tables();
            let state = tables.states[state as usize].clone();
            (state, tables.calls[call as usize].clone())
        };
        self.spec.outcomes(&state, &call, &mut |result, next| {
            let next = self.tables().number(next);
            each(result, next);
        });
    }

    fn is_read_only(&self, call: u32) -> bool {
        self.spec.is_read_only(&self.call_of(call))
    }

    fn observes(&self, call: u32, outcome: &Outcome) -> bool {
        self.spec.observes(&self.call_of(call), outcome)
    }

    fn family(&self, call: u32, outcome: &Outcome) -> Family {
        self.spec.family(&self.call_of(call), outcome)
    }

    fn show(&self, state: u32) -> String {
        let state = self.tables().states[state as usize].clone();
        self.spec.show(&state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Queue;

    #[test]
    fn numbers_stand_for_states() {
        let queue = Queue::default();
        let erased = Erased::new(&queue);
        let enqueue = erased.call("enqueue", &Value::Int(1)).expect("known");
        let dequeue = erased.call("dequeue", &Value::Unit).expect("known");
        let mut after = Vec::new();
        erased.outcomes(&0, &enqueue, &mut |_, next| after.push(next));
        let [full] = after[..] else {
            panic!("{after:?}")
        };
        let mut back = Vec::new();
        erased.outcomes(&full, &dequeue, &mut |result, next| {
            back.push((result, next));
        });
        assert_eq!(back, [(Value::Int(1), 0)]);
        assert!(erased.call("push_front", &Value::Int(1)).is_err());
        assert_eq!(
            erased.show(&full),
            queue.show(&{
                let mut state = queue.initial();
                let call = queue.call("enqueue", &Value::Int(1)).expect("known");
                queue.outcomes(&queue.initial(), &call, &mut |_, next| state = next);
                state
            })
        );
    }
}
