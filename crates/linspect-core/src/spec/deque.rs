//! A double-ended queue.
//!
//! `push_front`/`offer_first`/`add_first`/`push_left` and `push_back`/`offer_last`/`add_last`/`push_right` take a value and
//! return nothing; `pop_front`/`poll_first`/… and `pop_back`/`poll_last`/… return one or `nil`. The Chase–Lev names
//! `push`/`pop` mean the back, `steal` the front. `front`/`peek_first`, `back`/`peek_last`, `size` and `is_empty` look.

use super::spelling::{Folded, Method};
use super::{
    Family, Goods, HandOver, Meeting, RowDeed, Sequence, Spec, Tip, Unfit, found_nothing,
    hands_out, look_meets, put_meets, read_meets, seen, take_meets, taken,
};
use crate::history::Outcome;
use crate::value::Value;

/// A double-ended queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deque {
    /// The object's own spelling of "there was nothing", such as -1.
    pub empty: Option<Value>,
}

/// A call of a [`Deque`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DequeCall {
    /// Puts a value before all others.
    PushFront(Value),
    /// Puts a value after all others.
    PushBack(Value),
    /// Removes the first value.
    PopFront,
    /// Removes the last value.
    PopBack,
    /// Shows the first value.
    Front,
    /// Shows the last value.
    Back,
    /// Counts the values.
    Size,
    /// Whether there are none.
    IsEmpty,
}

impl Spec for Deque {
    type State = Sequence;
    type Call = DequeCall;

    fn name(&self) -> &str {
        "deque"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<DequeCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        let nullary = |call| m.nothing(argument).map(|()| call);
        let element = || m.element(argument, self.empty.as_ref());
        match Folded::new(method).as_str() {
            "pushfront" | "offerfirst" | "addfirst" | "pushleft" | "pushfirst" | "enqueuefront" => {
                element().map(DequeCall::PushFront)
            }
            "pushback" | "offerlast" | "addlast" | "pushright" | "pushlast" | "enqueueback"
            | "push" => element().map(DequeCall::PushBack),
            "popfront" | "pollfirst" | "removefirst" | "popleft" | "popfirst" | "dequeuefront"
            | "steal" => nullary(DequeCall::PopFront),
            "popback" | "polllast" | "removelast" | "popright" | "poplast" | "dequeueback"
            | "pop" => nullary(DequeCall::PopBack),
            "front" | "peekfirst" | "peekfront" | "first" => nullary(DequeCall::Front),
            "back" | "peeklast" | "peekback" | "last" => nullary(DequeCall::Back),
            "size" | "len" | "length" | "count" => nullary(DequeCall::Size),
            "isempty" | "empty" => nullary(DequeCall::IsEmpty),
            _ => Err(m.unknown(
                "push_front, push_back, pop_front, pop_back, front, back, size, is_empty",
            )),
        }
    }

    fn outcome(&self, call: &DequeCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        match call {
            DequeCall::PushFront(v) => method("push_front").done(outcome, Some(v)),
            DequeCall::PushBack(v) => method("push_back").done(outcome, Some(v)),
            DequeCall::PopFront => method("pop_front").taken(outcome, self.empty.as_ref()),
            DequeCall::PopBack => method("pop_back").taken(outcome, self.empty.as_ref()),
            DequeCall::Front => method("front").taken(outcome, self.empty.as_ref()),
            DequeCall::Back => method("back").taken(outcome, self.empty.as_ref()),
            DequeCall::Size => method("size").count(outcome),
            DequeCall::IsEmpty => method("is_empty").truth(outcome),
        }
    }

    fn initial(&self) -> Sequence {
        Sequence::default()
    }

    fn outcomes(&self, state: &Sequence, call: &DequeCall, each: &mut dyn FnMut(Value, Sequence)) {
        match call {
            DequeCall::PushFront(v) => each(Value::Unit, state.with_first(v)),
            DequeCall::PushBack(v) => each(Value::Unit, state.with_last(v)),
            DequeCall::PopFront => match state.first() {
                Some(v) => each(v.clone(), state.without_first()),
                None => each(Value::Nil, state.clone()),
            },
            DequeCall::PopBack => match state.last() {
                Some(v) => each(v.clone(), state.without_last()),
                None => each(Value::Nil, state.clone()),
            },
            DequeCall::Front => each(state.first().cloned().unwrap_or(Value::Nil), state.clone()),
            DequeCall::Back => each(state.last().cloned().unwrap_or(Value::Nil), state.clone()),
            DequeCall::Size => each(state.size(), state.clone()),
            DequeCall::IsEmpty => each(Value::Bool(state.is_empty()), state.clone()),
        }
    }

    fn successors(
        &self,
        state: &Sequence,
        call: &DequeCall,
        outcome: &Outcome,
        each: &mut dyn FnMut(Sequence),
    ) {
        let given = match call {
            DequeCall::PopFront => Some(state.first()),
            DequeCall::PopBack => Some(state.last()),
            _ => None,
        };
        if let (Some(given), Some(seen)) = (given, outcome.value())
            && given.unwrap_or(&Value::Nil) != seen
        {
            return;
        }
        super::matching_outcomes(self, state, call, outcome, each);
    }

    fn nothing(&self) -> Option<&Value> {
        self.empty.as_ref()
    }

    fn may_wait(&self, call: &DequeCall) -> bool {
        use DequeCall::{Back, Front, PopBack, PopFront};
        matches!(call, PopFront | PopBack | Front | Back)
    }

    fn is_read_only(&self, call: &DequeCall) -> bool {
        matches!(
            call,
            DequeCall::Front | DequeCall::Back | DequeCall::Size | DequeCall::IsEmpty
        )
    }

    fn observes(&self, call: &DequeCall, outcome: &Outcome) -> bool {
        self.is_read_only(call) || found_nothing(outcome)
    }

    fn meets(&self, call: &DequeCall, outcome: &Outcome) -> Meeting {
        match call {
            DequeCall::PushFront(v) | DequeCall::PushBack(v) => put_meets(v),
            DequeCall::PopFront | DequeCall::PopBack => take_meets(outcome),
            DequeCall::Front | DequeCall::Back => read_meets(outcome),
            DequeCall::Size | DequeCall::IsEmpty => look_meets(outcome),
        }
    }

    fn hands_over(&self, call: &DequeCall, outcome: &Outcome) -> HandOver {
        match call {
            DequeCall::PushFront(v) | DequeCall::PushBack(v) => {
                HandOver::Adds(Goods::Value(v.clone()))
            }
            DequeCall::PopFront | DequeCall::PopBack => hands_out(outcome),
            DequeCall::Front | DequeCall::Back | DequeCall::Size | DequeCall::IsEmpty => {
                HandOver::Nothing
            }
        }
    }

    fn family(&self, call: &DequeCall, outcome: &Outcome) -> Family {
        match call {
            DequeCall::PushFront(v) | DequeCall::PushBack(v) => Family::Of(v.clone()),
            DequeCall::PopFront | DequeCall::PopBack => taken(outcome),
            DequeCall::Front | DequeCall::Back => seen(outcome),
            DequeCall::IsEmpty if *outcome == Outcome::Returned(Value::Bool(true)) => Family::Alike,
            _ => Family::Mixed,
        }
    }

    fn in_row<'c>(&self, call: &'c DequeCall) -> Option<RowDeed<'c>> {
        Some(match call {
            DequeCall::PushFront(v) => RowDeed::Put(Tip::Front, v),
            DequeCall::PushBack(v) => RowDeed::Put(Tip::Back, v),
            DequeCall::PopFront => RowDeed::Take(Tip::Front),
            DequeCall::PopBack => RowDeed::Take(Tip::Back),
            DequeCall::Front => RowDeed::Look(Tip::Front),
            DequeCall::Back => RowDeed::Look(Tip::Back),
            DequeCall::Size => RowDeed::Count,
            DequeCall::IsEmpty => RowDeed::IsEmpty,
        })
    }

    fn weight(&self, state: &Sequence) -> usize {
        state.weight()
    }

    fn show(&self, state: &Sequence) -> String {
        state.to_string()
    }
}
