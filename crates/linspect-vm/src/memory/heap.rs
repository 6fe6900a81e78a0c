//! Allocation and release.

use super::address::{self, Address, Lane};
use super::{Arena, Block, CHUNK, Freed, Kind, Life, Memory, MemoryError};
use crate::program::SiteId;
use std::rc::Rc;

/// What happens to freed memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reuse {
    /// The next allocation of the same size by the thread that freed it gets it again, last freed first: ABA can happen.
    ///
    /// So it is with memory that other threads could reach. Nobody can tell whether a thread gets its own memory again, so that waits until much
    /// has been freed after it, and its use after free is found until then.
    #[default]
    Lifo,
    /// It is never used again: every use after free is found.
    Fresh,
    /// First the one, then, if memory was used again, the other.
    Both,
}

/// How many blocks of one size a thread frees before it gets the first of them again, where no other thread could reach them.
const QUARANTINE: usize = 64;

impl Memory {
    /// Allocates `size` bytes for `lane`; contents count as written iff `written` (then zero).
    pub fn allocate(
        &mut self,
        lane: Lane,
        size: u64,
        written: bool,
        site: SiteId,
    ) -> Result<Address, MemoryError> {
        let arena = address::heap_of(lane);
        let bytes = usize::try_from(size).map_err(|_| MemoryError::Limit)?;
        if self.reuse != Reuse::Fresh
            && let Some(old) = self.take_freed(arena, bytes)
        {
            self.charge(size)?;
            self.reused.set(true);
            let block = self.block_mut(old).ok_or(MemoryError::Wild(old))?;
            let generation = block.generation + 1;
            *block = Block::new(Kind::Heap, bytes, written, site, lane);
            block.generation = generation;
            return Ok(old);
        }
        let block = self.make(Kind::Heap, size, written, site, lane)?;
        self.push(arena, block)
    }

    /// Zeroed memory of the machine's own making for a thread, such as its `errno`: never freed, no leak.
    pub(crate) fn allocate_private(
        &mut self,
        lane: Lane,
        size: u64,
    ) -> Result<Address, MemoryError> {
        let block = self.make(Kind::ThreadLocal(u32::MAX), size, true, 0, lane)?;
        self.push(address::heap_of(lane), block)
    }

    /// Frees what [`Memory::allocate`] gave.
    pub fn free(&mut self, lane: Lane, address: Address, site: SiteId) -> Result<(), MemoryError> {
        let bad = |freed| MemoryError::BadFree { address, freed };
        let block = self.block(address).ok_or(bad(None))?;
        if address::offset(address) != 0 || block.kind != Kind::Heap {
            return Err(bad(None));
        }
        if let Life::Freed(freed) = block.life {
            return Err(bad(Some(freed)));
        }
        let watched = block.watched;
        let block = self.block_mut(address).ok_or(bad(None))?;
        block.life = Life::Freed(site);
        let (size, shared) = (block.bytes.len(), block.shared);
        self.used -= size as u64;
        if watched {
            self.end_messages(address);
        }
        if self.reuse != Reuse::Fresh {
            let free = &mut self.arena_mut(address::heap_of(lane)).free;
            let at = match free.binary_search_by_key(&size, |f| f.size) {
                Ok(at) => at,
                Err(at) => {
                    free.insert(at, Freed::of(size));
                    at
                }
            };
            match shared {
                true => free[at].shared.push(address),
                false => free[at].own.push_back(address),
            }
        }
        Ok(())
    }

    /// Whether any run of this memory, those taken back included, has used freed memory again.
    pub fn has_reused(&self) -> bool {
        self.reused.get()
    }

    /// How many stack blocks `lane` has; [`Memory::pop_stack`] goes back to it.
    #[inline]
    pub fn stack_height(&self, lane: Lane) -> u32 {
        self.arenas
            .get(address::stack_of(lane))
            .map_or(0, |a| a.len as u32)
    }

    /// A local variable.
    #[inline]
    pub fn push_stack(
        &mut self,
        lane: Lane,
        size: u64,
        name: u32,
        site: SiteId,
    ) -> Result<Address, MemoryError> {
        let block = self.make(Kind::Stack(name), size, false, site, lane)?;
        let stack = address::stack_of(lane);
        if self.arenas.get(stack).is_some_and(|a| a.len < a.ended) {
            self.reused.set(true);
        }
        self.push(stack, block)
    }

    /// Whether others could ever reach a variable on the stack of `lane`.
    #[inline]
    pub(crate) fn is_lent(&self, lane: Lane) -> bool {
        let stack = self.arenas.get(address::stack_of(lane));
        stack.is_some_and(|arena| arena.lent)
    }

    /// The last living variable above `height` on the stack of `lane` that other threads can reach, and its size.
    #[inline]
    pub(crate) fn lent_local(&self, lane: Lane, height: u32) -> Option<(Address, u64)> {
        let stack = address::stack_of(lane);
        let arena = self.arenas.get(stack).filter(|a| a.lent)?;
        let slots = (height as usize..arena.len).rev();
        let mut blocks = slots.map(|slot| address::join(stack, slot));
        let is_lent = |block: &&Block| block.shared && block.life == Life::Live;
        blocks.find_map(|at| {
            let block = self.block(at).filter(is_lent)?;
            Some((at, block.bytes.len() as u64))
        })
    }

    /// Notes that others can reach `base`, if that is on a stack.
    pub(super) fn note_lent(&mut self, base: Address) {
        let arena = address::arena(base);
        if address::is_stack(arena) {
            self.arena_mut(arena).lent = true;
        }
    }

    /// Ends the life of a variable that others could reach: one of a function that returns, or of a thread that ends.
    pub(crate) fn end_local(&mut self, address: Address, site: SiteId) {
        if let Some(block) = self.block_mut(address) {
            block.life = Life::Freed(site);
            if std::mem::take(&mut block.watched) {
                self.end_messages(address);
            }
        }
        let (arena, slot) = (address::arena(address), address::slot(address));
        if address::is_stack(arena) {
            let stack = self.arena_mut(arena);
            stack.ended = stack.ended.max(slot + 1);
        }
    }

    /// Ends the life of all stack blocks above `height`.
    ///
    /// Where nothing is used again, neither are the places of variables that others could reach, nor those below them.
    #[inline]
    pub fn pop_stack(&mut self, lane: Lane, height: u32) {
        if self.stack_height(lane) != height {
            self.pop_variables(address::stack_of(lane), height as usize);
        }
    }

    fn pop_variables(&mut self, stack: usize, mut height: usize) {
        if self.reuse == Reuse::Fresh && self.arenas[stack].ended > height {
            for slot in height..self.arenas[stack].ended {
                self.bury(address::join(stack, slot));
            }
            height = self.arenas[stack].ended;
        }
        let arena = Rc::make_mut(&mut self.arenas[stack]);
        let mut freed = 0;
        let mut watched = Vec::new();
        while arena.len > height {
            let last = arena.len - 1;
            let chunk = Rc::make_mut(&mut arena.chunks[last / CHUNK]);
            if let Some(block) = chunk.0.pop() {
                freed += block.bytes.len() as u64;
                if block.watched {
                    watched.push(address::join(stack, last));
                }
                self.spare.give(block);
            }
            arena.len = last;
        }
        // Variables come and go: one chunk stays for the next ones.
        if arena.chunks.len() > height / CHUNK + 1 {
            arena.chunks.truncate(height / CHUNK + 1);
        }
        self.used -= freed;
        for base in watched {
            self.end_messages(base);
        }
    }

    /// The messages of a block that ends are gone.
    fn end_messages(&mut self, base: Address) {
        let allocation = self.allocation(base).0;
        if let Some(messages) = &mut self.messages {
            messages.end(allocation, address::allocation(base));
        }
    }

    /// Leaves of a variable only that it was there.
    fn bury(&mut self, address: Address) {
        let Some(block) = self.block_mut(address) else {
            return;
        };
        let size = std::mem::take(&mut block.bytes).len();
        if block.life == Life::Live {
            block.life = Life::Freed(block.site);
        }
        if std::mem::take(&mut block.watched) {
            self.end_messages(address);
        }
        self.used -= size as u64;
    }

    /// A global, or a thread's copy of one, with these first bytes; the rest is zero.
    pub fn push_global(
        &mut self,
        global: u32,
        constant: bool,
        bytes: &[u8],
        size: u64,
        site: SiteId,
    ) -> Result<Address, MemoryError> {
        self.charge(size)?;
        let len = usize::try_from(size).map_err(|_| MemoryError::Limit)?;
        let mut block = Block::new(Kind::Global(global), len, true, site, 0);
        block.bytes[..bytes.len()].copy_from_slice(bytes);
        block.shared = !constant;
        let arena = if constant {
            address::CONSTANTS
        } else {
            address::GLOBALS
        };
        self.push(arena, Rc::new(block))
    }

    /// A thread's copy of a thread-local global.
    pub fn push_thread_local(
        &mut self,
        lane: Lane,
        global: u32,
        bytes: &[u8],
        size: u64,
        site: SiteId,
    ) -> Result<Address, MemoryError> {
        self.charge(size)?;
        let len = usize::try_from(size).map_err(|_| MemoryError::Limit)?;
        let mut block = Block::new(Kind::ThreadLocal(global), len, true, site, lane);
        block.bytes[..bytes.len()].copy_from_slice(bytes);
        self.push(address::heap_of(lane), Rc::new(block))
    }

    /// Writes a relocated word into a global while the program is loaded.
    pub(crate) fn relocate(&mut self, address: Address, value: u64) {
        let at = address::offset(address) as usize;
        let (base, at) = if let Some(Block {
            kind: Kind::Tail(base),
            ..
        }) = self.block(address)
        {
            (*base, (address - base) as usize)
        } else {
            (address - at as u64, at)
        };
        if let Some(word) = self
            .block_mut(base)
            .and_then(|b| b.bytes.get_mut(at..at + 8))
        {
            word.copy_from_slice(&value.to_le_bytes());
        }
    }

    /// Adds the order in which freed memory will be used again to a digest.
    pub(crate) fn hash_free_lists(&self, hasher: &mut impl std::hash::Hasher) {
        for freed in self.arenas.iter().flat_map(|a| a.free.iter()) {
            hasher.write_usize(freed.size);
            for address in freed.shared.iter().chain(&freed.own) {
                hasher.write_u64(*address);
            }
        }
    }

    fn take_freed(&mut self, arena: usize, size: usize) -> Option<Address> {
        let at = self
            .arenas
            .get(arena)?
            .free
            .binary_search_by_key(&size, |f| f.size)
            .ok()?;
        let Freed { shared, own, .. } = &self.arenas[arena].free[at];
        if shared.is_empty() && own.len() <= QUARANTINE {
            return None;
        }
        let Freed { shared, own, .. } = &mut self.arena_mut(arena).free[at];
        shared.pop().or_else(|| own.pop_front())
    }

    fn arena_mut(&mut self, arena: usize) -> &mut Arena {
        if self.arenas.len() <= arena {
            self.arenas.resize(arena + 1, Rc::default());
        }
        Rc::make_mut(&mut self.arenas[arena])
    }

    fn charge(&mut self, size: u64) -> Result<(), MemoryError> {
        match self.used.checked_add(size) {
            Some(used) if used <= self.limit => {
                self.used = used;
                Ok(())
            }
            _ => Err(MemoryError::Limit),
        }
    }

    /// A block that fits into what the machine may use.
    #[inline]
    fn make(
        &mut self,
        kind: Kind,
        size: u64,
        written: bool,
        site: SiteId,
        lane: Lane,
    ) -> Result<Rc<Block>, MemoryError> {
        self.charge(size)?;
        let size = usize::try_from(size).map_err(|_| MemoryError::Limit)?;
        Ok(self.spare.make(kind, size, written, site, lane))
    }

    /// Gives `block` the next free slots of `arena`.
    #[inline]
    fn push(&mut self, arena: usize, block: Rc<Block>) -> Result<Address, MemoryError> {
        let size = block.bytes.len() as u64;
        let slots = size.div_ceil(address::SLOT_SIZE).max(1);
        let arena_ref = self.arena_mut(arena);
        if arena_ref.len as u64 + slots >= address::SLOTS {
            return Err(MemoryError::Limit);
        }
        let base = address::join(arena, arena_ref.len);
        match slots {
            1 => arena_ref.push(block),
            _ => arena_ref.push_large(block, slots, base),
        }
        Ok(base)
    }
}

impl Freed {
    fn of(size: usize) -> Self {
        Self {
            size,
            ..Self::default()
        }
    }
}

impl Arena {
    /// Pushes a block that takes several slots.
    #[cold]
    fn push_large(&mut self, block: Rc<Block>, slots: u64, base: Address) {
        let tail = Block::new(Kind::Tail(base), 0, true, block.site, block.lane);
        self.push(block);
        for _ in 1..slots {
            self.push(Rc::new(tail.clone()));
        }
    }

    #[inline]
    fn push(&mut self, block: Rc<Block>) {
        let at = self.len / CHUNK;
        if at == self.chunks.len() {
            self.chunks.push(Rc::default());
        }
        Rc::make_mut(&mut self.chunks[at]).0.push(block);
        self.len += 1;
    }
}
