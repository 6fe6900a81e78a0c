//! A last-in first-out stack, bounded or not.
//!
//! `push`/`add`/`put` takes a value and returns nothing, or `false` where a bounded stack was full. `pop`/`remove`/`take`
//! returns the newest value, `peek`/`top` shows it, both give `nil` where there is none. `size`/`len` and `is_empty` look.

use super::container::{ContainerCall, Words};
use super::spelling::{Folded, is_empty_mark};
use super::view::{Access, Container};
use super::{Family, HandOver, Meeting, RowDeed, Sequence, Spec, Tip, Unfit};
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

const WORDS: Words = Words {
    container: "stack",
    put: "push",
    take: "pop",
    refuses: true,
};

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
            ContainerCall::Take => match state.last() {
                Some(v) => each(v.clone(), state.without_last()),
                None => each(Value::Nil, state.clone()),
            },
            ContainerCall::Peek => each(state.last().cloned().unwrap_or(Value::Nil), state.clone()),
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
        // Most pops are refused in most states: find that out before a state is built.
        if let (ContainerCall::Take, Some(seen)) = (call, outcome.value())
            && state.last().unwrap_or(&Value::Nil) != seen
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
            ContainerCall::Take => RowDeed::Take(Tip::Back),
            ContainerCall::Peek => RowDeed::Look(Tip::Back),
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
        format!("{state} (top last)")
    }
}
