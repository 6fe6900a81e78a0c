//! What to make atomic, and what was checked of it.

use super::{DataRace, RacingAccess, Span};
use serde::{Deserialize, Serialize};

/// What to make atomic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Repairs {
    /// The repairs, best first; each was re-checked.
    pub found: Vec<Repair>,
    /// What else there is to say, such as that the object is wrong even when every method runs alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One way to make the violation impossible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Repair {
    /// The blocks that must each be one step.
    pub blocks: Vec<Span>,
    /// The statements of other threads that interfere.
    pub interfering: Vec<Span>,
    /// What was run with the repair in place, all of it clean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recheck: Option<Recheck>,
    /// What is known of it beyond the clients that it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<Validation>,
    /// The change in the idiom of the language, where its shape is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What else there is to say of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Variables that are raced for outside of the blocks: those data races are not ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub races_left: Vec<String>,
}

impl Repair {
    /// The variables of those `races` of which a side lies outside of the blocks.
    pub fn leaves(&self, races: &[DataRace]) -> Vec<String> {
        let holds = |at: &Span| {
            let mut blocks = self.blocks.iter();
            blocks.any(|b| b.file == at.file && (b.line..=b.last_line).contains(&at.line))
        };
        let is_held = |a: &RacingAccess| a.span.as_ref().is_some_and(holds);
        let left = races.iter().filter(|r| !r.accesses.iter().all(is_held));
        let mut left: Vec<String> = left.map(|r| r.variable.clone()).collect();
        left.sort();
        left.dedup();
        left
    }
}

/// What was run with a repair in place, all of it clean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Recheck {
    /// How many clients: the failing one first.
    pub clients: u64,
    /// Whether all their executions were run.
    pub exhausted: bool,
    /// How many executions.
    pub executions: u64,
    /// Classes of correct executions before the repair.
    pub good: u64,
    /// How many of these it makes impossible.
    pub disabled: u64,
}

/// What is known of a repair beyond the clients that it was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Validation {
    /// How many other clients were run.
    pub clients: u64,
    /// Of how many all executions were run.
    pub exhausted: u64,
    /// How many operations the largest has.
    pub operations: u64,
    /// How many executions.
    pub executions: u64,
    /// How many clients are wrong even if each operation runs alone: they say nothing about the repair.
    #[serde(default)]
    pub serial: u64,
    /// Whether one of them still fails.
    #[serde(default)]
    pub fails: bool,
}
