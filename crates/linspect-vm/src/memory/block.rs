//! One allocation: its bytes, which of them were written, and its life.

use super::address::{Address, Lane};
use crate::program::SiteId;
use smallvec::SmallVec;

/// What an allocation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A global variable.
    Global(u32),
    /// From `malloc`, `new`, `Box`.
    Heap,
    /// A local variable; the text names it.
    Stack(u32),
    /// A thread's copy of a thread-local global.
    ThreadLocal(u32),
    /// The second and later slots of a large allocation; the address of its first.
    Tail(Address),
}

/// Whether it may be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    /// Yes.
    Live,
    /// No: it was freed here.
    Freed(SiteId),
}

/// Bytes that a block holds without memory of its own.
const SMALL: usize = 64;

/// One allocation.
#[derive(Debug)]
pub struct Block {
    /// Its bytes.
    pub(super) bytes: SmallVec<[u8; SMALL]>,
    /// One bit per byte that was never written; empty when there is none.
    unwritten: SmallVec<[u64; 1]>,
    /// What it is.
    pub kind: Kind,
    /// Whether it may be accessed.
    pub life: Life,
    /// Whether another thread can reach it.
    pub shared: bool,
    /// Whether atomics in it have messages, so that every access to it is to be seen.
    pub(crate) watched: bool,
    /// Where it was allocated.
    pub site: SiteId,
    /// Who allocated it.
    pub lane: Lane,
    /// Its type among the program's source types, once an access has shown it.
    pub ty: Option<u32>,
    /// How often its address was allocated before.
    pub generation: u32,
}

/// Blocks are copied wherever a run first changes them: at once, not byte by byte as a small vector clones itself.
impl Clone for Block {
    fn clone(&self) -> Self {
        Self {
            bytes: SmallVec::from_slice(&self.bytes),
            unwritten: SmallVec::from_slice(&self.unwritten),
            ..*self
        }
    }
}

impl Block {
    pub(super) fn new(kind: Kind, size: usize, written: bool, site: SiteId, lane: Lane) -> Self {
        // Most blocks are small, and all that they hold is in them.
        let bytes = match size {
            0..=SMALL => SmallVec::from_buf_and_len([0; SMALL], size),
            _ => SmallVec::from_elem(0, size),
        };
        let mut block = Self {
            bytes,
            unwritten: SmallVec::new(),
            kind,
            life: Life::Live,
            shared: false,
            watched: false,
            site,
            lane,
            ty: None,
            generation: 0,
        };
        if !written {
            block.mark_unwritten();
        }
        block
    }

    /// Begins another life, as [`Block::new`] would.
    #[inline]
    pub(super) fn renew(
        &mut self,
        kind: Kind,
        size: usize,
        written: bool,
        site: SiteId,
        lane: Lane,
    ) {
        if size > SMALL || self.bytes.spilled() {
            *self = Self::new(kind, size, written, site, lane);
            return;
        }
        self.bytes = SmallVec::from_buf_and_len([0; SMALL], size);
        self.unwritten.clear();
        if !written {
            self.mark_unwritten();
        }
        (self.kind, self.life) = (kind, Life::Live);
        (self.shared, self.watched) = (false, false);
        (self.site, self.lane) = (site, lane);
        (self.ty, self.generation) = (None, 0);
    }

    /// Bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The bytes, whether written or not.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn mark_unwritten(&mut self) {
        let size = self.bytes.len();
        if (1..64).contains(&size) {
            self.unwritten = SmallVec::from_buf([(1 << size) - 1]);
            return;
        }
        self.unwritten = SmallVec::from_elem(u64::MAX, size.div_ceil(64));
        if let (Some(last), true) = (self.unwritten.last_mut(), !size.is_multiple_of(64)) {
            *last = (1 << (size % 64)) - 1;
        }
    }

    /// Whether every byte of the range was written.
    #[inline]
    pub(crate) fn is_written(&self, at: usize, len: usize) -> bool {
        self.unwritten.is_empty() || self.first_unwritten(at, len).is_none()
    }

    pub(super) fn first_unwritten(&self, at: usize, len: usize) -> Option<usize> {
        if let ([word], 1..) = (self.unwritten.as_slice(), len) {
            let bits = word & (u64::MAX >> (64 - len) << at);
            return (bits != 0).then(|| bits.trailing_zeros() as usize);
        }
        let mut chunks = (at..at + len).step_by(64);
        chunks.find_map(|i| {
            let bits = self.unwritten_from(i) & low(at + len - i);
            (bits != 0).then(|| i + bits.trailing_zeros() as usize)
        })
    }

    /// Which of the 64 bytes from `at` were never written.
    fn unwritten_from(&self, at: usize) -> u64 {
        let word = |i: usize| self.unwritten.get(i).copied().unwrap_or(0);
        let (first, shift) = (at / 64, at % 64);
        let next = word(first + 1).checked_shl(64 - shift as u32);
        word(first) >> shift | next.unwrap_or(0)
    }

    #[inline]
    pub(super) fn mark_written(&mut self, at: usize, len: usize) {
        if self.unwritten.is_empty() || len == 0 {
            return;
        }
        if let [word] = self.unwritten.as_mut_slice() {
            *word &= !(u64::MAX >> (64 - len) << at);
            if *word == 0 {
                self.unwritten.clear();
            }
            return;
        }
        let (first, last) = (at / 64, (at + len - 1) / 64);
        for word in first..=last {
            let low = if word == first { at % 64 } else { 0 };
            let high = if word == last {
                (at + len - 1) % 64
            } else {
                63
            };
            let mask = u64::MAX >> (63 - high) & u64::MAX << low;
            self.unwritten[word] &= !mask;
        }
        if self.unwritten.iter().all(|w| *w == 0) {
            self.unwritten.clear();
        }
    }

    /// Makes `to..to+len` as written or unwritten as `unwritten` says, which has a bit for each byte.
    pub(super) fn copy_unwritten(&mut self, to: usize, len: usize, unwritten: &[u64]) {
        self.mark_written(to, len);
        if self.unwritten.is_empty() {
            self.unwritten = SmallVec::from_elem(0, self.bytes.len().div_ceil(64));
        }
        for (i, bits) in unwritten.iter().enumerate() {
            let at = to + 64 * i;
            let (first, shift) = (at / 64, at % 64);
            self.unwritten[first] |= bits << shift;
            let over = bits.checked_shr(64 - shift as u32).unwrap_or(0);
            if over != 0 {
                self.unwritten[first + 1] |= over;
            }
        }
    }

    /// Which bytes of a range were never written, a bit for each; none if all were.
    pub(super) fn unwritten(&self, at: usize, len: usize) -> Option<SmallVec<[u64; 4]>> {
        let chunks = (0..len).step_by(64);
        let bits = chunks.map(|i| self.unwritten_from(at + i) & low(len - i));
        (!self.is_written(at, len)).then(|| bits.collect())
    }

    /// Adds the bytes, and which of them were written, to a digest.
    pub(crate) fn hash_contents(&self, hasher: &mut impl std::hash::Hasher) {
        hasher.write(&self.bytes);
        for word in &self.unwritten {
            hasher.write_u64(*word);
        }
    }

    /// The same of those of its first 64 bytes whose bits are set in `which`.
    pub(crate) fn hash_some_contents(&self, which: u64, hasher: &mut impl std::hash::Hasher) {
        for (i, byte) in self.bytes.iter().enumerate().take(64) {
            if which >> i & 1 != 0 {
                hasher.write_u8(*byte);
                hasher.write_u8(self.is_written(i, 1).into());
            }
        }
    }

    /// Whether it has the bytes of `other`, written and unwritten alike; those of its first 64 bytes whose bits are not set in `which` may differ.
    pub(super) fn has_contents_of(&self, other: &Self, which: u64) -> bool {
        if which == u64::MAX {
            return self.bytes == other.bytes && self.unwritten == other.unwritten;
        }
        let same = |i: usize| {
            self.bytes[i] == other.bytes[i] && self.is_written(i, 1) == other.is_written(i, 1)
        };
        let len = self.bytes.len().min(64);
        self.bytes.len() == other.bytes.len() && (0..len).all(|i| which >> i & 1 == 0 || same(i))
    }
}

/// The lowest `count` bits, or all.
fn low(count: usize) -> u64 {
    match count {
        0..64 => (1 << count) - 1,
        _ => u64::MAX,
    }
}
