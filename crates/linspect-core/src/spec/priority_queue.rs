//! A priority queue, smallest first or largest first.
//!
//! `insert`/`add`/`push`/`offer`/`enqueue`/`put` takes a value and returns nothing; `poll`/`pop`/`remove`/`dequeue`/
//! `remove_min`/`delete_min`/`extract_min` (or `…_max`) returns the best, `peek`/`top`/`min`/`max` shows it, both give
//! `nil` where there is none. `size` and `is_empty` look. A value is its own priority; of a list `[priority, item]` only
//! the first counts, and of several items with the best priority any may be returned.

use super::spelling::{Folded, Method, is_empty_mark};
use super::view::{Access, Container};
use super::{Bag, Family, Spec, Unfit, found_nothing, seen, taken};
use crate::history::Outcome;
use crate::value::Value;
use std::cmp::Ordering;

/// A priority queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriorityQueue {
    /// Whether the largest value is the best; otherwise the smallest.
    pub largest_first: bool,
    /// The object's own spelling of "there was nothing", such as -1.
    pub empty: Option<Value>,
}

/// A call of a [`PriorityQueue`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PriorityQueueCall {
    /// Adds a value.
    Insert(Value),
    /// Removes a best value.
    Poll,
    /// Shows a best value.
    Peek,
    /// Counts the values.
    Size,
    /// Whether there are none.
    IsEmpty,
}

impl PriorityQueue {
    /// Compares two values: the better one is less.
    pub fn compare(&self, a: &Value, b: &Value) -> Ordering {
        let order = priority(a).cmp(priority(b));
        if self.largest_first {
            order.reverse()
        } else {
            order
        }
    }

    /// The different values of `state` that a poll may return.
    fn best<'a>(&self, state: &'a Bag) -> impl Iterator<Item = &'a Value> {
        let best = if self.largest_first {
            state.iter().next_back()
        } else {
            state.iter().next()
        };
        state
            .distinct()
            .filter(move |v| best.is_some_and(|best| priority(v) == priority(best)))
    }
}

/// What of a value decides its rank.
fn priority(v: &Value) -> &Value {
    match v {
        Value::List(items) => items.first().unwrap_or(v),
        other => other,
    }
}

impl Container for PriorityQueue {
    fn access(&self, method: &str) -> Option<Access> {
        Some(match Folded::new(method).as_str() {
            "insert" | "add" | "push" | "offer" | "enqueue" | "enq" | "put" => Access::Put,
            "poll" | "pop" | "remove" | "dequeue" | "deq" | "take" | "extract" => Access::Take,
            "removemin" | "deletemin" | "extractmin" | "popmin" | "delmin"
                if !self.largest_first =>
            {
                Access::Take
            }
            "removemax" | "deletemax" | "extractmax" | "popmax" | "delmax"
                if self.largest_first =>
            {
                Access::Take
            }
            "peek" | "top" | "first" | "front" => Access::Peek,
            "min" | "findmin" | "peekmin" if !self.largest_first => Access::Peek,
            "max" | "findmax" | "peekmax" if self.largest_first => Access::Peek,
            "size" | "len" | "length" | "count" => Access::Size,
            "isempty" | "empty" => Access::IsEmpty,
            _ => return None,
        })
    }

    fn is_empty_mark(&self, value: &Value) -> bool {
        is_empty_mark(value, self.empty.as_ref())
    }
}

impl Spec for PriorityQueue {
    type State = Bag;
    type Call = PriorityQueueCall;

    fn name(&self) -> &str {
        "priority-queue"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<PriorityQueueCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        let nullary = |call| m.nothing(argument).map(|()| call);
        match self.access(method) {
            Some(Access::Put) => m
                .element(argument, self.empty.as_ref())
                .map(PriorityQueueCall::Insert),
            Some(Access::Take) => nullary(PriorityQueueCall::Poll),
            Some(Access::Peek) => nullary(PriorityQueueCall::Peek),
            Some(Access::Size) => nullary(PriorityQueueCall::Size),
            Some(Access::IsEmpty) => nullary(PriorityQueueCall::IsEmpty),
            Some(Access::TakeThis) | None => Err(m.unknown("insert, poll, peek, size, is_empty")),
        }
    }

    fn outcome(&self, call: &PriorityQueueCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        match call {
            PriorityQueueCall::Insert(v) => method("insert").done(outcome, Some(v)),
            PriorityQueueCall::Poll => method("poll").taken(outcome, self.empty.as_ref()),
            PriorityQueueCall::Peek => method("peek").taken(outcome, self.empty.as_ref()),
            PriorityQueueCall::Size => method("size").count(outcome),
            PriorityQueueCall::IsEmpty => method("is_empty").truth(outcome),
        }
    }

    fn initial(&self) -> Bag {
        Bag::default()
    }

    fn outcomes(&self, state: &Bag, call: &PriorityQueueCall, each: &mut dyn FnMut(Value, Bag)) {
        match call {
            PriorityQueueCall::Insert(v) => each(Value::Unit, state.with(v)),
            PriorityQueueCall::Poll | PriorityQueueCall::Peek if state.is_empty() => {
                each(Value::Nil, state.clone());
            }
            PriorityQueueCall::Poll => {
                for v in self.best(state) {
                    if let Some(rest) = state.without(v) {
                        each(v.clone(), rest);
                    }
                }
            }
            PriorityQueueCall::Peek => {
                for v in self.best(state) {
                    each(v.clone(), state.clone());
                }
            }
            PriorityQueueCall::Size => each(state.size(), state.clone()),
            PriorityQueueCall::IsEmpty => each(Value::Bool(state.is_empty()), state.clone()),
        }
    }

    fn nothing(&self) -> Option<&Value> {
        self.empty.as_ref()
    }

    fn is_read_only(&self, call: &PriorityQueueCall) -> bool {
        !matches!(call, PriorityQueueCall::Insert(_) | PriorityQueueCall::Poll)
    }

    fn observes(&self, call: &PriorityQueueCall, outcome: &Outcome) -> bool {
        self.is_read_only(call) || found_nothing(outcome)
    }

    fn family(&self, call: &PriorityQueueCall, outcome: &Outcome) -> Family {
        match call {
            PriorityQueueCall::Insert(v) => Family::Of(v.clone()),
            PriorityQueueCall::Poll => taken(outcome),
            PriorityQueueCall::Peek => seen(outcome),
            PriorityQueueCall::IsEmpty if *outcome == Outcome::Returned(Value::Bool(true)) => {
                Family::Alike
            }
            _ => Family::Mixed,
        }
    }

    fn weight(&self, state: &Bag) -> usize {
        state.weight()
    }

    fn show(&self, state: &Bag) -> String {
        state.to_string()
    }
}
