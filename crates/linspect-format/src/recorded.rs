//! What was read: a history and what its file says about it.

use crate::detect::Format;
use crate::nemesis::Disturbance;
use linspect_core::history::{History, Operation};
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
    /// Whether some event sends a `read` with a number or a truth value: where it looks, or what its client read before. The object says which.
    pub has_sent_reads: bool,
}

impl Recorded {
    /// What reads were sent with that may be only what their clients read before.
    pub fn sent_reads(&self) -> impl Iterator<Item = &Value> {
        let operations = self.history.operations.iter();
        let operations = operations.filter(|_| self.has_sent_reads);
        let sent = operations.filter(|operation| is_sent_read(&self.history, operation));
        sent.map(|operation| &operation.argument)
    }

    /// Leaves that out.
    pub fn leave_out_sent_reads(&mut self) {
        let mut operations = std::mem::take(&mut self.history.operations);
        for operation in &mut operations {
            if is_sent_read(&self.history, operation) {
                operation.argument = Value::Unit;
            }
        }
        self.history.operations = operations;
        self.has_sent_reads = false;
    }
}

fn is_sent_read(history: &History, operation: &Operation) -> bool {
    matches!(operation.argument, Value::Int(_) | Value::Bool(_))
        && history.name(operation) == "read"
}
