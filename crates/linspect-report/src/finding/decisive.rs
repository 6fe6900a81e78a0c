//! Who goes first decides: races between steps.

use super::Span;
use serde::{Deserialize, Serialize};

/// A decisive race: who goes first decides how the run can end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Race {
    /// The step of the interleaving at which it was decided, from 0.
    pub step: u32,
    /// The competitors; exactly one of them went first in this run.
    pub sides: Vec<Side>,
}

/// One competitor of a race, and what follows if it goes first, as verified by execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Who it is.
    pub thread: u32,
    /// What it would do: `CAS(head, 1 → 2)`.
    pub text: String,
    /// Where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// Whether it went first in this run.
    pub taken: bool,
    /// How many continuations then end well. Where there are too many for 64 bits, both numbers are divided by the same power of two; the largest
    /// 64-bit number stands for more than could be counted.
    pub good: u64,
    /// How many end badly.
    pub bad: u64,
    /// Whether there are continuations that nobody has looked at, so that the numbers are only of those that were.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partly: bool,
}

/// More continuations than this are told as a share of all.
const COUNTED: u64 = 1_000_000;

impl Side {
    /// What follows if it goes first, in words.
    pub fn promise(&self) -> String {
        let all = self.good.saturating_add(self.bad);
        match (self.good, self.bad) {
            (0, 0) if self.partly => "nobody has looked what follows".into(),
            (_, 0) if self.partly => "no continuation that was looked at fails".into(),
            (0, _) if self.partly => "every continuation that was looked at fails".into(),
            (_, 0) => "every continuation is correct".into(),
            (0, _) => "every continuation fails".into(),
            (u64::MAX, _) | (_, u64::MAX) => "some continuations fail".into(),
            (_, bad) if all <= COUNTED => format!("{bad} of {all} continuations fail"),
            (_, bad) => match bad as f64 / all as f64 {
                share if share < 0.001 => "fewer than 1 in 1000 continuations fail".into(),
                share if share < 0.01 => "fewer than 1 in 100 continuations fail".into(),
                share if share > 0.99 => "nearly every continuation fails".into(),
                share => format!("about {:.0} % of the continuations fail", share * 100.0),
            },
        }
    }
}
