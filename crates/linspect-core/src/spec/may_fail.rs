//! A specification some of whose operations may fail for no reason but that others run beside them, as `try_push` of a queue that gives up under contention.
//!
//! Such an operation may return what stands for failure in every state, and changes nothing then. That nobody was beside it is not looked at here: a history has
//! operations that touch only in time. Whoever has the object itself asks it alone (`linspect_explore::harness_check`).

use super::{HandOver, Hold, Spec, Unfit};
use crate::history::Outcome;
use crate::value::Value;

/// `spec`, with operations that may fail.
pub struct MayFail<'s, S> {
    spec: &'s S,
    /// What stands for failure, by operation.
    failures: Vec<(String, Value)>,
}

impl<'s, S: Spec> MayFail<'s, S> {
    /// `spec`, in which the operations of these names may also return these values.
    pub fn new(spec: &'s S, failures: Vec<(String, Value)>) -> Self {
        Self { spec, failures }
    }
}

/// A call of an object that may refuse it.
#[derive(Clone, Debug)]
pub struct MayFailCall<C> {
    call: C,
    /// What it returns then, as the specification spells it.
    failure: Option<Value>,
}

impl<C> MayFailCall<C> {
    fn is_failure(&self, outcome: &Outcome) -> bool {
        outcome.value().is_some() && outcome.value() == self.failure.as_ref()
    }
}

impl<S: Spec> Spec for MayFail<'_, S> {
    type State = S::State;
    type Call = MayFailCall<S::Call>;

    fn name(&self) -> &str {
        self.spec.name()
    }

    fn call(&self, method: &str, argument: &Value) -> Result<Self::Call, Unfit> {
        let call = self.spec.call(method, argument)?;
        let failure = self.failures.iter().find(|(name, _)| name == method);
        let failure = failure.map(|(_, value)| {
            let spelt = self.spec.outcome(&call, &Outcome::Returned(value.clone()));
            let spelt = spelt.ok().and_then(|outcome| outcome.value().cloned());
            spelt.unwrap_or_else(|| value.clone())
        });
        Ok(MayFailCall { call, failure })
    }

    fn outcome(&self, call: &Self::Call, outcome: &Outcome) -> Result<Outcome, Unfit> {
        match self.spec.outcome(&call.call, outcome) {
            Err(_) if call.is_failure(outcome) => Ok(outcome.clone()),
            told => told,
        }
    }

    fn nothing(&self) -> Option<&Value> {
        self.spec.nothing()
    }

    fn initial(&self) -> Self::State {
        self.spec.initial()
    }

    fn outcomes(
        &self,
        state: &Self::State,
        call: &Self::Call,
        each: &mut dyn FnMut(Value, Self::State),
    ) {
        self.spec.outcomes(state, &call.call, each);
        if let Some(failure) = &call.failure {
            each(failure.clone(), state.clone());
        }
    }

    fn asks_who(&self) -> bool {
        self.spec.asks_who()
    }

    fn most_together(&self) -> usize {
        self.spec.most_together()
    }

    fn together(
        &self,
        state: &Self::State,
        calls: &[&Self::Call],
        each: &mut dyn FnMut(&[Value], Self::State),
    ) {
        // Who fails has met nobody.
        let calls: Vec<&S::Call> = calls.iter().map(|call| &call.call).collect();
        self.spec.together(state, &calls, each);
    }

    fn may_wait(&self, call: &Self::Call) -> bool {
        self.spec.may_wait(&call.call)
    }

    fn hold(&self, call: &Self::Call) -> Hold {
        self.spec.hold(&call.call)
    }

    fn weight(&self, state: &Self::State) -> usize {
        self.spec.weight(state)
    }

    fn hands_over(&self, call: &Self::Call, outcome: &Outcome) -> HandOver {
        match call.is_failure(outcome) {
            true => HandOver::Nothing,
            false => self.spec.hands_over(&call.call, outcome),
        }
    }

    fn show(&self, state: &Self::State) -> String {
        self.spec.show(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Arena, Monitor};
    use crate::spec::Queue;

    /// Whether a dequeue may return this beside nobody, from a queue that has 1.
    fn allows<S: Spec>(spec: &S, result: &Value) -> bool {
        let mut arena = Arena::new(spec);
        let enqueue = arena.call("enqueue", &Value::Int(1)).expect("a queue");
        let dequeue = arena.call("dequeue", &Value::Unit).expect("a queue");
        let mut monitor = Monitor::new();
        monitor.call(&mut arena, 0, enqueue);
        assert_eq!(monitor.ret(&mut arena, 0, &Value::Unit), Ok(true));
        monitor.call(&mut arena, 0, dequeue);
        if monitor.ret(&mut arena, 0, result) != Ok(true) {
            return false;
        }
        // Whoever failed has changed nothing.
        monitor.call(&mut arena, 0, dequeue);
        let left = monitor.ret(&mut arena, 0, &Value::Int(1));
        assert_eq!(left, Ok(*result != Value::Int(1)));
        true
    }

    #[test]
    fn an_operation_may_fail_and_does_nothing_then() {
        let queue = Queue::default();
        assert!(!allows(&queue, &Value::Nil));
        for failure in [Value::Nil, Value::Int(-7)] {
            let lenient = MayFail::new(&queue, vec![("dequeue".into(), failure.clone())]);
            assert!(allows(&lenient, &failure), "{failure}");
            assert!(allows(&lenient, &Value::Int(1)));
            assert!(!allows(&lenient, &Value::Int(2)));
            // That another operation may fail is no excuse.
            let refusing = vec![("enqueue".into(), Value::Bool(false))];
            let other = MayFail::new(&queue, refusing);
            assert!(!allows(&other, &failure), "{failure}");
        }
    }
}
