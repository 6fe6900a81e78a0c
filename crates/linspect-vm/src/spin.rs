//! Finds loops that only wait for another thread.
//!
//! A loop iteration that changed nothing and came round in the same state will do so again, as long as what it has read stays the
//! same. Such a thread is blocked until one of the locations it has read changes, instead of taking endless steps.
//! "The same state" is a digest of all registers, of the thread's own stack, and of what it wrote to its own heap.

use crate::program::{FunctionId, Pc};
use crate::thread::Seen;
use smallvec::SmallVec;

/// Loops that are watched at one time; an outer retry loop may contain inner ones.
const MARKS: usize = 8;
/// Reads of one iteration; a longer one is not folded.
const READS: usize = 128;

/// Where a loop comes round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) depth: u32,
    pub(crate) function: FunctionId,
    pub(crate) target: Pc,
}

#[derive(Clone, Debug)]
struct Mark {
    header: Header,
    state: u64,
    /// Which of the reads was the first after it.
    reads: usize,
}

/// What a thread has read since it last changed anything that others can see.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpinWatch {
    reads: SmallVec<[Seen; 4]>,
    marks: SmallVec<[Mark; 1]>,
    /// Changes of the thread's own heap: exclusive-or of digests of old and new contents, so that undone changes cancel.
    own: u64,
}

impl SpinWatch {
    /// The thread has changed something that others can see.
    #[inline]
    pub(crate) fn reset(&mut self) {
        if !self.reads.is_empty() {
            *self = Self::default();
        }
    }

    /// Whether an iteration could be one that waits.
    #[inline]
    pub(crate) fn is_armed(&self) -> bool {
        !self.reads.is_empty()
    }

    /// The thread has read something that others can change.
    pub(crate) fn read(&mut self, seen: Seen) {
        if self.reads.len() >= READS {
            *self = Self::default();
        }
        self.reads.push(seen);
    }

    /// The thread has changed its own heap.
    pub(crate) fn wrote(&mut self, address: u64, old: u64, new: u64) {
        if old != new {
            self.own ^= digest(address, old) ^ digest(address, new);
        }
    }

    /// The loop at `header` comes round in `state`: what it has read, if it only waits.
    pub(crate) fn comes_round(&mut self, header: Header, state: u64) -> Option<Vec<Seen>> {
        let state = state ^ self.own;
        let here = self.reads.len();
        if let Some(mark) = self.marks.iter_mut().find(|m| m.header == header) {
            let since = mark.reads;
            if mark.state == state && since < here {
                let mut seen = self.reads[since..].to_vec();
                seen.sort_unstable_by_key(|s| (s.address, s.len));
                seen.dedup();
                return Some(seen);
            }
            mark.state = state;
            mark.reads = here;
            return None;
        }
        if self.marks.len() == MARKS {
            self.marks.remove(0);
        }
        self.marks.push(Mark {
            header,
            state,
            reads: here,
        });
        None
    }
}

fn digest(address: u64, value: u64) -> u64 {
    let mut z =
        address.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ value.wrapping_mul(0xd6e8_feb8_6659_fd93);
    z = (z ^ (z >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    z ^ (z >> 32)
}
