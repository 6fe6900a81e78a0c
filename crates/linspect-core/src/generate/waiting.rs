//! Operations end in another order than they were called in; they are handed over in that of their calls.

use crate::history::{Operation, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An operation that is over.
pub(super) struct Done {
    pub(super) name: &'static str,
    pub(super) op: Operation,
}

/// Operations that are over, until all that were called before them are.
#[derive(Default)]
pub(super) struct Waiting {
    /// By call, and by when they were over; where in `done`.
    order: BinaryHeap<Reverse<(Time, u64, usize)>>,
    done: Vec<Option<Done>>,
    free: Vec<usize>,
    count: u64,
}

impl Waiting {
    pub(super) fn add(&mut self, done: Done) {
        self.count += 1;
        let call = done.op.call;
        let at = self.free.pop().unwrap_or_else(|| {
            self.done.push(None);
            self.done.len() - 1
        });
        self.done[at] = Some(done);
        self.order.push(Reverse((call, self.count, at)));
    }

    /// The next one called before `time`.
    pub(super) fn next(&mut self, time: Time) -> Option<Done> {
        let &Reverse((call, _, at)) = self.order.peek()?;
        if call >= time {
            return None;
        }
        self.order.pop();
        self.free.push(at);
        self.done[at].take()
    }
}
