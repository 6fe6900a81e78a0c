//! Faults, the threads that wait for ever, and what shows them again.

use super::Span;
use serde::{Deserialize, Serialize};

/// How to see it happen again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// The exact command.
    pub command: String,
    /// The token in it, which names the schedule.
    pub token: String,
    /// What was typed after `linspect test`, as far as it says what the program is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
}

/// Something that no correct program does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// What kind of wrong, such as `use after free` or `deadlock`.
    pub kind: String,
    /// In words, with the values.
    pub message: String,
    /// Where it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// The other place that belongs to it: the allocation of a leak, the free of a use after free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub related: Option<Span>,
    /// Where nobody can go on: who waits for what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<Wait>,
}

impl Fault {
    /// What it is called: `USE AFTER FREE`.
    pub(crate) fn name(&self) -> String {
        match self.kind.as_str() {
            "aborted" if self.message.starts_with("panicked") => "PANIC".into(),
            kind => kind.to_uppercase(),
        }
    }
}

/// A thread that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// What the thread is called.
    pub thread: String,
    /// What for, as a phrase: `for b`.
    pub what: String,
    /// Who holds that, if it is a lock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<String>,
    /// The locks that it holds itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<String>,
    /// Where it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}

impl Wait {
    /// What an operation waits for that is a future: its thread polls it again only then.
    pub const FOR_WAKER: &str = "to be polled again: nobody calls its waker";

    /// Whether it is a future that nobody wakes.
    pub fn is_for_waker(&self) -> bool {
        self.what == Self::FOR_WAKER
    }

    /// Begins a phrase of who waits for a call at a condition variable or the like.
    pub const TO_BE_WOKEN: &str = "to be woken at ";

    /// What a thread waits for that has parked itself.
    pub const TO_BE_UNPARKED: &str = "to be unparked";

    /// Where it would have to be woken, if that is what it waits for.
    pub fn woken_at(&self) -> Option<&str> {
        self.what.strip_prefix(Self::TO_BE_WOKEN)
    }

    /// Whether it only waits for the end of another thread.
    pub fn is_join(&self) -> bool {
        self.what.starts_with("for ") && self.what.ends_with(" to end")
    }
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
