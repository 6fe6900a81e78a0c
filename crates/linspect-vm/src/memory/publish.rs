//! How memory becomes shared: a pointer to it is stored where other threads can read it.

use super::address::{self, Address};
use super::{Life, Memory, little_endian};
use smallvec::SmallVec;

/// A word as a pointer, without the tags that it may have in its upper bits.
#[inline]
fn pointer(word: u64) -> Address {
    word & ((1 << 47) - 1)
}

impl Memory {
    /// Lets other threads reach the block that `value` points into, if it points into one, and all that it leads to.
    ///
    /// Pointers are recognised by their bits (tags in the low or upper bits do not matter), so a pointer hidden by arithmetic is missed; the
    /// first access by another thread then makes up for it.
    #[inline]
    pub fn publish(&mut self, value: u64) {
        if pointer(value) >= address::SLOT_SIZE {
            self.publish_from(pointer(value));
        }
    }

    fn publish_from(&mut self, value: u64) {
        let mut pending: SmallVec<[u64; 8]> = SmallVec::new();
        pending.push(value);
        while let Some(value) = pending.pop() {
            if value < address::SLOT_SIZE {
                continue;
            }
            let (base, _) = self.locate(value);
            match self.block(base) {
                Some(b)
                    if !b.shared
                        && b.life == Life::Live
                        && address::arena(base) != address::CONSTANTS => {}
                _ => continue,
            }
            let Some(block) = self.block_mut(base) else {
                continue;
            };
            block.shared = true;
            self.published.push(base);
            self.note_lent(base);
            let Some(block) = self.block(base) else {
                continue;
            };
            let words = block.bytes.chunks_exact(8);
            pending.extend(words.map(|word| pointer(little_endian(word))));
        }
    }

    /// Lets other threads reach what bytes point to that are written where they can read them.
    #[inline]
    pub(crate) fn publish_words(&mut self, bytes: &[u8]) {
        for word in bytes.chunks_exact(8) {
            self.publish(little_endian(word));
        }
    }

    /// Whether blocks have become shared since that was asked last.
    #[inline]
    pub(crate) fn has_published(&self) -> bool {
        !self.published.is_empty()
    }

    /// The blocks that have become shared since this was asked last.
    pub(crate) fn take_published(&mut self) -> Vec<Address> {
        std::mem::take(&mut self.published)
    }

    /// Lets other threads reach everything that the bytes of a range lead to.
    pub fn publish_range(&mut self, address: Address, len: u64) {
        let Ok(bytes) = self.read_bytes(address, len) else {
            return;
        };
        let skip = (address.wrapping_neg() & 7) as usize;
        let values: Vec<u64> = bytes
            .get(skip..)
            .unwrap_or_default()
            .chunks_exact(8)
            .map(little_endian)
            .collect();
        for value in values {
            self.publish(value);
        }
    }

    /// Takes a block out of what threads share: nobody will write it any more.
    pub(crate) fn withdraw(&mut self, base: Address) {
        if let Some(block) = self.block_mut(base) {
            block.shared = false;
        }
    }
}
