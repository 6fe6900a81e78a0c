//! A first-in first-out queue, bounded or not.
//!
//! `enqueue`/`enq`/`push`/`offer`/`add`/`put`/`send` takes a value and returns nothing, or `false` where a bounded queue
//! was full. `dequeue`/`deq`/`pop`/`poll`/`remove`/`take`/`recv` returns the oldest value, `peek`/`front` shows it, both
//! give `nil` where there is none. `size`/`len` and `is_empty` look.

use super::container::{ContainerCall, Words};
use super::spelling::{Folded, is_empty_mark};
use super::view::{Access, Container};
use super::{Family, HandOver, Meeting, RowDeed, Sequence, Spec, Tip, Unfit};
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

const WORDS: Words = Words {
    container: "queue",
    put: "enqueue",
    take: "dequeue",
    refuses: true,
};

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

    fn initial(&self) -> Sequence {
        Sequence::default()
    }

    fn outcomes(
        &self,
        state: &Sequence,
        call: &ContainerCall,
        each: &mut dyn FnMut(Value, Sequence),
    ) {
        match call {
            ContainerCall::Put(_) if self.capacity.is_some_and(|c| state.len() >= c) => {
                each(Value::Bool(false), state.clone());
            }
            ContainerCall::Put(v) => each(Value::Unit, state.with_last(v)),
            ContainerCall::Take => match state.first() {
                Some(v) => each(v.clone(), state.without_first()),
                None => each(Value::Nil, state.clone()),
            },
            ContainerCall::Peek => {
                each(state.first().cloned().unwrap_or(Value::Nil), state.clone());
            }
            ContainerCall::Size => each(state.size(), state.clone()),
            ContainerCall::IsEmpty => each(Value::Bool(state.is_empty()), state.clone()),
        }
    }

    fn successors(
        &self,
        state: &Sequence,
        call: &ContainerCall,
        outcome: &Outcome,
        each: &mut dyn FnMut(Sequence),
    ) {
        // Most dequeues are refused in most states: find that out before a state is built.
        if let (ContainerCall::Take, Some(seen)) = (call, outcome.value())
            && state.first().unwrap_or(&Value::Nil) != seen
        {
            return;
        }
        super::matching_outcomes(self, state, call, outcome, each);
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

    fn in_row<'c>(&self, call: &'c ContainerCall) -> Option<RowDeed<'c>> {
        Some(match call {
            ContainerCall::Put(v) => RowDeed::Put(Tip::Back, v),
            ContainerCall::Take => RowDeed::Take(Tip::Front),
            ContainerCall::Peek => RowDeed::Look(Tip::Front),
            ContainerCall::Size => RowDeed::Count,
            ContainerCall::IsEmpty => RowDeed::IsEmpty,
        })
    }

    fn room(&self) -> usize {
        self.capacity.unwrap_or(usize::MAX)
    }

    fn weight(&self, state: &Sequence) -> usize {
        state.weight()
    }

    fn show(&self, state: &Sequence) -> String {
        state.to_string()
    }
}
