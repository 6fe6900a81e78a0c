//! Real time, reduced to what decides.
//!
//! Between two operations only one thing matters: whether the one returned before the other was called. So a sequence of
//! events is cut before each call that follows a return; the pieces are *slots*. In each slot there is a moment, after
//! its calls and before its returns, at which most operations overlap. Everything that can happen between operations
//! can happen at such a moment: an operation lives in the slots from its call's to its return's, and precedes another iff its
//! last slot is before the other's first.

use super::intern::NONE;
use crate::history::{History, NEVER, OpId};

/// The slots of some operations; operations are known by their position (*row*) among them.
pub(crate) struct Slots {
    /// Per row, the slot of its call.
    pub(crate) first: Vec<u32>,
    /// Per row, the slot of its return; [`NONE`], which is after all others, if it never returned.
    pub(crate) last: Vec<u32>,
    /// The rows that returned, in the order of their returns.
    pub(crate) by_return: Vec<u32>,
    /// How many slots there are.
    pub(crate) count: u32,
}

impl Slots {
    /// The slots of `ops`, which must be sorted by call, as histories are.
    pub(crate) fn new(history: &History, ops: &[OpId]) -> Self {
        let op = |row: usize| &history.operations[ops[row] as usize];
        let mut returns: Vec<(u64, u32)> = (0..ops.len())
            .filter(|&row| op(row).ret != NEVER)
            .map(|row| (op(row).ret, row as u32))
            .collect();
        returns.sort_unstable();
        let mut first = Vec::with_capacity(ops.len());
        let mut last = vec![NONE; ops.len()];
        let (mut slot, mut returned) = (0, false);
        let mut pending = returns.iter().peekable();
        for row in 0..ops.len() {
            let call = op(row).call;
            while let Some(&(_, row)) = pending.next_if(|&&(ret, _)| ret < call) {
                last[row as usize] = slot;
                returned = true;
            }
            slot += u32::from(returned);
            returned = false;
            first.push(slot);
        }
        for &(_, row) in pending {
            last[row as usize] = slot;
        }
        Self {
            first,
            last,
            by_return: returns.into_iter().map(|(_, row)| row).collect(),
            count: slot + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NONE, Slots};
    use crate::history::{History, NEVER, Outcome};

    #[test]
    fn precedence_is_kept() {
        let mut h = History::new();
        for (call, ret) in [(0, 5), (1, 2), (2, 3), (4, 9), (6, 7), (8, NEVER), (9, 9)] {
            let id = h.push(0, "read", 0, 0, call, ret);
            if ret == NEVER {
                h.operations[id as usize].outcome = Outcome::Pending;
            }
        }
        let ops: Vec<u32> = (0..7).collect();
        let slots = Slots::new(&h, &ops);
        for (i, a) in h.operations.iter().enumerate() {
            for (j, b) in h.operations.iter().enumerate() {
                assert_eq!(a.precedes(b), slots.last[i] < slots.first[j], "{i} {j}");
            }
        }
        assert_eq!(slots.first, [0, 0, 0, 1, 2, 3, 3]);
        assert_eq!(slots.last, [1, 0, 0, 3, 2, NONE, 3]);
        assert_eq!(slots.by_return, [1, 2, 0, 4, 3, 6]);
        assert_eq!(slots.count, 4);
    }
}
