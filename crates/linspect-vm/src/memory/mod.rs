//! Deterministic memory with allocation identity.
//!
//! Every allocation is a block of its own, found from its address in constant time ([`address`]). Blocks are shared between saved
//! states and copied when first written (Rc at every level), so saving a state copies a few pointers.
//! What goes wrong is a [`MemoryError`]; whoever made the access adds the source position.

pub mod address;
mod block;
mod changes;
mod heap;
mod messages;
mod own;
mod publish;
mod spare;

pub use address::{Address, Lane};
pub use block::{Block, Kind, Life};
pub use heap::Reuse;
pub(crate) use messages::{Cell as MessageCell, Draft, Message, Messages, View, Views, Wants, Way};

use crate::copies::Rare;
use crate::program::SiteId;
use linspect_core::execution::{EventId, Location};
use smallvec::{SmallVec, smallvec};
use spare::Spare;
use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Blocks that are copied together when one of them is first written after a snapshot.
const CHUNK: usize = 16;

/// An access or allocation that no correct program makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryError {
    /// Through a null pointer, or nearly null.
    Null(Address),
    /// To no allocation at all.
    Wild(Address),
    /// Beyond the end of its allocation.
    Beyond {
        /// Where.
        address: Address,
        /// Bytes accessed.
        len: u64,
        /// Bytes there are.
        size: usize,
        /// Where it was allocated.
        allocated: SiteId,
    },
    /// To freed memory.
    Freed {
        /// Where.
        address: Address,
        /// Where it was freed.
        freed: SiteId,
    },
    /// To a local variable of a function that has returned.
    Returned(Address),
    /// Of bytes that were never written.
    Unwritten {
        /// The first of them.
        address: Address,
        /// Where it was allocated.
        allocated: SiteId,
    },
    /// A write to a constant.
    Constant(Address),
    /// A second free, or a free of something that `malloc` did not give.
    BadFree {
        /// Of what.
        address: Address,
        /// Where it was freed before, if it was.
        freed: Option<SiteId>,
    },
    /// More than the machine is allowed to use.
    Limit,
}

/// Arenas that there is room for without memory of their own: those of two threads beside the sequential part, or a program with three.
const ARENAS: usize = 12;

#[derive(Clone, Debug, Default)]
struct Chunk(SmallVec<[Rc<Block>; CHUNK]>);

#[derive(Clone, Debug, Default)]
struct Arena {
    chunks: SmallVec<[Rc<Chunk>; 2]>,
    len: usize,
    /// Freed blocks, sorted by size; of a heap with reuse.
    free: Rare<Freed>,
    /// Of a stack: whether other threads could ever reach a variable there.
    lent: bool,
    /// Of a stack: above this slot no variable that others could reach has ended.
    ended: usize,
}

/// The freed blocks of one size.
#[derive(Clone, Debug, Default)]
struct Freed {
    size: usize,
    /// Those that other threads could reach, last freed last: that is used first.
    shared: Vec<Address>,
    /// Those that no other thread could reach, first freed first: they are used when there are many.
    own: VecDeque<Address>,
}

/// What a write found.
pub(crate) struct Overwritten {
    /// Whether there were other bytes.
    pub(crate) differed: bool,
    /// Whether another thread can reach them.
    pub(crate) shared: bool,
}

/// The memory of one machine.
#[derive(Clone, Debug)]
pub struct Memory {
    arenas: SmallVec<[Rc<Arena>; ARENAS]>,
    reuse: Reuse,
    /// Whether freed memory was used again, in whatever run: saved states share it.
    reused: Rc<Cell<bool>>,
    /// Blocks whose life is over, for the next ones: saved states share them.
    spare: Rc<Spare>,
    used: u64,
    limit: u64,
    /// Blocks that have become shared since somebody asked.
    published: Vec<Address>,
    /// What atomics hold, under C20.
    messages: Option<Messages>,
}

impl Memory {
    /// Empty memory of at most `limit` bytes.
    pub fn new(reuse: Reuse, limit: u64) -> Self {
        Self {
            arenas: smallvec![Rc::default(); 3],
            reuse,
            reused: Rc::default(),
            spare: Rc::default(),
            used: 0,
            limit,
            published: Vec::new(),
            messages: None,
        }
    }

    /// From now on it is no saved state of the memory that it was copied from: what runs there says nothing of what runs here.
    pub(crate) fn part(&mut self) {
        self.reused = Rc::new(Cell::new(self.reused.get()));
    }

    /// How many bytes the program has allocated.
    pub(crate) fn used(&self) -> u64 {
        self.used
    }

    /// From now on atomics have messages.
    pub(crate) fn keep_messages(&mut self) {
        self.messages = Some(Messages::default());
    }

    /// What atomics hold, under C20.
    #[inline]
    pub(crate) fn messages(&self) -> Option<&Messages> {
        self.messages.as_ref()
    }

    /// The same, for a change.
    pub(crate) fn messages_mut(&mut self) -> Option<&mut Messages> {
        self.messages.as_mut()
    }

    /// Up to 16 bytes, zero-extended, and whether all of them were written.
    pub(crate) fn bits(&self, address: Address, len: usize) -> Result<(u128, bool), MemoryError> {
        let (block, at) = self.check(address, len as u64)?;
        let mut bits = [0; 16];
        let kept = len.min(16);
        bits[..kept].copy_from_slice(&block.bytes[at..at + kept]);
        Ok((u128::from_le_bytes(bits), block.is_written(at, len)))
    }

    /// Bytes were written after all that was written before; see [`Messages::settle`].
    pub(crate) fn settle_messages(
        &mut self,
        location: Location,
        writer: Option<EventId>,
        view: &View,
    ) {
        if let Some(mut messages) = self.messages.take() {
            messages.settle(location, writer, view, |cell| {
                let address = address::base(cell.allocation) + u64::from(cell.offset);
                self.bits(address, cell.size as usize)
                    .map_or(0, |(bits, _)| bits)
            });
            self.messages = Some(messages);
        }
    }

    /// Every access to the block of `address` is to be seen from now on: it has messages.
    pub(crate) fn watch(&mut self, address: Address) {
        let (base, _) = self.locate(address);
        if self.block(base).is_some_and(|b| !b.watched)
            && let Some(block) = self.block_mut(base)
        {
            block.watched = true;
        }
    }

    /// How many bytes there are.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The block that `address` points into or behind, dead or alive.
    #[inline]
    pub fn block(&self, address: Address) -> Option<&Block> {
        let slot = address::slot(address);
        let chunk = self
            .arenas
            .get(address::arena(address))?
            .chunks
            .get(slot / CHUNK)?;
        chunk.0.get(slot % CHUNK).map(|b| &**b)
    }

    /// The block of `address` for a change. Copies what saved states share.
    #[inline]
    fn block_mut(&mut self, address: Address) -> Option<&mut Block> {
        let slot = address::slot(address);
        let arena = Rc::make_mut(self.arenas.get_mut(address::arena(address))?);
        let chunk = Rc::make_mut(arena.chunks.get_mut(slot / CHUNK)?);
        chunk.0.get_mut(slot % CHUNK).map(Rc::make_mut)
    }

    /// Follows an address in the second or later slot of a large allocation to its first: base address and offset.
    #[inline]
    fn locate(&self, address: Address) -> (Address, u64) {
        let offset = address::offset(address);
        match self.block(address) {
            Some(Block {
                kind: Kind::Tail(base),
                ..
            }) => (*base, address - base),
            _ => (address - offset, offset),
        }
    }

    /// The allocation of `address`, its base address and the offset in it, for reports.
    pub fn allocation(&self, address: Address) -> (u32, u32) {
        let (base, offset) = self.locate(address);
        let allocation = address::allocation(base);
        let life = self.messages.as_ref().map_or(0, |m| m.life(allocation));
        (
            address::in_life(allocation, life),
            u32::try_from(offset).unwrap_or(u32::MAX),
        )
    }

    /// Checks that `len` bytes at `address` can be accessed: the block and the offset.
    #[inline]
    pub fn check(&self, address: Address, len: u64) -> Result<(&Block, usize), MemoryError> {
        let mut offset = address::offset(address);
        let Some(mut block) = self.block(address) else {
            return Err(self.nothing_at(address));
        };
        if let Kind::Tail(base) = block.kind {
            offset = address - base;
            block = self.block(base).ok_or(MemoryError::Wild(address))?;
        }
        if let Life::Freed(freed) = block.life {
            return Err(MemoryError::Freed { address, freed });
        }
        if offset.saturating_add(len) > block.bytes.len() as u64 {
            return Err(MemoryError::Beyond {
                address,
                len,
                size: block.bytes.len(),
                allocated: block.site,
            });
        }
        Ok((block, offset as usize))
    }

    /// How many bytes there are from `address` to the end of its block, if it may be accessed at all.
    pub fn room(&self, address: Address) -> u64 {
        self.check(address, 0)
            .map_or(0, |(block, at)| (block.len() - at) as u64)
    }

    #[cold]
    fn nothing_at(&self, address: Address) -> MemoryError {
        if address < address::SLOT_SIZE {
            MemoryError::Null(address)
        } else if address::is_stack(address::arena(address)) {
            MemoryError::Returned(address)
        } else {
            MemoryError::Wild(address)
        }
    }

    /// Up to 8 bytes, zero-extended; whether they were written is not checked.
    #[inline]
    pub fn read(&self, address: Address, len: usize) -> Result<u64, MemoryError> {
        let (block, at) = self.check(address, len as u64)?;
        Ok(little_endian(&block.bytes[at..at + len]))
    }

    /// Whether all bytes there were written.
    pub fn require_written(&self, address: Address, len: usize) -> Result<(), MemoryError> {
        let (block, at) = self.check(address, len as u64)?;
        match block.first_unwritten(at, len) {
            None => Ok(()),
            Some(first) => Err(MemoryError::Unwritten {
                address: address + (first - at) as u64,
                allocated: block.site,
            }),
        }
    }

    /// The bytes there.
    pub fn read_bytes(&self, address: Address, len: u64) -> Result<&[u8], MemoryError> {
        if len == 0 {
            return Ok(&[]);
        }
        let (block, at) = self.check(address, len)?;
        Ok(&block.bytes[at..at + len as usize])
    }

    /// The bytes from `address` to the first zero, which is not included.
    pub fn read_c_string(&self, address: Address) -> Result<&[u8], MemoryError> {
        let (block, at) = self.check(address, 1)?;
        match block.bytes[at..].iter().position(|b| *b == 0) {
            Some(len) => Ok(&block.bytes[at..at + len]),
            None => Err(MemoryError::Beyond {
                address,
                len: (block.len() - at + 1) as u64,
                size: block.len(),
                allocated: block.site,
            }),
        }
    }

    /// Writes the low `len` (up to 8) bytes of `value`.
    #[inline]
    pub fn write(&mut self, address: Address, value: u64, len: usize) -> Result<(), MemoryError> {
        self.write_bytes(address, &value.to_le_bytes()[..len])
    }

    /// Writes bytes.
    #[inline]
    pub fn write_bytes(&mut self, address: Address, bytes: &[u8]) -> Result<(), MemoryError> {
        let (block, at) = self.writable(address, bytes.len())?;
        block.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        block.mark_written(at, bytes.len());
        Ok(())
    }

    /// Writes bytes, and says what that did.
    #[inline]
    pub(crate) fn overwrite(
        &mut self,
        address: Address,
        bytes: &[u8],
    ) -> Result<Overwritten, MemoryError> {
        let (block, at) = self.writable(address, bytes.len())?;
        let place = &mut block.bytes[at..at + bytes.len()];
        let differed = place != bytes;
        place.copy_from_slice(bytes);
        block.mark_written(at, bytes.len());
        Ok(Overwritten {
            differed,
            shared: block.shared,
        })
    }

    /// Writes `len` times the same byte.
    pub fn fill(&mut self, address: Address, byte: u8, len: u64) -> Result<(), MemoryError> {
        if len == 0 {
            return Ok(());
        }
        let len = usize::try_from(len).map_err(|_| MemoryError::Limit)?;
        let (block, at) = self.writable(address, len)?;
        block.bytes[at..at + len].fill(byte);
        block.mark_written(at, len);
        Ok(())
    }

    /// Copies `len` bytes, overlapping or not; bytes that were never written stay so.
    pub fn copy(&mut self, to: Address, from: Address, len: u64) -> Result<(), MemoryError> {
        if len == 0 {
            return Ok(());
        }
        let (source, at) = self.check(from, len)?;
        let len = len as usize;
        let unwritten = source.unwritten(at, len);
        let bytes: SmallVec<[u8; 64]> = SmallVec::from_slice(&source.bytes[at..at + len]);
        let (target, at) = self.writable(to, len)?;
        target.bytes[at..at + len].copy_from_slice(&bytes);
        match unwritten {
            None => target.mark_written(at, len),
            Some(unwritten) => target.copy_unwritten(at, len, &unwritten),
        }
        Ok(())
    }

    #[inline]
    fn writable(
        &mut self,
        address: Address,
        len: usize,
    ) -> Result<(&mut Block, usize), MemoryError> {
        let (_, at) = self.check(address, len as u64)?;
        if address::arena(address) == address::CONSTANTS {
            return Err(MemoryError::Constant(address));
        }
        let base = address - at as u64;
        let block = self.block_mut(base).ok_or(MemoryError::Wild(address))?;
        Ok((block, at))
    }

    /// Whether `address` is that of a constant global.
    pub fn is_constant(&self, address: Address) -> bool {
        address::arena(address) == address::CONSTANTS
    }

    /// Whether `address` is on some thread's stack.
    pub fn is_on_stack(&self, address: Address) -> bool {
        address::is_stack(address::arena(address))
    }

    /// Adds the contents of a thread's stack to a digest.
    pub(crate) fn digest_stack(&self, lane: Lane, hasher: &mut impl std::hash::Hasher) {
        if let Some(arena) = self.arenas.get(address::stack_of(lane)) {
            for block in arena.chunks.iter().flat_map(|c| c.0.iter()) {
                hasher.write(&block.bytes);
            }
        }
    }

    /// Whether a thread's stack, as far as no other thread can reach it, is what it is in `other`. Of a block that differs, `live` says which of its first 64
    /// bytes count; if that is all of them, the others do, too.
    pub(crate) fn has_unshared_stack_of(
        &self,
        other: &Self,
        lane: Lane,
        live: impl Fn(Address) -> u64,
    ) -> bool {
        let stack = address::stack_of(lane);
        let (mine, theirs) = match (self.arenas.get(stack), other.arenas.get(stack)) {
            (Some(mine), Some(theirs)) => (mine, theirs),
            (mine, theirs) => return mine.or(theirs).is_none_or(|arena| arena.len == 0),
        };
        if Rc::ptr_eq(mine, theirs) {
            return true;
        }
        let mut chunks = mine.chunks.iter().zip(&theirs.chunks).enumerate();
        mine.len == theirs.len
            && chunks.all(|(at, (mine, theirs))| {
                let mut blocks = mine.0.iter().zip(&theirs.0).enumerate();
                Rc::ptr_eq(mine, theirs)
                    || blocks.all(|(i, (mine, theirs))| {
                        let here = address::join(stack, at * CHUNK + i);
                        Rc::ptr_eq(mine, theirs)
                            || mine.shared == theirs.shared
                                && (mine.shared
                                    || mine.has_contents_of(theirs, u64::MAX)
                                    || mine.has_contents_of(theirs, live(here)))
                    })
            })
    }

    /// Notes the type that an access has shown, unless one is known.
    pub fn note_type(&mut self, base: Address, ty: u32) {
        if self.block(base).is_some_and(|b| b.ty.is_none())
            && let Some(block) = self.block_mut(base)
        {
            block.ty = Some(ty);
        }
    }

    /// All blocks, large ones once, in address order.
    pub fn blocks(&self) -> impl Iterator<Item = (Address, &Block)> {
        self.blocks_in(|_| true)
    }

    /// All blocks but constants, large ones once, in address order.
    pub(crate) fn variable_blocks(&self) -> impl Iterator<Item = (Address, &Block)> {
        self.blocks_in(|arena| arena != address::CONSTANTS)
    }

    fn blocks_in(&self, wanted: fn(usize) -> bool) -> impl Iterator<Item = (Address, &Block)> {
        let arenas = self.arenas.iter().enumerate();
        let arenas = arenas.filter(move |(arena, _)| wanted(*arena));
        arenas.flat_map(|(arena, a)| {
            a.chunks
                .iter()
                .flat_map(|c| c.0.iter())
                .enumerate()
                .filter(|(_, b)| !matches!(b.kind, Kind::Tail(_)))
                .map(move |(slot, b)| (address::join(arena, slot), &**b))
        })
    }
}

#[inline]
pub(crate) fn little_endian(bytes: &[u8]) -> u64 {
    match bytes.len() {
        8 => u64::from_le_bytes(bytes.try_into().expect("8 bytes")),
        4 => u64::from(u32::from_le_bytes(bytes.try_into().expect("4 bytes"))),
        1 => u64::from(bytes[0]),
        len => {
            let mut word = [0; 8];
            word[..len].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        }
    }
}

#[cfg(test)]
mod tests;
