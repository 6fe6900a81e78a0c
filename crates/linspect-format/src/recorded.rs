//! What was read: a history and what its file says about it.

use crate::detect::Format;
use crate::nemesis::Disturbance;
use linspect_core::history::History;
use linspect_core::value::Value;

/// A history as it was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The operations.
    pub history: History,
    /// Per operation, the line of its call, from 1.
    pub lines: Vec<u32>,
    /// Per operation, the line that says how it ended; that of its call if none does.
    pub ends: Vec<u32>,
    /// What the times are counted in, if that is known: `ns`, `ms`, …
    pub unit: Option<String>,
    /// What somebody did to the system meanwhile, in order of its beginning.
    pub disturbances: Vec<Disturbance>,
    /// How it was written.
    pub format: Format,
    /// The specification that the file names, or that its format implies.
    pub spec: Option<String>,
    /// The object's initial value, if the file names it or its format implies it.
    pub initial: Option<Value>,
    /// How many operations were recorded as failed, that is: they did not happen and are left out.
    pub failed: u64,
    /// How many events were left out because no client made them.
    pub ignored: u64,
}
