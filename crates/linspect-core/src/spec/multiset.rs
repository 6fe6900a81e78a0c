//! A multiset, also called pool or bag: values in no order, bounded or not, and a `take` that may hand out any of them.
//!
//! `add`/`insert`/`put`/`enqueue`/`send`/… takes a value and returns nothing, or `false` where a bounded one was full. `take`/`get`/`pop`/`dequeue`/`receive`/`remove`/… without
//! argument removes and returns some value, `nil` where there is none: this specification is nondeterministic. `remove(v)` returns
//! whether one `v` was there to remove, `contains(v)` whether one is. `size`, `is_empty` and `read` see the whole.

use super::spelling::{Folded, Method, is_empty_mark};
use super::view::{Access, Container};
use super::{Bag, Family, Goods, HandOver, Spec, Unfit, added, found_nothing, hands_out, taken};
use crate::history::Outcome;
use crate::value::Value;

/// A multiset whose `take` may hand out any value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Multiset {
    /// How many values it holds at most.
    pub capacity: Option<usize>,
    /// The object's own spelling of "there was nothing", such as -1.
    pub empty: Option<Value>,
}

/// A call of a [`Multiset`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MultisetCall {
    /// Adds a value.
    Add(Value),
    /// Removes any value and returns it.
    Take,
    /// Removes one such value; returns whether there was one.
    Remove(Value),
    /// Whether there is such a value.
    Contains(Value),
    /// All values.
    Read,
    /// Counts the values.
    Size,
    /// Whether there are none.
    IsEmpty,
}

impl Container for Multiset {
    fn access(&self, method: &str) -> Option<Access> {
        Some(match Folded::new(method).as_str() {
            "add" | "insert" | "put" | "push" | "enqueue" | "enq" | "offer" | "release"
            | "send" | "produce" | "tryadd" | "tryput" | "trypush" | "tryenqueue" | "trysend"
            | "tryinsert" => Access::Put,
            "take" | "get" | "pop" | "dequeue" | "deq" | "poll" | "acquire" | "receive"
            | "recv" | "consume" | "trytake" | "tryget" | "trypop" | "trydequeue" | "tryrecv"
            | "tryreceive" => Access::Take,
            "remove" | "delete" | "erase" => Access::TakeThis,
            "size" | "len" | "length" | "count" => Access::Size,
            "isempty" | "empty" => Access::IsEmpty,
            _ => return None,
        })
    }

    fn is_empty_mark(&self, value: &Value) -> bool {
        is_empty_mark(value, self.empty.as_ref())
    }

    fn is_bounded(&self) -> bool {
        self.capacity.is_some()
    }
}

impl Spec for Multiset {
    type State = Bag;
    type Call = MultisetCall;

    fn name(&self) -> &str {
        "multiset"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<MultisetCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        let nullary = |call| m.nothing(argument).map(|()| call);
        match self.access(method) {
            Some(Access::Put) => m
                .element(argument, self.empty.as_ref())
                .map(MultisetCall::Add),
            Some(Access::Take) => nullary(MultisetCall::Take),
            Some(Access::TakeThis) if argument.is_nothing() => Ok(MultisetCall::Take),
            Some(Access::TakeThis) => m.value(argument).map(MultisetCall::Remove),
            Some(Access::Size) => nullary(MultisetCall::Size),
            Some(Access::IsEmpty) => nullary(MultisetCall::IsEmpty),
            Some(Access::Peek) | None => match Folded::new(method).as_str() {
                "contains" | "member" | "ismember" | "has" | "lookup" => {
                    m.value(argument).map(MultisetCall::Contains)
                }
                "read" | "elements" | "members" | "snapshot" => nullary(MultisetCall::Read),
                _ => Err(m.unknown("add, take, remove, contains, read, size, is_empty")),
            },
        }
    }

    fn outcome(&self, call: &MultisetCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        match call {
            MultisetCall::Add(v) if self.is_bounded() => {
                method("add").done_or_not(outcome, Some(v))
            }
            MultisetCall::Add(v) => method("add").done(outcome, Some(v)),
            MultisetCall::Take => method("take").taken(outcome, self.empty.as_ref()),
            MultisetCall::Remove(v) => method("remove").changed(outcome, v),
            MultisetCall::Contains(_) => method("contains").truth(outcome),
            MultisetCall::Read => method("read").collection(outcome),
            MultisetCall::Size => method("size").count(outcome),
            MultisetCall::IsEmpty => method("is_empty").truth(outcome),
        }
    }

    fn initial(&self) -> Bag {
        Bag::default()
    }

    fn outcomes(&self, state: &Bag, call: &MultisetCall, each: &mut dyn FnMut(Value, Bag)) {
        match call {
            MultisetCall::Add(_) if self.capacity.is_some_and(|most| state.len() >= most) => {
                each(Value::Bool(false), state.clone());
            }
            MultisetCall::Add(v) => each(Value::Unit, state.with(v)),
            MultisetCall::Take if state.is_empty() => each(Value::Nil, state.clone()),
            MultisetCall::Take => {
                for v in state.distinct() {
                    if let Some(rest) = state.without(v) {
                        each(v.clone(), rest);
                    }
                }
            }
            MultisetCall::Remove(v) => match state.without(v) {
                Some(rest) => each(Value::Bool(true), rest),
                None => each(Value::Bool(false), state.clone()),
            },
            MultisetCall::Contains(v) => each(Value::Bool(state.contains(v)), state.clone()),
            MultisetCall::Read => each(state.to_value(), state.clone()),
            MultisetCall::Size => each(state.size(), state.clone()),
            MultisetCall::IsEmpty => each(Value::Bool(state.is_empty()), state.clone()),
        }
    }

    fn successors(
        &self,
        state: &Bag,
        call: &MultisetCall,
        outcome: &Outcome,
        each: &mut dyn FnMut(Bag),
    ) {
        // Where it is known what was taken, the other ways need not be built.
        match (call, outcome.value()) {
            (MultisetCall::Take, Some(seen)) if *seen != Value::Nil => {
                state.without(seen).into_iter().for_each(each);
            }
            _ => super::matching_outcomes(self, state, call, outcome, each),
        }
    }

    fn nothing(&self) -> Option<&Value> {
        self.empty.as_ref()
    }

    fn may_wait(&self, call: &MultisetCall) -> bool {
        match call {
            MultisetCall::Add(_) => self.is_bounded(),
            MultisetCall::Take => true,
            _ => false,
        }
    }

    fn is_read_only(&self, call: &MultisetCall) -> bool {
        !matches!(
            call,
            MultisetCall::Add(_) | MultisetCall::Take | MultisetCall::Remove(_)
        )
    }

    fn observes(&self, call: &MultisetCall, outcome: &Outcome) -> bool {
        self.is_read_only(call) || found_nothing(outcome)
    }

    // Who removes a value by its name has it already.
    fn hands_over(&self, call: &MultisetCall, outcome: &Outcome) -> HandOver {
        match call {
            MultisetCall::Add(v) => HandOver::Adds(Goods::Value(v.clone())),
            MultisetCall::Take => hands_out(outcome),
            _ => HandOver::Nothing,
        }
    }

    fn family(&self, call: &MultisetCall, outcome: &Outcome) -> Family {
        match call {
            // Whether it is refused depends on how many there are.
            MultisetCall::Add(_) if self.is_bounded() && !added(outcome) => Family::Mixed,
            MultisetCall::Add(v) | MultisetCall::Remove(v) | MultisetCall::Contains(v) => {
                Family::Of(v.clone())
            }
            MultisetCall::Take => taken(outcome),
            MultisetCall::IsEmpty if *outcome == Outcome::Returned(Value::Bool(true)) => {
                Family::Alike
            }
            _ => Family::Mixed,
        }
    }

    fn part(&self, call: &MultisetCall) -> Option<Value> {
        match call {
            MultisetCall::Add(v) | MultisetCall::Remove(v) | MultisetCall::Contains(v)
                if !self.is_bounded() =>
            {
                Some(v.clone())
            }
            _ => None,
        }
    }

    fn weight(&self, state: &Bag) -> usize {
        state.weight()
    }

    fn show(&self, state: &Bag) -> String {
        state.to_string()
    }
}
