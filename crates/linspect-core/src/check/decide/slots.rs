//! Real time, reduced to what decides.
//!
//! Between two operations only one thing matters: whether the one returned before the other was called. So a sequence of
//! events is cut before each call that follows a return; the pieces are *slots*. In each slot there is a moment, after
//! its calls and before its returns, at which most operations overlap. Everything that can happen between operations
//! can happen at such a moment: an operation lives in the slots from its call's to its return's, and precedes another iff its
//! last slot is before the other's first.

use super::intern::NONE;
use crate::history::{NEVER, Time};

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
    /// The slots of operations with these calls and returns, which must be sorted by call, as histories are.
    pub(crate) fn new(spans: impl ExactSizeIterator<Item = (Time, Time)> + Clone) -> Self {
        let count = spans.len();
        let mut returns: Vec<(Time, u32)> = (0..)
            .zip(spans.clone())
            .filter(|&(_, (_, ret))| ret != NEVER)
            .map(|(row, (_, ret))| (ret, row))
            .collect();
        returns.sort_unstable();
        let mut first = Vec::with_capacity(count);
        let mut last = vec![NONE; count];
        let (mut slot, mut returned) = (0, false);
        let mut pending = returns.iter().peekable();
        for (call, _) in spans {
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
    use crate::history::NEVER;

    #[test]
    fn precedence_is_kept() {
        let spans = [(0, 5), (1, 2), (2, 3), (4, 9), (6, 7), (8, NEVER), (9, 9)];
        let slots = Slots::new(spans.into_iter());
        for (i, (_, ret)) in spans.into_iter().enumerate() {
            for (j, (call, _)) in spans.into_iter().enumerate() {
                assert_eq!(ret < call, slots.last[i] < slots.first[j], "{i} {j}");
            }
        }
        assert_eq!(slots.first, [0, 0, 0, 1, 2, 3, 3]);
        assert_eq!(slots.last, [1, 0, 0, 3, 2, NONE, 3]);
        assert_eq!(slots.by_return, [1, 2, 0, 4, 3, 6]);
        assert_eq!(slots.count, 4);
    }
}
