//! The smallest test, and how many clients were run.

use super::Operation;
use linspect_core::project::{CallOrigin, Projection};
use serde::{Deserialize, Serialize};

/// A test case: a sequential prefix, threads, a sequential suffix. Its failing run is the finding's `history`, and calls
/// are named by their operation there; a call that was never made is not listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MinimalTest {
    /// Calls made before the threads start.
    pub before: Vec<u32>,
    /// What each thread calls.
    pub threads: Vec<Vec<u32>>,
    /// Calls made when all threads have ended.
    pub after: Vec<u32>,
    /// Whether the removal of each operation was tried exhaustively, so that none can go.
    pub certified: bool,
    /// The same test as source code to paste into a project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl MinimalTest {
    /// How sure it is that this is the smallest test, and whether the threads show the fault by themselves, in words.
    pub fn promise(&self) -> String {
        let sure = if self.certified {
            "certified: no operation can be removed"
        } else {
            "not certified: not every smaller one was exhausted"
        };
        let late = if self.after.is_empty() {
            ""
        } else {
            "; only the calls after reveal the fault"
        };
        format!("{sure}{late}")
    }

    /// A call of the test with its result, and before it the thread that warms up with it, if one does.
    pub fn shown(&self, op: &Operation) -> String {
        let is_thread = (op.process as usize) < self.threads.len();
        match is_thread && self.before.contains(&op.id) {
            true => format!("T{}: {op}", op.process + 1),
            false => op.to_string(),
        }
    }

    /// The test whose failing run was projected to `projection`, with this many threads.
    pub fn of(projection: &Projection, threads: usize, certified: bool) -> Self {
        let mut test = Self {
            before: Vec::new(),
            threads: vec![Vec::new(); threads],
            after: Vec::new(),
            certified,
            source: None,
        };
        for (id, origin) in (0..).zip(&projection.origins) {
            match origin {
                CallOrigin::Before(_) => test.before.push(id),
                CallOrigin::Thread(activation) => {
                    test.threads[usize::from(activation.thread)].push(id);
                }
                CallOrigin::After(_) => test.after.push(id),
            }
        }
        test
    }
}

/// Clients of one size, and how thoroughly they were run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Clients {
    /// How many threads each has.
    pub threads: u64,
    /// How many operations each has.
    pub operations: u64,
    /// How many there were.
    pub clients: u64,
    /// Of how many all schedules were run.
    pub exhausted: u64,
    /// Of how many more all schedules were run that have few preemptions, or all with threads that had warmed up, or random ones.
    pub in_part: u64,
    /// How many executions that took.
    pub executions: u64,
}
