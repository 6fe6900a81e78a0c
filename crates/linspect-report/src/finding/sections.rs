//! What the later steps of the pipeline add to a finding.
//!
//! Only what every report needs is fixed here: texts, values and source positions. How a step came to
//! know them stays with that step.

use super::value::Value;
use serde::{Deserialize, Serialize};

/// A test case: a sequential prefix, threads, a sequential suffix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MinimalTest {
    /// Calls made before the threads start.
    pub before: Vec<Call>,
    /// What each thread calls.
    pub threads: Vec<Vec<Call>>,
    /// Calls made when all threads have ended.
    pub after: Vec<Call>,
    /// Whether the removal of each operation was tried exhaustively, so that none can go.
    pub certified: bool,
    /// The same test as source code to paste into a project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// One call of a test, with the result it had in the failing run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// What is called.
    pub method: String,
    /// With what.
    pub argument: Value,
    /// What came back; absent if it did not return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Whether this is the result that cannot be, and what would have been allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impossible: Option<String>,
}

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The first line, from 1.
    pub line: u32,
    /// The last line.
    pub last_line: u32,
    /// The function, in the source's words.
    pub function: String,
}

/// The failing interleaving, reduced to what matters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// The lines that matter, in the order in which they ran.
    pub lines: Vec<Line>,
    /// How many events were left out because they do not affect the result.
    pub left_out: u64,
    /// The one different choice that saves the run, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contrast: Option<String>,
}

/// One line of the failing interleaving.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Who ran it.
    pub thread: u32,
    /// Where it stands.
    pub span: Span,
    /// What it did, with values: `curr = pred.next → node#1`.
    pub text: String,
    /// Which race of `races` this line decides, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub race: Option<u32>,
    /// What holds after it and is needed for the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant: Option<String>,
}

/// A decisive race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Race {
    /// The competing accesses; the first one won.
    pub accesses: Vec<Access>,
    /// What follows if another side wins, as verified by execution.
    pub promise: String,
}

/// One access to memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// Who makes it.
    pub thread: u32,
    /// What it does, with the variable and values: `CAS(head, 1 → 2) ok`.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// What to make atomic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Repair {
    /// The blocks that must each be one step.
    pub blocks: Vec<Span>,
    /// The statements of other threads that interfere.
    pub interfering: Vec<Span>,
    /// What was run with the repair in place, and that it was clean.
    pub rechecked: String,
    /// The change in the idiom of the language, where its shape is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// How to see it happen again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// The exact command.
    pub command: String,
    /// The token in it, which names the schedule.
    pub token: String,
}

/// A source file as it was when the finding was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// The path, as spans name it.
    pub path: String,
    /// The text.
    pub text: String,
}
