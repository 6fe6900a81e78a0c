//! Accesses to memory that only one thread can reach: most of all accesses, and the only ones that nobody else need know of.
//!
//! These ways are short, and taken only where nothing has to be decided, copied or reported. Whoever is refused asks again through [`Memory::check`] and learns why.

use super::address::{self, Address, Lane};
use super::{Block, CHUNK, Life, Memory};
use std::rc::Rc;

impl Block {
    /// Whether `lane` alone can reach these bytes, and may access them.
    #[inline(always)]
    fn is_own(&self, lane: Lane, at: usize, len: usize) -> bool {
        self.lane == lane
            && !self.shared
            && !self.watched
            && self.life == Life::Live
            && at + len <= self.bytes.len()
    }
}

impl Memory {
    /// Bytes that `lane` alone can reach, or that nobody can change, if all of them were written.
    #[inline(always)]
    pub(crate) fn own_bytes(&self, lane: Lane, address: Address, len: usize) -> Option<&[u8]> {
        let block = self.block(address)?;
        let at = address::offset(address) as usize;
        let constant = address::arena(address) == address::CONSTANTS;
        let lane = if constant { block.lane } else { lane };
        let own = block.is_own(lane, at, len) && block.is_written(at, len);
        own.then(|| &block.bytes[at..at + len])
    }

    /// Writes the low `len` (up to 8) bytes of `value` where `lane` alone can reach them; whether it did.
    #[inline(always)]
    pub(crate) fn write_own(
        &mut self,
        lane: Lane,
        address: Address,
        value: u64,
        len: usize,
    ) -> bool {
        let at = address::offset(address) as usize;
        let value = &value.to_le_bytes()[..len];
        match self.unshared_block(address) {
            Some(block) if block.is_own(lane, at, len) => {
                block.bytes[at..at + len].copy_from_slice(value);
                block.mark_written(at, len);
                true
            }
            Some(_) => false,
            None => self.write_own_copy(lane, address, value),
        }
    }

    /// The same where a saved state shares the block, which is copied.
    fn write_own_copy(&mut self, lane: Lane, address: Address, value: &[u8]) -> bool {
        let at = address::offset(address) as usize;
        let block = self.block(address);
        let is_own = block.is_some_and(|block| block.is_own(lane, at, value.len()));
        if !is_own || address::arena(address) == address::CONSTANTS {
            return false;
        }
        let Some(block) = self.block_mut(address) else {
            return false;
        };
        block.bytes[at..at + value.len()].copy_from_slice(value);
        block.mark_written(at, value.len());
        true
    }

    /// The block of `address`, if no saved state shares it and it is no constant.
    #[inline(always)]
    fn unshared_block(&mut self, address: Address) -> Option<&mut Block> {
        let (arena, slot) = (address::arena(address), address::slot(address));
        if arena == address::CONSTANTS {
            return None;
        }
        let arena = Rc::get_mut(self.arenas.get_mut(arena)?)?;
        let chunk = Rc::get_mut(arena.chunks.get_mut(slot / CHUNK)?)?;
        Rc::get_mut(chunk.0.get_mut(slot % CHUNK)?)
    }
}
