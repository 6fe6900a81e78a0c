//! A snapshot object: cells that are written one by one and read all at once.
//!
//! `write`/`update` takes `[index, value]` and returns nothing; `scan`/`snapshot`/`read_pair`/`collect` returns all cells
//! as a list; `read` takes an index and returns that cell, without an index it is a scan. There are two cells unless more
//! are asked for.

use super::sequence::write_items;
use super::spelling::{Folded, Method};
use super::{Spec, Unfit};
use crate::history::Outcome;
use crate::value::Value;
use smallvec::SmallVec;
use std::fmt;

/// Cells that are written one by one and read all at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairSnapshot {
    /// What every cell holds before any write.
    pub initial: Value,
    /// How many cells there are.
    pub cells: usize,
}

impl Default for PairSnapshot {
    fn default() -> Self {
        Self {
            initial: Value::Int(0),
            cells: 2,
        }
    }
}

/// A call of a [`PairSnapshot`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PairSnapshotCall {
    /// Replaces one cell.
    Write(usize, Value),
    /// Returns one cell.
    Read(usize),
    /// Returns all cells.
    Scan,
}

/// The cells of a [`PairSnapshot`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cells(SmallVec<[Value; 2]>);

impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        write_items(f, self.0.iter())?;
        f.write_str(")")
    }
}

impl PairSnapshot {
    fn index(&self, m: Method<'_>, at: &Value, argument: &Value) -> Result<usize, Unfit> {
        let index = match at {
            Value::Int(n) => usize::try_from(*n).ok().filter(|&n| n < self.cells),
            _ => None,
        };
        index.ok_or_else(|| m.bad_argument(&format!("an index below {}", self.cells), argument))
    }
}

impl Spec for PairSnapshot {
    type State = Cells;
    type Call = PairSnapshotCall;

    fn name(&self) -> &str {
        "pair-snapshot"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<PairSnapshotCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        match Folded::new(method).as_str() {
            "write" | "update" | "put" | "set" => match argument.items() {
                [at, value] => Ok(PairSnapshotCall::Write(
                    self.index(m, at, argument)?,
                    value.clone(),
                )),
                _ => Err(m.bad_argument("[index, value]", argument)),
            },
            "scan" | "snapshot" | "readpair" | "collect" | "readall" => {
                m.nothing(argument).map(|()| PairSnapshotCall::Scan)
            }
            "read" | "get" => match argument {
                Value::Unit | Value::Nil => Ok(PairSnapshotCall::Scan),
                at => self.index(m, at, argument).map(PairSnapshotCall::Read),
            },
            _ => Err(m.unknown("write, read, scan")),
        }
    }

    fn outcome(&self, call: &PairSnapshotCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        match call {
            PairSnapshotCall::Write(_, v) => method("write").done(outcome, Some(v)),
            PairSnapshotCall::Read(_) => Ok(method("read").any(outcome)),
            PairSnapshotCall::Scan => match outcome {
                Outcome::Returned(found)
                    if *found != Value::Unit
                        && !matches!(found, Value::List(items) if items.len() == self.cells) =>
                {
                    Err(method("scan").bad_result(&format!("{} values", self.cells), found))
                }
                other => Ok(method("scan").any(other)),
            },
        }
    }

    fn initial(&self) -> Cells {
        Cells(std::iter::repeat_n(self.initial.clone(), self.cells).collect())
    }

    fn outcomes(&self, state: &Cells, call: &PairSnapshotCall, each: &mut dyn FnMut(Value, Cells)) {
        match call {
            PairSnapshotCall::Write(at, v) => {
                let mut next = state.clone();
                next.0[*at] = v.clone();
                each(Value::Unit, next);
            }
            PairSnapshotCall::Read(at) => each(state.0[*at].clone(), state.clone()),
            PairSnapshotCall::Scan => each(Value::list(state.0.iter().cloned()), state.clone()),
        }
    }

    fn may_wait(&self, _call: &PairSnapshotCall) -> bool {
        false
    }

    fn is_read_only(&self, call: &PairSnapshotCall) -> bool {
        !matches!(call, PairSnapshotCall::Write(..))
    }

    fn show(&self, state: &Cells) -> String {
        state.to_string()
    }
}
