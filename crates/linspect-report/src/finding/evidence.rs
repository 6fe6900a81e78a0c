//! Why a history violates its criterion.

use super::value::Value;
use serde::{Deserialize, Serialize};

/// Why a history violates its criterion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The independent part that fails, such as the key of a map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Value>,
    /// What went wrong in one sentence, and the operations that it speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headline: Option<Because>,
    /// A small failing sub-history, in order of calls.
    pub core: Vec<u32>,
    /// Whether it is known that without any one operation of `core` the rest passes.
    pub core_is_minimal: bool,
    /// The operation whose result cannot be explained.
    pub refused: u32,
    /// A longest order of effects of operations of the core that the specification allows.
    pub partial: Order,
    /// What `refused` could return in states that are reached with operations of the core.
    pub allowed: Vec<Allowed>,
    /// Every result with which `refused` would let the whole pass, ascending; nothing if that was not found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<Vec<Value>>,
    /// The argument in plain words, line by line.
    pub because: Vec<Because>,
    /// Which algorithm said no.
    pub decider: String,
}

impl Evidence {
    /// Whether it was found out how far an order of effects gets: where a pattern says what is wrong, nobody may have looked.
    pub fn shows_order(&self) -> bool {
        self.partial.total > 0 || !self.allowed.is_empty() || self.core.len() <= 1
    }
}

/// An order in which operations take effect one by one, or the end of a very long one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// How many operations it places.
    pub total: u64,
    /// The last of them, in order.
    pub steps: Vec<Placed>,
}

impl Order {
    /// How many steps come before the first that was kept.
    pub fn left_out(&self) -> u64 {
        self.total.saturating_sub(self.steps.len() as u64)
    }
}

/// One operation taking effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Placed {
    /// Which operation.
    pub operation: u32,
    /// The specification's state after it.
    pub state: String,
}

/// What a call may return from one state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Allowed {
    /// The state.
    pub state: String,
    /// The results possible there; empty: the call is not possible there.
    pub results: Vec<Value>,
}

/// One line of the argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Because {
    /// The line.
    pub text: String,
    /// The operations it speaks of, in the order of the text.
    pub operations: Vec<u32>,
}
