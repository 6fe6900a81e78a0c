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

/// One allocation.
#[derive(Debug)]
pub struct Block {
    /// Its bytes.
    pub(super) bytes: SmallVec<[u8; 32]>,
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
        let mut block = Self {
            bytes: SmallVec::from_elem(0, size),
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
        (at..at + len).find(|i| {
            self.unwritten
                .get(i / 64)
                .is_some_and(|w| w >> (i % 64) & 1 == 1)
        })
    }

    #[inline]
    pub(super) fn mark_written(&mut self, at: usize, len: usize) {
        if self.unwritten.is_empty() || len == 0 {
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

    /// Makes `to..to+len` as written or unwritten as `flags` says, one per byte.
    pub(super) fn copy_written(&mut self, to: usize, flags: &[bool]) {
        for (i, &written) in flags.iter().enumerate() {
            if written {
                self.mark_written(to + i, 1);
            } else {
                if self.unwritten.is_empty() {
                    self.unwritten = SmallVec::from_elem(0, self.bytes.len().div_ceil(64));
                }
                self.unwritten[(to + i) / 64] |= 1 << ((to + i) % 64);
            }
        }
    }

    pub(super) fn written_flags(&self, at: usize, len: usize) -> Option<Vec<bool>> {
        (!self.is_written(at, len)).then(|| {
            (at..at + len)
                .map(|i| self.unwritten[i / 64] >> (i % 64) & 1 == 0)
                .collect()
        })
    }

    /// Adds the bytes, and which of them were written, to a digest.
    pub(crate) fn hash_contents(&self, hasher: &mut impl std::hash::Hasher) {
        hasher.write(&self.bytes);
        for word in &self.unwritten {
            hasher.write_u64(*word);
        }
    }

    /// The same of those of its first 64 bytes whose bits are set in `which`.
    pub(super) fn hash_some(&self, which: u64, hasher: &mut impl std::hash::Hasher) {
        for (i, byte) in self.bytes.iter().enumerate() {
            if which >> i & 1 == 1 {
                hasher.write_u8(*byte);
                hasher.write_u8(u8::from(self.is_written(i, 1)));
            }
        }
    }
}
