//! Pools, by bad patterns: those of a queue (see [`super::queue_patterns`]) without the one about order.

use super::cover;
use super::intern::NONE;
use super::lifetimes::Lifetimes;
use super::pattern::Pattern;
use crate::history::{History, OpId};
use crate::spec::Multiset;

/// Decides the operations `ops` of a history of a multiset whose `take` may hand out any value.
pub(super) fn decide(
    history: &History,
    spec: &Multiset,
    ops: &[OpId],
) -> Option<Result<(), Pattern>> {
    match Lifetimes::read(history, ops, spec) {
        // It may be any value that a take took.
        Ok(lives) => lives.decide(cover::wrongly_empty, |lives, _, _| {
            vec![NONE; lives.ops.len()]
        }),
        Err(pattern) => Some(Err(pattern)),
    }
}
