//! Quiescent consistency: only operations separated by a moment without any operation are ordered.
//!
//! Aspnes, Herlihy and Shavit, *Counting networks*, Journal of the ACM 41(5), 1994. The operations between two moments
//! of quiet may take effect in any order, even those of one process. So the history is decided as if each operation
//! lasted as long as its whole busy period. An operation that never returns keeps the object busy for ever.

use crate::history::{History, NEVER, Time};

/// Per operation, the busy period of the whole object that it falls into.
pub(crate) fn periods(history: &History) -> Vec<(Time, Time)> {
    let ops = &history.operations;
    let mut periods = vec![(0, NEVER); ops.len()];
    let mut begin = 0;
    while begin < ops.len() {
        let mut end = begin;
        let mut quiet_from = ops[begin].ret;
        // Equal times overlap, so quiet needs a gap.
        while end < ops.len() && ops[end].call <= quiet_from {
            quiet_from = quiet_from.max(ops[end].ret);
            end += 1;
        }
        periods[begin..end].fill((ops[begin].call, quiet_from));
        begin = end;
    }
    periods
}
