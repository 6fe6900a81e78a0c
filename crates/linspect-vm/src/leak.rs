//! Memory that nobody can free any more: allocated on the heap, and not to be reached from globals and living threads.

use crate::image::Image;
use crate::memory::{Address, Block, Kind, Life, Memory, address, little_endian};
use crate::naming;
use linspect_core::execution::{Fault, FaultKind};
use rustc_hash::FxHashSet;

/// One fault per block that leaks, in address order.
pub(crate) fn leaks(
    image: &Image,
    memory: &Memory,
    roots: impl Iterator<Item = u64>,
) -> Vec<Fault> {
    let mut reached: FxHashSet<Address> = FxHashSet::default();
    let mut pending: Vec<u64> = roots.collect();
    for (at, block) in memory.blocks() {
        if !is_heap(block) && reached.insert(at) {
            pending.extend(words(block));
        }
    }
    while let Some(word) = pending.pop() {
        let word = word & ((1 << 47) - 1);
        let base = address::base(memory.allocation(word).0);
        if let Some(block) = memory.block(base)
            && is_heap(block)
            && reached.insert(base)
        {
            pending.extend(words(block));
        }
    }
    memory
        .blocks()
        .filter(|(at, block)| is_heap(block) && !reached.contains(at))
        .map(|(at, block)| Fault {
            kind: FaultKind::Leak,
            message: match naming::name(image, memory, at) {
                unnamed if unnamed.starts_with("memory#") => format!(
                    "{} bytes were never freed and nothing points to them any more",
                    block.len()
                ),
                name => format!(
                    "{name} ({} bytes) was never freed and nothing points to it any more",
                    block.len()
                ),
            },
            site: block.site,
            related: Some(block.site),
        })
        .collect()
}

fn is_heap(block: &Block) -> bool {
    block.kind == Kind::Heap && block.life == Life::Live
}

fn words(block: &Block) -> impl Iterator<Item = u64> + '_ {
    block.bytes().chunks_exact(8).map(little_endian)
}
