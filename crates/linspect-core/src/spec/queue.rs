//! A first-in first-out queue, bounded or not.
//!
//! `enqueue`/`enq`/`push`/`offer`/`add`/`put`/`send` takes a value and returns nothing, or `false` where a bounded queue
//! was full. `dequeue`/`deq`/`pop`/`poll`/`remove`/`take`/`recv` returns the oldest value, `peek`/`front` shows it, both
//! give `nil` where there is none. `size`/`len` and `is_empty` look.

use super::spelling::{Folded, Method, is_empty_mark};
use super::view::{Access, Container};
use super::{Family, Leaves, Sequence, Spec, Unfit, added, found_nothing, seen, taken};
use crate::history::Outcome;
use crate::value::Value;

/// A first-in first-out queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// How many values it holds at most.
    pub capacity: Option<usize>,
    /// The object's own spelling of "there was nothing", such as -1.
    pub empty: Option<Value>,
}

/// A call of a [`Queue`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum QueueCall {
    /// Appends a value.
    Enqueue(Value),
    /// Removes the oldest value.
    Dequeue,
    /// Shows the oldest value.
    Peek,
    /// Counts the values.
    Size,
    /// Whether there are none.
    IsEmpty,
}

impl Container for Queue {
    fn access(&self, method: &str) -> Option<Access> {
        Some(match Folded::new(method).as_str() {
            "enqueue" | "enq" | "push" | "offer" | "add" | "put" | "send" | "pushback"
            | "insert" | "tryenqueue" | "trypush" | "trysend" | "produce" => Access::Put,
            "dequeue" | "deq" | "pop" | "poll" | "remove" | "take" | "recv" | "receive"
            | "popfront" | "trydequeue" | "trypop" | "tryrecv" | "consume" => Access::Take,
            "peek" | "front" | "first" | "head" => Access::Peek,
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

impl Spec for Queue {
    type State = Sequence;
    type Call = QueueCall;

    fn name(&self) -> &str {
        "queue"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<QueueCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        let nullary = |call| m.nothing(argument).map(|()| call);
        match self.access(method) {
            Some(Access::Put) => m
                .element(argument, self.empty.as_ref())
                .map(QueueCall::Enqueue),
            Some(Access::Take) => nullary(QueueCall::Dequeue),
            Some(Access::Peek) => nullary(QueueCall::Peek),
            Some(Access::Size) => nullary(QueueCall::Size),
            Some(Access::IsEmpty) => nullary(QueueCall::IsEmpty),
            Some(Access::TakeThis) | None => {
                Err(m.unknown("enqueue, dequeue, peek, size, is_empty"))
            }
        }
    }

    fn outcome(&self, call: &QueueCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        match call {
            QueueCall::Enqueue(v) => method("enqueue").done_or_not(outcome, Some(v)),
            QueueCall::Dequeue => method("dequeue").taken(outcome, self.empty.as_ref()),
            QueueCall::Peek => method("peek").taken(outcome, self.empty.as_ref()),
            QueueCall::Size => method("size").count(outcome),
            QueueCall::IsEmpty => method("is_empty").truth(outcome),
        }
    }

    fn initial(&self) -> Sequence {
        Sequence::default()
    }

    fn outcomes(&self, state: &Sequence, call: &QueueCall, each: &mut dyn FnMut(Value, Sequence)) {
        match call {
            QueueCall::Enqueue(_) if self.capacity.is_some_and(|c| state.len() >= c) => {
                each(Value::Bool(false), state.clone());
            }
            QueueCall::Enqueue(v) => each(Value::Unit, state.with_last(v)),
            QueueCall::Dequeue => match state.first() {
                Some(v) => each(v.clone(), state.without_first()),
                None => each(Value::Nil, state.clone()),
            },
            QueueCall::Peek => each(state.first().cloned().unwrap_or(Value::Nil), state.clone()),
            QueueCall::Size => each(state.size(), state.clone()),
            QueueCall::IsEmpty => each(Value::Bool(state.is_empty()), state.clone()),
        }
    }

    fn successors(
        &self,
        state: &Sequence,
        call: &QueueCall,
        outcome: &Outcome,
        each: &mut dyn FnMut(Sequence),
    ) {
        // Most dequeues are refused in most states: find that out before a state is built.
        if let (QueueCall::Dequeue, Some(seen)) = (call, outcome.value())
            && state.first().unwrap_or(&Value::Nil) != seen
        {
            return;
        }
        super::matching_outcomes(self, state, call, outcome, each);
    }

    fn nothing(&self) -> Option<&Value> {
        self.empty.as_ref()
    }

    fn is_read_only(&self, call: &QueueCall) -> bool {
        matches!(call, QueueCall::Peek | QueueCall::Size | QueueCall::IsEmpty)
    }

    fn observes(&self, call: &QueueCall, outcome: &Outcome) -> bool {
        self.is_read_only(call) || found_nothing(outcome)
    }

    fn family(&self, call: &QueueCall, outcome: &Outcome) -> Family {
        match call {
            QueueCall::Enqueue(_) if self.capacity.is_some() && !added(outcome) => Family::Mixed,
            QueueCall::Enqueue(v) => Family::Of(v.clone()),
            QueueCall::Dequeue => taken(outcome),
            QueueCall::Peek => seen(outcome),
            QueueCall::IsEmpty if *outcome == Outcome::Returned(Value::Bool(true)) => Family::Alike,
            _ => Family::Mixed,
        }
    }

    fn line<'s>(&self, state: &'s Sequence) -> Option<&'s Sequence> {
        Some(state)
    }

    fn leaves(&self, call: &QueueCall, outcome: &Outcome) -> Leaves {
        match (call, outcome) {
            (QueueCall::Dequeue, Outcome::Returned(Value::Nil)) => Leaves::Nothing,
            (QueueCall::Dequeue, Outcome::Returned(_)) => Leaves::This,
            (QueueCall::Dequeue, _) => Leaves::Any,
            _ => Leaves::Nothing,
        }
    }

    fn weight(&self, state: &Sequence) -> usize {
        state.weight()
    }

    fn show(&self, state: &Sequence) -> String {
        state.to_string()
    }
}
