//! What went wrong, in one sentence in the words of the specification.
//!
//! A claim speaks of a few operations and is true of the whole history: whatever the other operations did, those cannot be
//! explained together. Each is a bad pattern with one operation as its anchor, so that it is found in one look at all
//! operations. Where nothing fits, nothing is claimed.

mod counts;
mod deed;
mod locks;
mod meetings;
mod values;

use self::counts::Counts;
use self::deed::{deed, deed_in_cell};
use self::meetings::Meetings;
use self::values::Values;
use crate::history::{History, OpId};
use crate::spec::Builtin;
use crate::verdict::Because;

/// What can be claimed about the operations of one part of a history.
pub(crate) enum Claims<'h> {
    /// Of values that come and go.
    Values(Values<'h>),
    /// Of the cells of a snapshot, each by itself.
    Cells(Vec<Values<'h>>),
    /// Of a count that goes up and down.
    Counts(Counts<'h>),
    /// Of callers who wait for each other.
    Meetings(Meetings<'h>),
}

impl<'h> Claims<'h> {
    /// Looks at the operations `ops` of one part of `history`; nothing if one does what no claim understands.
    pub(crate) fn new(history: &'h History, spec: &'h Builtin, ops: &[OpId]) -> Option<Self> {
        Some(match spec {
            Builtin::Counter(_) | Builtin::Semaphore(_) => {
                Self::Counts(Counts::new(history, spec, ops)?)
            }
            Builtin::Rendezvous(_) | Builtin::Exchanger(_) | Builtin::Barrier(_) => {
                Self::Meetings(Meetings::new(history, spec, ops)?)
            }
            Builtin::PairSnapshot(snapshot) => {
                let cell = |cell: usize| {
                    let deed = |name: &str, op: &_| deed_in_cell(snapshot, cell, name, op);
                    let place = format!(" in cell {cell}");
                    Values::new(history, spec, ops, place, &deed)
                };
                Self::Cells((0..snapshot.cells).map(cell).collect::<Option<_>>()?)
            }
            _ => {
                let deed = |name: &str, op: &_| deed(spec, name, op);
                Self::Values(Values::new(history, spec, ops, String::new(), &deed)?)
            }
        })
    }

    /// A sentence about `anchor`; nothing if none fits.
    pub(crate) fn about(&self, anchor: OpId) -> Option<Because> {
        match self {
            Self::Values(values) => values.about(anchor),
            Self::Cells(cells) => cells.iter().find_map(|cell| cell.about(anchor)),
            Self::Counts(counts) => counts.about(anchor),
            Self::Meetings(meetings) => meetings.about(anchor),
        }
    }
}

fn because(text: String, operations: impl IntoIterator<Item = OpId>) -> Because {
    Because {
        text,
        operations: operations.into_iter().collect(),
    }
}
