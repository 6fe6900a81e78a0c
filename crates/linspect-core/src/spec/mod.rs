//! What an object should do: a sequential specification.
//!
//! The trait comes first, the built-in specifications stand one per file, [`Builtin`] chooses among them by name.
//!
//! Method names are compared without case, `-` and `_`, and the usual synonyms are accepted (`enq`, `enqueue`,
//! `offer`, …). Results have spellings too; [`Spec::outcome`] makes them one. All built-in specifications agree on:
//!
//! * a method that returns nothing of interest (`enqueue`, `write`) may be recorded as `()`, `nil`, `true`, 1, `"ok"`, or
//!   with its own argument, as Jepsen does;
//! * a method that returns something, recorded as `()`, was recorded without its result: any result matches;
//! * a method that returns a truth value may be recorded as `0` or `1`;
//! * a container that had nothing to give returns `nil`, `false` or `"empty"`, so these cannot be its elements.

use crate::history::Outcome;
use crate::value::Value;
use std::fmt::Debug;
use std::hash::Hash;

mod bag;
mod barrier;
mod builtin;
mod cas_register;
mod container;
mod counter;
mod deque;
mod erased;
mod exchanger;
mod kv_map;
mod may_fail;
mod model;
mod multiset;
mod mutex;
mod pair_snapshot;
mod priority_queue;
mod queue;
mod register;
mod rendezvous;
mod row;
mod semaphore;
mod sequence;
mod set;
mod spelling;
mod stack;
mod view;

pub use bag::Bag;
pub use barrier::Barrier;
pub use builtin::{BadChoice, Builtin, Options, Visitor};
pub use cas_register::{CasRegister, CasRegisterCall};
pub use container::ContainerCall;
pub use counter::{Counter, CounterCall};
pub use deque::{Deque, DequeCall};
pub use erased::{AnyCall, AnyState, Erased};
pub use exchanger::{Exchanger, ExchangerCall};
pub use kv_map::{KvMap, KvMapCall, KvMethod};
pub use may_fail::{MayFail, MayFailCall};
pub use model::{BadRule, Rulebook, RulebookCall};
pub use multiset::{Multiset, MultisetCall};
pub use mutex::{Mutex, MutexCall};
pub use pair_snapshot::{PairSnapshot, PairSnapshotCall};
pub use priority_queue::PriorityQueue;
pub use queue::Queue;
pub use register::{Register, RegisterCall};
pub use rendezvous::{Rendezvous, RendezvousCall};
pub use row::{RowDeed, Tip};
pub use semaphore::{Semaphore, SemaphoreCall};
pub use sequence::Sequence;
pub(crate) use sequence::{BASE, INVERSE};
pub use set::{Set, SetCall};

pub use stack::Stack;
pub(crate) use view::{Access, Container, RegisterDeed, RegisterLike, ValueAccess};

/// What a call has to do with what its caller holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Nothing.
    Nothing,
    /// The caller holds something from then on; callers that hold it promise not to make the call again.
    Takes,
    /// The caller gives back what it took; callers that hold nothing promise not to make the call.
    GivesBack,
}

/// A sequential specification: from a state, a call leads to one or more (result, next state) pairs.
///
/// A deterministic object has exactly one outcome per call. A nondeterministic one, such as a pool that may
/// hand out any element, has several. A call that is not possible in a state, such as acquiring a held
/// mutex, has none.
///
/// Your own takes ten lines. A dispenser of tickets, of which no two customers get the same:
///
/// ```
/// use linspect_core::check::{Alone, Question, Unlimited};
/// use linspect_core::history::History;
/// use linspect_core::spec::{Spec, Unfit};
/// use linspect_core::value::Value;
/// use linspect_core::verdict::{Criterion, Verdict};
///
/// struct Tickets;
/// impl Spec for Tickets {
///     type State = i64;
///     type Call = ();
///     fn name(&self) -> &str { "tickets" }
///     fn call(&self, _method: &str, _argument: &Value) -> Result<(), Unfit> { Ok(()) }
///     fn initial(&self) -> i64 { 1 }
///     fn outcomes(&self, next: &i64, _call: &(), each: &mut dyn FnMut(Value, i64)) {
///         each(Value::Int(*next), next + 1);
///     }
/// }
///
/// let mut history = History::new();
/// history.push(0, "take", (), 2, 0, 10); // both at the same time:
/// history.push(1, "take", (), 1, 5, 15); // fine
/// history.push(0, "take", (), 2, 20, 30); // again?
/// let answer = Question::new(&history, &Tickets, Criterion::Linearizable)?.check(&Alone, &Unlimited);
/// let Verdict::Violated(evidence) = answer.verdict else { panic!("two customers have ticket 2") };
/// assert_eq!(evidence.instead, Some(vec![Value::Int(3)]));
/// # Ok::<(), linspect_core::check::Misfit>(())
/// ```
pub trait Spec: Sync {
    /// The abstract state.
    type State: Clone + Eq + Hash + Debug + 'static;
    /// A method with its argument, understood once when a history is loaded.
    type Call: Clone + Debug + Send + Sync + 'static;

    /// The name a user chooses it by.
    fn name(&self) -> &str;

    /// Understands a call, or says why this object has no such call.
    fn call(&self, method: &str, argument: &Value) -> Result<Self::Call, Unfit>;

    /// Understands how a call ended: different spellings of the same result become one. Says why, if this call never
    /// ends so in any state.
    ///
    /// Whoever loads a history passes every outcome through this once; [`Spec::outcomes`] and [`Spec::successors`]
    /// speak of the results that come out of it.
    fn outcome(&self, _call: &Self::Call, outcome: &Outcome) -> Result<Outcome, Unfit> {
        Ok(outcome.clone())
    }

    /// What the object itself returns where the specification says `nil`, if that is something else.
    fn nothing(&self) -> Option<&Value> {
        None
    }

    /// The state before any operation.
    fn initial(&self) -> Self::State;

    /// Reports to `each` every way in which `call` may end from `state`.
    fn outcomes(
        &self,
        state: &Self::State,
        call: &Self::Call,
        each: &mut dyn FnMut(Value, Self::State),
    );

    /// Reports to `each` every state after `call` ended with `outcome`.
    ///
    /// Worth overriding where comparing the result first avoids building a state.
    fn successors(
        &self,
        state: &Self::State,
        call: &Self::Call,
        outcome: &Outcome,
        each: &mut dyn FnMut(Self::State),
    ) {
        matching_outcomes(self, state, call, outcome, each);
    }

    /// Whether it counts who calls. A call whose argument names nobody is then that of its process ([`caller`]).
    fn asks_who(&self) -> bool {
        false
    }

    /// How many calls of different callers take effect at one moment, at most. One, unless operations meet: whoever sends through a channel without a place
    /// and whoever receives from it do so at once, and neither can alone.
    fn most_together(&self) -> usize {
        1
    }

    /// Reports to `each` every way in which all of `calls`, two or more of different callers, take effect at one moment: their results in the order of the calls, and
    /// the state after them.
    ///
    /// A history is then right if each operation can be given a moment between its call and its return so that what happens at one moment is allowed, one
    /// after the other (set-linearizability: Neiger, PODC 1994; concurrency-aware linearizability: Hemed, Rinetzky, Vafeiadis, DISC 2015).
    fn together(
        &self,
        _state: &Self::State,
        _calls: &[&Self::Call],
        _each: &mut dyn FnMut(&[Value], Self::State),
    ) {
    }

    /// Whether `call` never changes the state, whatever it returns.
    fn is_read_only(&self, _call: &Self::Call) -> bool {
        false
    }

    /// Whether a caller of `call` may have to wait for others: until there is something to take, room, or a free lock. Who waits in a call that never waits is hindered by what
    /// the specification knows nothing of.
    fn may_wait(&self, _call: &Self::Call) -> bool {
        true
    }

    /// Whether `call` leaves the state as it is whenever it ends with `outcome`: a read, a failed compare-and-set, a pop
    /// that found nothing.
    ///
    /// Deciders place such operations as soon as they fit. Saying no is always right, only slower.
    fn observes(&self, call: &Self::Call, _outcome: &Outcome) -> bool {
        self.is_read_only(call)
    }

    /// Whether `call` gives its caller something to hold, or needs what the caller holds: who unlocks has locked.
    fn hold(&self, _call: &Self::Call) -> Hold {
        Hold::Nothing
    }

    /// About how many bytes `state` holds outside of itself. Used for memory limits only.
    fn weight(&self, _state: &Self::State) -> usize {
        0
    }

    /// The independent part of the object that `call` works on, such as the key of a map.
    ///
    /// A history may be taken apart only if each of its calls has a part: one call that sees the whole object, such
    /// as the size of a set, keeps it together. Parts are decided one by one (P-compositionality:
    /// Horn and Kroening, FORTE 2015).
    fn part(&self, _call: &Self::Call) -> Option<Value> {
        None
    }

    /// Which operations belong together with this one when a history is shortened.
    ///
    /// The promise: leave out all operations of any one family from a legal sequence of operations, and what is left is
    /// legal. So an object whose elements do not know of each other, such as a queue, has a family per element.
    fn family(&self, _call: &Self::Call, _outcome: &Outcome) -> Family {
        Family::Mixed
    }

    /// What an operation that ended so has to do with single values.
    ///
    /// The promise: if no operation of a legal sequence [sees](Sees) anything, that is, more than single values, then one that
    /// leaves a value which none of them sees can be left out, together with those that had no effect because of it and those
    /// that took this value away, which nobody heard of. So a pending write of a value that nobody reads need not be tried.
    fn meets(&self, _call: &Self::Call, _outcome: &Outcome) -> Meeting {
        Meeting {
            sees: Sees::Anything,
            leaves: None,
        }
    }

    /// What `call` does to elements in a row, if the object is nothing but a row of elements: then a search needs no states of it.
    fn in_row<'c>(&self, _call: &'c Self::Call) -> Option<RowDeed<'c>> {
        None
    }

    /// How many elements such a row holds at most.
    fn room(&self) -> usize {
        usize::MAX
    }

    /// What an operation that ended so hands over from the caller who adds it to the one who takes it out. Whoever takes a value out of a queue relies on what was
    /// written before it was added, and whoever takes a lock on what was written before it was given back; nobody relies on that who reads a register.
    fn hands_over(&self, _call: &Self::Call, _outcome: &Outcome) -> HandOver {
        HandOver::Nothing
    }

    /// How many permits there are before any operation: whoever takes one of them comes after nobody. A lock is one permit.
    fn stock(&self) -> u64 {
        0
    }

    /// A state as a person writes it.
    fn show(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }
}

/// The argument of a call by `process`: where it counts who calls and nobody is named, that is its process.
pub fn caller<S: Spec>(spec: &S, process: u32, argument: &Value) -> Value {
    match spec.asks_who() && argument.is_nothing() {
        true => Value::Int(i64::from(process)),
        false => argument.clone(),
    }
}

/// See [`Spec::meets`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// What it saw.
    pub sees: Sees,
    /// The value that is there after it, if it changes anything.
    pub leaves: Option<Value>,
}

/// See [`Spec::hands_over`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandOver {
    /// Nothing.
    Nothing,
    /// It adds this, if it has an effect.
    Adds(Goods),
    /// It took this out.
    Takes(Goods),
}

/// What goes through an object from one thread to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goods {
    /// A value. Whoever takes it out comes after one of those who added it.
    Value(Value),
    /// A lock: a single permit.
    Lock,
    /// So many permits. Each comes from the stock or from a caller who gave it back before, and no two callers take the same.
    Permits(u64),
}

impl Goods {
    /// How many permits they are; nothing if they are a value.
    pub fn permits(&self) -> Option<u64> {
        match self {
            Self::Value(_) => None,
            Self::Lock => Some(1),
            Self::Permits(count) => Some(*count),
        }
    }
}

/// What an operation saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sees {
    /// Nothing: what it does and returns does not depend on what was there.
    Nothing,
    /// It takes effect only where this value is.
    Only(Value),
    /// What it does or returns may depend on anything.
    Anything,
}

/// A read that ended so.
fn read_meets(outcome: &Outcome) -> Meeting {
    Meeting {
        sees: outcome.value().cloned().map_or(Sees::Nothing, Sees::Only),
        leaves: None,
    }
}

/// An operation that puts `value` in, and is never refused.
fn put_meets(value: &Value) -> Meeting {
    Meeting {
        sees: Sees::Nothing,
        leaves: Some(value.clone()),
    }
}

/// An operation that ended so and takes an element out, or finds nothing.
fn take_meets(outcome: &Outcome) -> Meeting {
    let sees = match outcome {
        Outcome::Pending | Outcome::Returned(Value::Nil) => Sees::Nothing,
        // Without the value that it took, it has to take another.
        Outcome::Unknown | Outcome::Returned(Value::Unit) => Sees::Anything,
        Outcome::Returned(value) => Sees::Only(value.clone()),
    };
    Meeting { sees, leaves: None }
}

/// An operation that ended so and counts the elements, or asks whether there are some.
fn look_meets(outcome: &Outcome) -> Meeting {
    let sees = match outcome {
        Outcome::Returned(_) => Sees::Anything,
        Outcome::Unknown | Outcome::Pending => Sees::Nothing,
    };
    Meeting { sees, leaves: None }
}

/// A compare-and-set that ended so.
fn cas_meets(from: &Value, to: &Value, outcome: &Outcome) -> Meeting {
    let sees = match outcome {
        Outcome::Pending | Outcome::Returned(Value::Bool(true)) => Sees::Only(from.clone()),
        _ => Sees::Anything,
    };
    Meeting {
        sees,
        leaves: Some(to.clone()),
    }
}

/// See [`Spec::family`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// The family of this element.
    Of(Value),
    /// None: it stays legal whichever families are left out.
    Alike,
    /// None: leaving out families may make it illegal. While there is such an operation, no family is left out.
    Mixed,
}

/// [`Spec::successors`] by trying every outcome.
fn matching_outcomes<S: Spec + ?Sized>(
    spec: &S,
    state: &S::State,
    call: &S::Call,
    outcome: &Outcome,
    each: &mut dyn FnMut(S::State),
) {
    spec.outcomes(state, call, &mut |result, next| {
        if outcome.value().is_none_or(|seen| *seen == result) {
            each(next);
        }
    });
}

/// Whether an operation came back with empty hands. Where results are not values of the object's elements, such an
/// operation changed nothing.
fn found_nothing(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Returned(Value::Nil | Value::Bool(false)))
}

/// What an operation hands over that takes an element out and ended so.
fn hands_out(outcome: &Outcome) -> HandOver {
    match outcome {
        Outcome::Returned(value) if !value.is_nothing() && !found_nothing(outcome) => {
            HandOver::Takes(Goods::Value(value.clone()))
        }
        _ => HandOver::Nothing,
    }
}

/// The family of an operation that takes an element out and ended so.
fn taken(outcome: &Outcome) -> Family {
    match outcome {
        // It took something, and then it can no longer take that.
        Outcome::Unknown => Family::Mixed,
        // Who never returned need not have taken anything.
        Outcome::Pending | Outcome::Returned(Value::Nil) => Family::Alike,
        Outcome::Returned(element) => Family::Of(element.clone()),
    }
}

/// The family of an operation that shows an element, or a register's value, and ended so.
fn seen(outcome: &Outcome) -> Family {
    match outcome {
        Outcome::Unknown | Outcome::Pending => Family::Alike,
        Outcome::Returned(element) => Family::Of(element.clone()),
    }
}

/// Whether an operation that may find a container full certainly did not.
fn added(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Returned(Value::Unit))
}

/// A call that a specification does not have: an input error, never a violation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// There is no such method.
    #[error("{spec} has no method `{method}` (it has {known})")]
    Method {
        /// The specification's name.
        spec: String,
        /// The method asked for.
        method: String,
        /// The methods there are.
        known: String,
    },
    /// The method takes another argument.
    #[error("{spec}: `{method}` takes {wanted}, not {found}")]
    Argument {
        /// The specification's name.
        spec: String,
        /// The method.
        method: String,
        /// What it takes.
        wanted: String,
        /// What it was given.
        found: Value,
    },
    /// The method never returns such a value.
    #[error("{spec}: `{method}` returns {wanted}, not {found}")]
    Result {
        /// The specification's name.
        spec: String,
        /// The method.
        method: String,
        /// What it returns.
        wanted: String,
        /// What the history says it returned.
        found: Value,
    },
}
