//! The specialised deciders: for histories in which it is clear who wrote what was read, a violation is one of a few
//! bad patterns, and those are found in O(n log n).

use crate::history::{History, OpId};
use crate::spec::Builtin;
use crate::verdict::{Because, Decider};

/// Why a specialised decider says no: operations that cannot be explained together, whatever the others did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The operations of the pattern, sorted by call.
    pub operations: Vec<OpId>,
    /// The argument in plain words, in reading order.
    pub because: Vec<Because>,
}

/// What a specialised decider says of the operations `ops` of `history`, which are all operations of one part of the
/// object (all with the same key of a map or element of a set), ascending.
///
/// `None`: no specialised decider applies, because the specification has none or because it is not clear who wrote what
/// was read (repeated values, unknown results); search instead.
pub fn decide(
    _history: &History,
    _spec: &Builtin,
    _ops: &[OpId],
) -> Option<(Decider, Result<(), Pattern>)> {
    None
}
