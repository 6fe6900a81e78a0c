//! Data races.

use super::{Replay, Span};
use serde::{Deserialize, Serialize};

/// Two accesses that race: one writes, one is not atomic, and nothing orders them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DataRace {
    /// What both access, by a stable name.
    pub variable: String,
    /// The two, in the order of the run that shows them.
    pub accesses: Vec<RacingAccess>,
    /// What does not order them, as a sentence.
    pub unordered: String,
    /// How to see it happen again.
    pub replay: Replay,
}

/// One of two accesses that race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RacingAccess {
    /// What the thread is called.
    pub thread: String,
    /// What it does: `reads it`.
    pub does: String,
    /// Where it stands in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}
