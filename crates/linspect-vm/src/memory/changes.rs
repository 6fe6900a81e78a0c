//! What differs between two states of a memory.

use super::{Address, Block, Kind, Memory, address};
use std::rc::Rc;

impl Memory {
    /// The allocations that may differ from what they were `earlier`, with what they were then, in address order. Shared parts are not looked at.
    pub(crate) fn changes<'a>(
        &'a self,
        earlier: &'a Self,
    ) -> impl Iterator<Item = (Address, Option<&'a Block>)> {
        self.arenas
            .iter()
            .enumerate()
            .flat_map(move |(arena, now)| {
                let old_arena = earlier.arenas.get(arena);
                let changed = !old_arena.is_some_and(|old| Rc::ptr_eq(old, now));
                let chunks = if changed { &now.chunks[..] } else { &[] };
                chunks.iter().enumerate().flat_map(move |(at, chunk)| {
                    let old_chunk = old_arena.and_then(|a| a.chunks.get(at));
                    let changed = !old_chunk.is_some_and(|old| Rc::ptr_eq(old, chunk));
                    let blocks = if changed { &chunk.0[..] } else { &[] };
                    blocks.iter().enumerate().filter_map(move |(i, block)| {
                        let old = old_chunk.and_then(|c| c.0.get(i));
                        let same = old.is_some_and(|old| Rc::ptr_eq(old, block));
                        let tail = matches!(block.kind, Kind::Tail(_));
                        let base = address::join(arena, at * super::CHUNK + i);
                        (!same && !tail).then(|| (base, old.map(|b| &**b)))
                    })
                })
            })
    }
}
