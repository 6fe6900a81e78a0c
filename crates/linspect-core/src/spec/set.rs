//! A set of values.
//!
//! `add`/`insert`/`put` returns whether the value is new, `remove`/`delete` whether it was there, `contains`/`member`/
//! `has`/`lookup` whether it is. These work on one element each, so a history of them is decided element by element.
//! `size`, `is_empty` and `read`/`elements` (all elements as a list, in any order) see the whole set.

use super::spelling::{Folded, Method};
use super::{Bag, Family, Spec, Unfit, found_nothing};
use crate::history::Outcome;
use crate::value::Value;

/// A set of values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set;

/// A call of a [`Set`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SetCall {
    /// Adds a value; returns whether it is new.
    Add(Value),
    /// Removes a value; returns whether it was there.
    Remove(Value),
    /// Whether a value is there.
    Contains(Value),
    /// All values.
    Read,
    /// Counts the values.
    Size,
    /// Whether there are none.
    IsEmpty,
}

impl Spec for Set {
    type State = Bag;
    type Call = SetCall;

    fn name(&self) -> &str {
        "set"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<SetCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        let nullary = |call| m.nothing(argument).map(|()| call);
        match Folded::new(method).as_str() {
            "add" | "insert" | "put" => m.value(argument).map(SetCall::Add),
            "remove" | "delete" | "erase" | "del" | "rem" => m.value(argument).map(SetCall::Remove),
            "contains" | "member" | "ismember" | "has" | "lookup" | "find" | "search" => {
                m.value(argument).map(SetCall::Contains)
            }
            "read" | "elements" | "members" | "snapshot" => nullary(SetCall::Read),
            "size" | "len" | "length" | "count" => nullary(SetCall::Size),
            "isempty" | "empty" => nullary(SetCall::IsEmpty),
            _ => Err(m.unknown("add, remove, contains, read, size, is_empty")),
        }
    }

    fn outcome(&self, call: &SetCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        match call {
            SetCall::Add(v) => method("add").changed(outcome, v),
            SetCall::Remove(v) => method("remove").changed(outcome, v),
            SetCall::Contains(_) => method("contains").truth(outcome),
            SetCall::Read => method("read").collection(outcome),
            SetCall::Size => method("size").count(outcome),
            SetCall::IsEmpty => method("is_empty").truth(outcome),
        }
    }

    fn initial(&self) -> Bag {
        Bag::default()
    }

    fn outcomes(&self, state: &Bag, call: &SetCall, each: &mut dyn FnMut(Value, Bag)) {
        match call {
            SetCall::Add(v) if state.contains(v) => each(Value::Bool(false), state.clone()),
            SetCall::Add(v) => each(Value::Bool(true), state.with(v)),
            SetCall::Remove(v) => match state.without(v) {
                Some(rest) => each(Value::Bool(true), rest),
                None => each(Value::Bool(false), state.clone()),
            },
            SetCall::Contains(v) => each(Value::Bool(state.contains(v)), state.clone()),
            SetCall::Read => each(state.to_value(), state.clone()),
            SetCall::Size => each(state.size(), state.clone()),
            SetCall::IsEmpty => each(Value::Bool(state.is_empty()), state.clone()),
        }
    }

    fn may_wait(&self, _call: &SetCall) -> bool {
        false
    }

    fn is_read_only(&self, call: &SetCall) -> bool {
        !matches!(call, SetCall::Add(_) | SetCall::Remove(_))
    }

    fn observes(&self, call: &SetCall, outcome: &Outcome) -> bool {
        self.is_read_only(call) || found_nothing(outcome)
    }

    fn family(&self, call: &SetCall, outcome: &Outcome) -> Family {
        match call {
            SetCall::Add(v) | SetCall::Remove(v) | SetCall::Contains(v) => Family::Of(v.clone()),
            SetCall::IsEmpty if *outcome == Outcome::Returned(Value::Bool(true)) => Family::Alike,
            SetCall::Read | SetCall::Size | SetCall::IsEmpty => Family::Mixed,
        }
    }

    fn part(&self, call: &SetCall) -> Option<Value> {
        match call {
            SetCall::Add(v) | SetCall::Remove(v) | SetCall::Contains(v) => Some(v.clone()),
            SetCall::Read | SetCall::Size | SetCall::IsEmpty => None,
        }
    }

    fn weight(&self, state: &Bag) -> usize {
        state.weight()
    }

    fn show(&self, state: &Bag) -> String {
        state.to_string()
    }
}
