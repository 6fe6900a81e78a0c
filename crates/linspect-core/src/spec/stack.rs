//! A last-in first-out stack, bounded or not.
//!
//! `push`/`add`/`put` takes a value and returns nothing, or `false` where a bounded stack was full. `pop`/`remove`/`take`
//! returns the newest value, `peek`/`top` shows it, both give `nil` where there is none. `size`/`len` and `is_empty` look.

use super::spelling::{Folded, Method, is_empty_mark};
use super::view::{Access, Container};
use super::{Family, Sequence, Spec, Unfit, added, found_nothing, seen, taken};
use crate::history::Outcome;
use crate::value::Value;

/// A last-in first-out stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// How many values it holds at most.
    pub capacity: Option<usize>,
    /// The object's own spelling of "there was nothing", such as -1.
    pub empty: Option<Value>,
}

/// A call of a [`Stack`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StackCall {
    /// Puts a value on top.
    Push(Value),
    /// Removes the top value.
    Pop,
    /// Shows the top value.
    Peek,
    /// Counts the values.
    Size,
    /// Whether there are none.
    IsEmpty,
}

impl Container for Stack {
    fn access(&self, method: &str) -> Option<Access> {
        Some(match Folded::new(method).as_str() {
            "push" | "add" | "put" | "trypush" | "pushback" | "insert" => Access::Put,
            "pop" | "remove" | "take" | "poll" | "trypop" | "popback" => Access::Take,
            "peek" | "top" | "head" => Access::Peek,
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

impl Spec for Stack {
    /// Bottom first.
    type State = Sequence;
    type Call = StackCall;

    fn name(&self) -> &str {
        "stack"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<StackCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        let nullary = |call| m.nothing(argument).map(|()| call);
        match self.access(method) {
            Some(Access::Put) => m
                .element(argument, self.empty.as_ref())
                .map(StackCall::Push),
            Some(Access::Take) => nullary(StackCall::Pop),
            Some(Access::Peek) => nullary(StackCall::Peek),
            Some(Access::Size) => nullary(StackCall::Size),
            Some(Access::IsEmpty) => nullary(StackCall::IsEmpty),
            Some(Access::TakeThis) | None => Err(m.unknown("push, pop, peek, size, is_empty")),
        }
    }

    fn outcome(&self, call: &StackCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        match call {
            StackCall::Push(v) => method("push").done_or_not(outcome, Some(v)),
            StackCall::Pop => method("pop").taken(outcome, self.empty.as_ref()),
            StackCall::Peek => method("peek").taken(outcome, self.empty.as_ref()),
            StackCall::Size => method("size").count(outcome),
            StackCall::IsEmpty => method("is_empty").truth(outcome),
        }
    }

    fn initial(&self) -> Sequence {
        Sequence::default()
    }

    fn outcomes(&self, state: &Sequence, call: &StackCall, each: &mut dyn FnMut(Value, Sequence)) {
        match call {
            StackCall::Push(_) if self.capacity.is_some_and(|c| state.len() >= c) => {
                each(Value::Bool(false), state.clone());
            }
            StackCall::Push(v) => each(Value::Unit, state.with_last(v)),
            StackCall::Pop => match state.last() {
                Some(v) => each(v.clone(), state.without_last()),
                None => each(Value::Nil, state.clone()),
            },
            StackCall::Peek => each(state.last().cloned().unwrap_or(Value::Nil), state.clone()),
            StackCall::Size => each(state.size(), state.clone()),
            StackCall::IsEmpty => each(Value::Bool(state.is_empty()), state.clone()),
        }
    }

    fn successors(
        &self,
        state: &Sequence,
        call: &StackCall,
        outcome: &Outcome,
        each: &mut dyn FnMut(Sequence),
    ) {
        // Most pops are refused in most states: find that out before a state is built.
        if let (StackCall::Pop, Some(seen)) = (call, outcome.value())
            && state.last().unwrap_or(&Value::Nil) != seen
        {
            return;
        }
        super::matching_outcomes(self, state, call, outcome, each);
    }

    fn nothing(&self) -> Option<&Value> {
        self.empty.as_ref()
    }

    fn is_read_only(&self, call: &StackCall) -> bool {
        matches!(call, StackCall::Peek | StackCall::Size | StackCall::IsEmpty)
    }

    fn observes(&self, call: &StackCall, outcome: &Outcome) -> bool {
        self.is_read_only(call) || found_nothing(outcome)
    }

    fn family(&self, call: &StackCall, outcome: &Outcome) -> Family {
        match call {
            StackCall::Push(_) if self.capacity.is_some() && !added(outcome) => Family::Mixed,
            StackCall::Push(v) => Family::Of(v.clone()),
            StackCall::Pop => taken(outcome),
            StackCall::Peek => seen(outcome),
            StackCall::IsEmpty if *outcome == Outcome::Returned(Value::Bool(true)) => Family::Alike,
            _ => Family::Mixed,
        }
    }

    fn weight(&self, state: &Sequence) -> usize {
        state.weight()
    }

    fn show(&self, state: &Sequence) -> String {
        format!("{state} (top last)")
    }
}
