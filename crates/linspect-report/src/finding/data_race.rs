//! Data races, and values that are handed over without order.

use super::{Replay, Span};
use serde::{Deserialize, Serialize};

/// Two accesses that race: one writes, one is not atomic, and nothing orders them. Or a value that one thread adds to the object and another takes out, and nothing orders the two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DataRace {
    /// What both access, by a stable name; what is handed over.
    pub variable: String,
    /// Whether a value is handed over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hand_over: bool,
    /// The two, in the order of the run that shows them.
    pub accesses: Vec<RacingAccess>,
    /// What does not order them, as a sentence.
    pub unordered: String,
    /// How to see it happen again.
    pub replay: Replay,
}

impl DataRace {
    /// What a data race is called where it is a fault.
    pub const FAULT: &str = "data race";
    /// What a hand-over without order is called where it is a fault.
    pub const HAND_OVER_FAULT: &str = "unordered hand-over";

    /// What it is called where it is a fault.
    pub fn fault(&self) -> &'static str {
        match self.hand_over {
            true => Self::HAND_OVER_FAULT,
            false => Self::FAULT,
        }
    }

    /// What to do about it.
    pub fn to_order(&self) -> String {
        match self.hand_over {
            true => format!(
                "order the hand-over of {}: {}",
                self.variable, self.unordered
            ),
            false => format!(
                "order the two accesses of {}: {}",
                self.variable, self.unordered
            ),
        }
    }

    /// What it is, and of what.
    pub fn title(&self) -> String {
        match self.hand_over {
            true => format!("hand-over of {} without order", self.variable),
            false => format!("data race on {}", self.variable),
        }
    }
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
