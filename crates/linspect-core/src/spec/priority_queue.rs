//! A priority queue, smallest first or largest first.
//!
//! `insert`/`add`/`push`/`offer`/`enqueue`/`put` takes a value and returns nothing; `poll`/`pop`/`remove`/`dequeue`/
//! `remove_min`/`delete_min`/`extract_min` (or `…_max`) returns the best, `peek`/`top`/`min`/`max` shows it, both give
//! `nil` where there is none. `size` and `is_empty` look. A value is its own priority; of a list `[priority, item]` only
//! the first counts, and of several items with the best priority any may be returned.

use super::container::{ContainerCall, Words};
use super::spelling::{Folded, is_empty_mark};
use super::view::{Access, Container};
use super::{Bag, Family, HandOver, Meeting, Spec, Unfit};
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

const WORDS: Words = Words {
    container: "priority-queue",
    put: "insert",
    take: "poll",
    refuses: false,
};

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
    type Call = ContainerCall;

    fn name(&self) -> &str {
        WORDS.container
    }

    fn call(&self, method: &str, argument: &Value) -> Result<ContainerCall, Unfit> {
        WORDS.call(self, self.empty.as_ref(), method, argument)
    }

    fn outcome(&self, call: &ContainerCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        WORDS.outcome(call, outcome, self.empty.as_ref())
    }

    fn initial(&self) -> Bag {
        Bag::default()
    }

    fn outcomes(&self, state: &Bag, call: &ContainerCall, each: &mut dyn FnMut(Value, Bag)) {
        match call {
            ContainerCall::Put(v) => each(Value::Unit, state.with(v)),
            ContainerCall::Take | ContainerCall::Peek if state.is_empty() => {
                each(Value::Nil, state.clone());
            }
            ContainerCall::Take => {
                for v in self.best(state) {
                    if let Some(rest) = state.without(v) {
                        each(v.clone(), rest);
                    }
                }
            }
            ContainerCall::Peek => {
                for v in self.best(state) {
                    each(v.clone(), state.clone());
                }
            }
            ContainerCall::Size => each(state.size(), state.clone()),
            ContainerCall::IsEmpty => each(Value::Bool(state.is_empty()), state.clone()),
        }
    }

    fn nothing(&self) -> Option<&Value> {
        self.empty.as_ref()
    }

    fn may_wait(&self, call: &ContainerCall) -> bool {
        call.may_wait(self)
    }

    fn is_read_only(&self, call: &ContainerCall) -> bool {
        call.is_read_only()
    }

    fn observes(&self, call: &ContainerCall, outcome: &Outcome) -> bool {
        call.observes(outcome)
    }

    fn family(&self, call: &ContainerCall, outcome: &Outcome) -> Family {
        call.family(outcome, self)
    }

    fn meets(&self, call: &ContainerCall, outcome: &Outcome) -> Meeting {
        call.meets(outcome, self)
    }

    fn hands_over(&self, call: &ContainerCall, outcome: &Outcome) -> HandOver {
        call.hands_over(outcome)
    }

    fn weight(&self, state: &Bag) -> usize {
        state.weight()
    }

    fn show(&self, state: &Bag) -> String {
        state.to_string()
    }
}
