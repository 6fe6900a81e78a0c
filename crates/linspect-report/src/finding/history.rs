//! The operations that clients saw.

use super::value::Value;
use linspect_core::value::Value as Core;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A history, or the part of a very long one around its failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct History {
    /// How many operations were checked.
    pub total: u64,
    /// How many clients (processes, threads) called them.
    pub clients: u64,
    /// How many of them never returned.
    pub pending: u64,
    /// The operations, in order of their calls. Fewer than `total`: the core and a window around the failure.
    pub operations: Vec<Operation>,
    /// What the file of a recorded history says beside that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording: Option<Recording>,
}

/// What the file of a recorded history says beside its operations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// What its times are counted in, if that is known: `ns`, `ms`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// For each operation that is kept, the lines of its call and of its end, from 1.
    pub lines: Vec<(u32, u32)>,
    /// What somebody did to the system meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturbances: Vec<Disturbance>,
}

/// Something that was done to the system while clients worked, such as a partition of its network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Disturbance {
    /// What.
    pub what: String,
    /// What was said of it; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub details: String,
    /// When it began, in the unit of the source.
    pub from: u64,
    /// When it was over; absent if it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
}

impl History {
    /// The operation with this id, if it is among those kept.
    pub fn get(&self, id: u32) -> Option<&Operation> {
        let at = self.operations.binary_search_by_key(&id, |op| op.id).ok()?;
        self.operations.get(at)
    }

    /// Whether some operations were left out.
    pub fn is_window(&self) -> bool {
        (self.operations.len() as u64) < self.total
    }
}

/// One call by one client, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// Its number among all operations that were checked, from 0 in order of calls.
    pub id: u32,
    /// Who called.
    pub process: u32,
    /// What was called.
    pub method: String,
    /// With what: `{}` without arguments, a list for several.
    pub argument: Value,
    /// What came back.
    pub outcome: Outcome,
    /// When it was called, in the unit of the source.
    pub call: u64,
    /// When it returned; absent for a pending operation.
    #[serde(rename = "return", default, skip_serializing_if = "Option::is_none")]
    pub ret: Option<u64>,
}

/// How an operation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It returned this.
    Returned(Value),
    /// It took effect and returned, but nobody knows what.
    Unknown,
    /// It never returned: it may have taken effect or not.
    Pending,
}

impl Operation {
    /// The call as a person writes it: `enqueue(1)`.
    pub fn call_text(&self) -> String {
        let items = self.argument.0.items();
        let arguments: Vec<String> = items.iter().map(ToString::to_string).collect();
        format!("{}({})", self.method, arguments.join(", "))
    }

    /// The outcome as a person writes it: `→ true`; empty where nothing was returned.
    pub fn outcome_text(&self) -> String {
        match &self.outcome {
            Outcome::Returned(Value(Core::Unit)) => String::new(),
            Outcome::Returned(Value(Core::List(items))) if threw(items).is_some() => {
                match threw(items).unwrap_or_default() {
                    panic if panic.starts_with("panicked") => "✗ panicked".into(),
                    message => format!("✗ threw {message}"),
                }
            }
            Outcome::Returned(value) => format!("→ {value}"),
            Outcome::Unknown => "→ ?".into(),
            Outcome::Pending => "… never returned".into(),
        }
    }
}

/// What an operation threw, where its result says that it did.
fn threw(result: &[Core]) -> Option<&str> {
    match result {
        [Core::Text(threw), Core::Text(message)] if **threw == *"threw" => Some(message),
        _ => None,
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.call_text())?;
        match self.outcome_text() {
            none if none.is_empty() => Ok(()),
            outcome => write!(f, " {outcome}"),
        }
    }
}
