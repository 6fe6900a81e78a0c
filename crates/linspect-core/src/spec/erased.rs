//! A specification without its types: states and calls are values of one type each, whatever the specification.
//!
//! Everything that is generic over a specification is compiled once for each of them. What needs no speed, or would be compiled into much code,
//! takes an [`Erased`] one instead.

use super::{Family, HandOver, Hold, Meeting, RowDeed, Spec, Unfit};
use crate::history::Outcome;
use crate::value::Value;
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

/// Any specification.
pub struct Erased<'a>(Box<dyn Typeless + Sync + 'a>);

impl<'a> Erased<'a> {
    /// `spec` without its types.
    pub fn new<S: Spec>(spec: &'a S) -> Self {
        Self(Box::new(Typed(spec)))
    }
}

/// A state of any specification.
#[derive(Clone)]
pub struct AnyState(Rc<dyn State>);

trait State: fmt::Debug {
    fn equals(&self, other: &dyn Any) -> bool;
    fn digest(&self, hasher: &mut dyn Hasher);
    fn as_any(&self) -> &dyn Any;
}

impl<T: Eq + Hash + fmt::Debug + 'static> State for T {
    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<T>().is_some_and(|other| self == other)
    }

    fn digest(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl PartialEq for AnyState {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals((*other.0).as_any())
    }
}

impl Eq for AnyState {}

impl Hash for AnyState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.digest(state);
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A call of any specification.
#[derive(Clone)]
pub struct AnyCall(Arc<dyn Any + Send + Sync>);

impl AnyCall {
    /// `call` without its type.
    pub(crate) fn new<T: Send + Sync + 'static>(call: T) -> Self {
        Self(Arc::new(call))
    }
}

impl fmt::Debug for AnyCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyCall")
    }
}

impl Spec for Erased<'_> {
    type State = AnyState;
    type Call = AnyCall;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn call(&self, method: &str, argument: &Value) -> Result<AnyCall, Unfit> {
        self.0.call(method, argument)
    }

    fn outcome(&self, call: &AnyCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        self.0.outcome(call, outcome)
    }

    fn initial(&self) -> AnyState {
        self.0.initial()
    }

    fn outcomes(&self, state: &AnyState, call: &AnyCall, each: &mut dyn FnMut(Value, AnyState)) {
        self.0.outcomes(state, call, each);
    }

    fn successors(
        &self,
        state: &AnyState,
        call: &AnyCall,
        outcome: &Outcome,
        each: &mut dyn FnMut(AnyState),
    ) {
        self.0.successors(state, call, outcome, each);
    }

    fn asks_who(&self) -> bool {
        self.0.asks_who()
    }

    fn most_together(&self) -> usize {
        self.0.most_together()
    }

    fn together(
        &self,
        state: &AnyState,
        calls: &[&AnyCall],
        each: &mut dyn FnMut(&[Value], AnyState),
    ) {
        self.0.together(state, calls, each);
    }

    fn may_wait(&self, call: &AnyCall) -> bool {
        self.0.may_wait(call)
    }

    fn is_read_only(&self, call: &AnyCall) -> bool {
        self.0.is_read_only(call)
    }

    fn observes(&self, call: &AnyCall, outcome: &Outcome) -> bool {
        self.0.observes(call, outcome)
    }

    fn hold(&self, call: &AnyCall) -> Hold {
        self.0.hold(call)
    }

    fn nothing(&self) -> Option<&Value> {
        self.0.nothing()
    }

    fn weight(&self, state: &AnyState) -> usize {
        self.0.weight(state)
    }

    fn part(&self, call: &AnyCall) -> Option<Value> {
        self.0.part(call)
    }

    fn family(&self, call: &AnyCall, outcome: &Outcome) -> Family {
        self.0.family(call, outcome)
    }

    fn meets(&self, call: &AnyCall, outcome: &Outcome) -> Meeting {
        self.0.meets(call, outcome)
    }

    fn in_row<'c>(&self, call: &'c AnyCall) -> Option<RowDeed<'c>> {
        self.0.in_row(call)
    }

    fn room(&self) -> usize {
        self.0.room()
    }

    fn hands_over(&self, call: &AnyCall, outcome: &Outcome) -> HandOver {
        self.0.hands_over(call, outcome)
    }

    fn stock(&self) -> u64 {
        self.0.stock()
    }

    fn show(&self, state: &AnyState) -> String {
        self.0.show(state)
    }
}

/// [`Spec`] as a trait object.
trait Typeless {
    fn name(&self) -> &str;
    fn call(&self, method: &str, argument: &Value) -> Result<AnyCall, Unfit>;
    fn outcome(&self, call: &AnyCall, outcome: &Outcome) -> Result<Outcome, Unfit>;
    fn initial(&self) -> AnyState;
    fn outcomes(&self, state: &AnyState, call: &AnyCall, each: &mut dyn FnMut(Value, AnyState));
    fn successors(
        &self,
        state: &AnyState,
        call: &AnyCall,
        outcome: &Outcome,
        each: &mut dyn FnMut(AnyState),
    );
    fn asks_who(&self) -> bool;
    fn most_together(&self) -> usize;
    fn together(
        &self,
        state: &AnyState,
        calls: &[&AnyCall],
        each: &mut dyn FnMut(&[Value], AnyState),
    );
    fn may_wait(&self, call: &AnyCall) -> bool;
    fn is_read_only(&self, call: &AnyCall) -> bool;
    fn observes(&self, call: &AnyCall, outcome: &Outcome) -> bool;
    fn hold(&self, call: &AnyCall) -> Hold;
    fn nothing(&self) -> Option<&Value>;
    fn weight(&self, state: &AnyState) -> usize;
    fn part(&self, call: &AnyCall) -> Option<Value>;
    fn family(&self, call: &AnyCall, outcome: &Outcome) -> Family;
    fn meets(&self, call: &AnyCall, outcome: &Outcome) -> Meeting;
    fn in_row<'c>(&self, call: &'c AnyCall) -> Option<RowDeed<'c>>;
    fn room(&self) -> usize;
    fn hands_over(&self, call: &AnyCall, outcome: &Outcome) -> HandOver;
    fn stock(&self) -> u64;
    fn show(&self, state: &AnyState) -> String;
}

struct Typed<'a, S>(&'a S);

const FOREIGN: &str = "states and calls come from the same specification";

fn state_of<S: Spec>(state: &AnyState) -> &S::State {
    (*state.0).as_any().downcast_ref().expect(FOREIGN)
}

fn call_of<S: Spec>(call: &AnyCall) -> &S::Call {
    (*call.0).downcast_ref().expect(FOREIGN)
}

impl<S: Spec> Typeless for Typed<'_, S> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn call(&self, method: &str, argument: &Value) -> Result<AnyCall, Unfit> {
        self.0.call(method, argument).map(AnyCall::new)
    }

    fn outcome(&self, call: &AnyCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        self.0.outcome(call_of::<S>(call), outcome)
    }

    fn initial(&self) -> AnyState {
        AnyState(Rc::new(self.0.initial()))
    }

    fn outcomes(&self, state: &AnyState, call: &AnyCall, each: &mut dyn FnMut(Value, AnyState)) {
        let (state, call) = (state_of::<S>(state), call_of::<S>(call));
        self.0.outcomes(state, call, &mut |result, next| {
            each(result, AnyState(Rc::new(next)));
        });
    }

    fn successors(
        &self,
        state: &AnyState,
        call: &AnyCall,
        outcome: &Outcome,
        each: &mut dyn FnMut(AnyState),
    ) {
        let (state, call) = (state_of::<S>(state), call_of::<S>(call));
        self.0.successors(state, call, outcome, &mut |next| {
            each(AnyState(Rc::new(next)));
        });
    }

    fn asks_who(&self) -> bool {
        self.0.asks_who()
    }

    fn most_together(&self) -> usize {
        self.0.most_together()
    }

    fn together(
        &self,
        state: &AnyState,
        calls: &[&AnyCall],
        each: &mut dyn FnMut(&[Value], AnyState),
    ) {
        let calls: Vec<&S::Call> = calls.iter().map(|call| call_of::<S>(call)).collect();
        self.0
            .together(state_of::<S>(state), &calls, &mut |results, next| {
                each(results, AnyState(Rc::new(next)));
            });
    }

    fn may_wait(&self, call: &AnyCall) -> bool {
        self.0.may_wait(call_of::<S>(call))
    }

    fn is_read_only(&self, call: &AnyCall) -> bool {
        self.0.is_read_only(call_of::<S>(call))
    }

    fn observes(&self, call: &AnyCall, outcome: &Outcome) -> bool {
        self.0.observes(call_of::<S>(call), outcome)
    }

    fn hold(&self, call: &AnyCall) -> Hold {
        self.0.hold(call_of::<S>(call))
    }

    fn nothing(&self) -> Option<&Value> {
        self.0.nothing()
    }

    fn weight(&self, state: &AnyState) -> usize {
        self.0.weight(state_of::<S>(state)) + size_of::<S::State>()
    }

    fn part(&self, call: &AnyCall) -> Option<Value> {
        self.0.part(call_of::<S>(call))
    }

    fn family(&self, call: &AnyCall, outcome: &Outcome) -> Family {
        self.0.family(call_of::<S>(call), outcome)
    }

    fn meets(&self, call: &AnyCall, outcome: &Outcome) -> Meeting {
        self.0.meets(call_of::<S>(call), outcome)
    }

    fn in_row<'c>(&self, call: &'c AnyCall) -> Option<RowDeed<'c>> {
        self.0.in_row(call_of::<S>(call))
    }

    fn room(&self) -> usize {
        self.0.room()
    }

    fn hands_over(&self, call: &AnyCall, outcome: &Outcome) -> HandOver {
        self.0.hands_over(call_of::<S>(call), outcome)
    }

    fn stock(&self) -> u64 {
        self.0.stock()
    }

    fn show(&self, state: &AnyState) -> String {
        self.0.show(state_of::<S>(state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Queue;

    #[test]
    fn an_erased_queue_is_a_queue() {
        let queue = Queue::default();
        let erased = Erased::new(&queue);
        let enqueue = erased.call("enqueue", &Value::Int(1)).expect("known");
        let dequeue = erased.call("dequeue", &Value::Unit).expect("known");
        let mut after = Vec::new();
        erased.outcomes(&erased.initial(), &enqueue, &mut |_, next| after.push(next));
        let [full] = &after[..] else {
            panic!("{after:?}")
        };
        let mut back = Vec::new();
        erased.outcomes(full, &dequeue, &mut |result, next| {
            back.push((result, next));
        });
        assert_eq!(back, [(Value::Int(1), erased.initial())]);
        assert_ne!(*full, erased.initial());
        assert!(erased.call("push_front", &Value::Int(1)).is_err());
        assert_eq!(erased.show(full), "[1]");
    }
}
