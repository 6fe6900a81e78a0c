//! Finds loops that only wait for another thread.
//!
//! A loop iteration that changed nothing and came round in the same state will do so again, as long as what it has read stays the
//! same. Such a thread is blocked until one of the locations it has read changes, instead of taking endless steps.
//! "The same state" is a digest of all registers, of the thread's own stack, and of what it wrote to its own heap.
//!
//! A loop that reads nothing that others can change waits for ever in vain. Such loops are rare and looking is dear, so a loop is suspected only after
//! very many rounds, and then watched for a few. A store of what is there already is no change: such a loop waits for that location, too.

use crate::program::{FunctionId, Pc};
use crate::thread::Seen;
use smallvec::SmallVec;

/// Loops that are watched at one time; an outer retry loop may contain inner ones.
const MARKS: usize = 8;
/// Reads of one iteration; a longer one is not folded.
const READS: usize = 128;
/// A loop is suspected after this many rounds, and again after twice as many, …
const PATIENCE: u32 = 1024;
/// How many rounds a suspected loop is watched.
const SUSPICION: u32 = 64;

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
    /// For how many more rounds loops that read nothing of others are watched, too.
    suspicion: u32,
    /// How often the thread has changed something that others can see, or everything was forgotten.
    changes: u32,
}

impl SpinWatch {
    /// The thread has changed something that others can see: everything is forgotten.
    #[inline]
    pub(crate) fn reset(&mut self) {
        let changes = self.changes.wrapping_add(1);
        if self.is_armed() || self.own != 0 {
            *self = Self::default();
        }
        self.changes = changes;
    }

    /// An exchange has failed without reason: a loop that comes round because of it need not do so again.
    pub(crate) fn gave_up(&mut self) {
        self.marks.clear();
    }

    /// A number that is another one after every reset.
    pub(crate) fn changes(&self) -> u32 {
        self.changes
    }

    /// A digest of what the thread has changed of its own heap since the last reset.
    pub(crate) fn own(&self) -> u64 {
        self.own
    }

    /// Whether an iteration could be one that waits.
    #[inline]
    pub(crate) fn is_armed(&self) -> bool {
        !self.reads.is_empty() || self.suspicion > 0
    }

    /// A loop has come round this often in one call of its function.
    #[inline]
    pub(crate) fn suspect(&mut self, rounds: u32) {
        if rounds >= PATIENCE && rounds.is_power_of_two() {
            self.suspicion = SUSPICION;
        }
    }

    /// The thread has read something that others can change.
    pub(crate) fn read(&mut self, seen: Seen) {
        if self.reads.len() >= READS {
            self.reset();
        }
        self.reads.push(seen);
    }

    /// The thread has stored what was there already. Others see no change, and for as long as they make none the store makes none either.
    pub(crate) fn stored_again(&mut self, seen: Seen) {
        self.changes = self.changes.wrapping_add(1);
        self.read(seen);
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
        let suspected = self.suspicion > 0;
        if suspected {
            self.suspicion -= 1;
            if !self.is_armed() {
                // From now on own changes are not followed, so the marks say nothing any more.
                self.reset();
                self.marks.clear();
                return None;
            }
        }
        if let Some(mark) = self.marks.iter_mut().find(|m| m.header == header) {
            let since = mark.reads;
            if mark.state == state && (since < here || suspected) {
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
