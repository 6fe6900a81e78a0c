//! What an object should do: a sequential specification.

use crate::history::Outcome;
use crate::value::Value;
use std::fmt::Debug;
use std::hash::Hash;

/// A sequential specification: from a state, a call leads to one or more (result, next state) pairs.
///
/// A deterministic object has exactly one outcome per call. A nondeterministic one, such as a pool that may
/// hand out any element, has several. A call that is not possible in a state, such as acquiring a held
/// mutex, has none.
pub trait Spec {
    /// The abstract state.
    type State: Clone + Eq + Hash + Debug;
    /// A method with its argument, understood once when a history is loaded.
    type Call: Clone + Debug;

    /// The name a user chooses it by.
    fn name(&self) -> &str;

    /// Understands a call, or says why this object has no such call.
    fn call(&self, method: &str, argument: &Value) -> Result<Self::Call, Unfit>;

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
        self.outcomes(state, call, &mut |result, next| {
            if outcome.value().is_none_or(|seen| *seen == result) {
                each(next);
            }
        });
    }

    /// Whether `call` never changes the state, whatever it returns.
    fn is_read_only(&self, _call: &Self::Call) -> bool {
        false
    }

    /// The independent part of the object that `call` works on, such as the key of a map.
    ///
    /// Either every call has a part or none has. Parts are decided one by one (P-compositionality:
    /// Horn and Kroening, FORTE 2015).
    fn part(&self, _call: &Self::Call) -> Option<Value> {
        None
    }

    /// A state as a person writes it.
    fn show(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }
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
