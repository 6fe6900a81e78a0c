//! Why the run fails: the lines of it that matter, and what holds between them.

use super::Span;
use serde::{Deserialize, Serialize};

/// A slice of the failing run, annotated with invariants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// What was taken into account: `ds` data; `cs` control; `hs` the order of writes of several threads. `ds+cs+hs` is everything.
    pub level: String,
    /// Whether the slice contains the accesses that decided the run.
    pub reflects: bool,
    /// The lines that matter, in the order in which they ran.
    pub lines: Vec<Reason>,
    /// Dependencies between them.
    pub links: Vec<Link>,
    /// How many lines ran, each as often as it did.
    pub executed: u64,
    /// How many statements were recorded.
    pub statements: u64,
    /// How many of these are in the slice.
    pub kept: u64,
    /// Lines that the nearest good run executes and this one does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<Absent>,
}

/// One execution of one source line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// Who ran it, from 0.
    pub thread: u32,
    /// Where it stands.
    pub span: Span,
    /// The line.
    pub text: String,
    /// What it did to memory: `balance := 30`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deed: Option<String>,
    /// Why it matters.
    pub role: Role,
    /// Whether it matters that the thread before was interrupted here.
    pub switch: bool,
    /// What holds after it and is needed for the failure; empty if that is the same as before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invariant: Vec<String>,
}

/// Why a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A value that it computes.
    Value,
    /// Which way it decides.
    Guard,
    /// Only when it happens.
    Hazard,
}

/// A dependency between two lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The earlier line, an index into `lines`.
    pub from: u32,
    /// The later one.
    pub to: u32,
    /// How the later depends on the earlier.
    pub kind: Dependency,
    /// Through what, if through memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
}

/// How one line depends on an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Dependency {
    /// Reads what it wrote.
    Raw,
    /// Overwrites what it read.
    War,
    /// Overwrites what it wrote.
    Waw,
    /// Runs because of how it decided.
    Control,
}

/// A line that only the nearest good run executes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Absent {
    /// Who runs it there, from 0.
    pub thread: u32,
    /// Where it stands.
    pub span: Span,
    /// The line.
    pub text: String,
    /// The branch that went the other way in the failing run, if it was reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<Span>,
    /// What made it go that way: lines of the failing run, as texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<String>,
}

impl Explanation {
    /// What was taken into account, in words.
    pub fn level_in_words(&self) -> &'static str {
        match self.level.as_str() {
            "ds" => "data",
            "ds+hs" => "data, and writes that came between",
            "ds+cs" => "data, and the branches taken",
            _ => "data, the branches taken, and writes that came between",
        }
    }

    /// Whether both sides of a link stand in code of the user's: lines of the harness and of libraries have no text.
    pub(crate) fn is_told(&self, link: &Link) -> bool {
        let has_text = |line: u32| {
            let line = self.lines.get(line as usize);
            line.is_some_and(|line| !line.text.is_empty())
        };
        has_text(link.from) && has_text(link.to)
    }

    /// How many lines are not shown, and why, in words.
    pub fn left_out(&self) -> String {
        let left = self.executed.saturating_sub(self.lines.len() as u64);
        match left {
            0 => "every line that ran matters".into(),
            1 => "1 line left out: the failure does not depend on it".into(),
            n => format!("{n} lines left out: the failure does not depend on them"),
        }
    }
}
