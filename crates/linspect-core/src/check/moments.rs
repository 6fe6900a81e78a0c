//! Operations of one process that touch: the one ended at the moment of the clock at which the next began.
//!
//! Operations that touch overlap by the clock, but a process does one thing after the other. This is more than intervals
//! can say: let `a` and then `b`, and `c` and then `d`, touch at one moment; `a` is before `b` and `c` before `d`, yet
//! neither is `a` before `d` nor `c` before `b`. The specialised deciders know nothing but intervals. What they call a
//! violation is one. What they call right is right if nothing touches, or if it is right as well when everything that
//! touches is pulled [apart]; otherwise the search decides, which keeps the order of each process.
//!
//! For the same reason parts of an object are not independent if one process touched two of them within a moment: each may
//! hold where the whole does not. Then the whole is decided, too, after the parts.

use super::question::Part;
use crate::history::{History, OpId, Operation, Time};
use rustc_hash::FxHashMap;

/// Whether some of the operations `ops` of `history` touch and belong to one process.
pub(super) fn touch(history: &History, ops: &[OpId]) -> bool {
    let mut ends: FxHashMap<u32, Time> = FxHashMap::default();
    ops.iter().any(|&id| {
        let op = &history.operations[id as usize];
        let end = ends.insert(op.process, op.ret);
        end.is_some_and(|end| end == op.call)
    })
}

/// Whether operations of different parts touch and belong to one process.
pub(super) fn link(history: &History, parts: &[Part]) -> bool {
    let all: Vec<OpId> = (0..).take(history.operations.len()).collect();
    if parts.len() < 2 || !touch(history, &all) {
        return false;
    }
    let mut part_of = vec![0; all.len()];
    for (number, part) in parts.iter().enumerate() {
        for &id in &part.operations {
            part_of[id as usize] = number;
        }
    }
    let mut ends: FxHashMap<u32, (Time, usize)> = FxHashMap::default();
    history.operations.iter().zip(part_of).any(|(op, part)| {
        let end = ends.insert(op.process, (op.ret, part));
        end.is_some_and(|(end, other)| end == op.call && other != part)
    })
}

/// The operations `ops` of `history` at other times: who ended at a moment of the clock precedes who began then. Every order
/// of effects of the result is one of the original, whatever is known about the order of each process.
pub(super) fn apart(history: &History, ops: &[OpId]) -> History {
    let op = |id: OpId| &history.operations[id as usize];
    // At each moment first the returns of what began before, then what began and ended there, one after the other,
    // then the other calls.
    let mut events: Vec<(Time, u8, OpId, bool)> = Vec::with_capacity(2 * ops.len());
    for &id in ops {
        let Operation { call, ret, .. } = *op(id);
        let kinds = if call == ret { (1, 1) } else { (2, 0) };
        events.push((call, kinds.0, id, false));
        if !op(id).is_pending() {
            events.push((ret, kinds.1, id, true));
        }
    }
    events.sort_unstable();
    let mut apart = History {
        methods: history.methods.clone(),
        operations: Vec::with_capacity(ops.len()),
        keeps_turns: history.keeps_turns,
    };
    let mut places: FxHashMap<OpId, usize> = FxHashMap::default();
    for (now, (_, _, id, returns)) in (1..).zip(events) {
        if returns {
            apart.operations[places[&id]].ret = now;
        } else {
            places.insert(id, apart.operations.len());
            apart.operations.push(Operation {
                call: now,
                ..op(id).clone()
            });
        }
    }
    apart
}
