//! The specialised deciders: for histories in which it is clear who wrote what was read, a violation is one of a few
//! bad patterns, and those are found in O(n log n).

use super::{
    pool_patterns, priority_sweep, queue_patterns, register_zones, set_element, set_reads,
    stack_intervals,
};
use crate::history::{History, OpId};
use crate::spec::Builtin;
use crate::verdict::{Because, Decider};

/// Why a specialised decider says no: operations that cannot be explained together, whatever the others did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The operations of the pattern, sorted by call.
    pub operations: Vec<OpId>,
    /// The argument in plain words, in reading order.
    pub because: Vec<Because>,
}

impl Pattern {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// This pattern with one more line of argument, and the operations that the line speaks of.
    pub(crate) fn because(mut self, text: String, ops: impl IntoIterator<Item = OpId>) -> Self {
        let operations: Vec<OpId> = ops.into_iter().collect();
        self.operations.extend(&operations);
        self.operations.sort_unstable();
        self.operations.dedup();
        self.because.push(Because { text, operations });
        self
    }
}

/// What a specialised decider says of the operations `ops` of `history`, which are all operations of one part of the
/// object (all with the same key of a map or element of a set), ascending. All calls and outcomes must be fit for `spec`.
///
/// `None`: no specialised decider can say, because the specification has none, because it is not clear who wrote what
/// was read (repeated values, unknown results), or because of methods that only the search understands.
pub fn decide(
    history: &History,
    spec: &Builtin,
    ops: &[OpId],
) -> Option<(Decider, Result<(), Pattern>)> {
    let (decider, said) = match spec {
        Builtin::Register(s) => (
            Decider::RegisterZones,
            register_zones::decide(history, s, ops),
        ),
        Builtin::CasRegister(s) => (
            Decider::RegisterZones,
            register_zones::decide(history, s, ops),
        ),
        Builtin::KvMap(s) => (
            Decider::RegisterZones,
            register_zones::decide(history, s, ops),
        ),
        Builtin::Set(s) => match set_element::decide(history, s, ops) {
            None => (Decider::SetReads, set_reads::decide(history, s, ops)),
            said => (Decider::SetElement, said),
        },
        Builtin::Queue(s) => (
            Decider::QueuePatterns,
            queue_patterns::decide(history, s, ops),
        ),
        Builtin::Multiset(s) => (
            Decider::PoolPatterns,
            pool_patterns::decide(history, s, ops),
        ),
        Builtin::Stack(s) => (
            Decider::StackIntervals,
            stack_intervals::decide(history, s, ops),
        ),
        Builtin::PriorityQueue(s) => (
            Decider::PrioritySweep,
            priority_sweep::decide(history, s, ops),
        ),
        Builtin::Counter(_)
        | Builtin::Deque(_)
        | Builtin::PairSnapshot(_)
        | Builtin::Mutex(_)
        | Builtin::Semaphore(_)
        | Builtin::Rendezvous(_)
        | Builtin::Exchanger(_)
        | Builtin::Barrier(_) => return None,
    };
    said.map(|said| (decider, said))
}
