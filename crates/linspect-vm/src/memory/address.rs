//! How addresses are made: arena, slot, offset.
//!
//! An address names its allocation: bits 39 and up are the *arena* (a thread's heap, a thread's stack, the globals), bits 20 to 38
//! the *slot* in it, the rest the offset. So a lookup is two indexings, an access beyond the end never lands in a
//! neighbour, and addresses depend only on what one thread did. They stay below 2^47, so pointer tags in the upper 16 bits work.

/// An address of the program under test.
pub type Address = u64;

const SLOT_SHIFT: u32 = 20;
const ARENA_SHIFT: u32 = 39;
const SLOT_MASK: u64 = (1 << (ARENA_SHIFT - SLOT_SHIFT)) - 1;

/// Bytes that one slot can hold; a larger allocation takes several slots in a row.
pub(super) const SLOT_SIZE: u64 = 1 << SLOT_SHIFT;
/// Slots of one arena.
pub(super) const SLOTS: u64 = SLOT_MASK + 1;

/// The arena of constant globals.
pub(super) const CONSTANTS: usize = 1;
/// The arena of other globals.
pub(super) const GLOBALS: usize = 2;
const FIRST_LANE: usize = 3;

/// How many lanes (threads, and the sequential part of a client) a machine can have.
pub const MAX_LANES: u16 = 120;

/// Who allocates: a thread, or the sequential part of a client. Each lane has a heap and a stack of its own.
pub type Lane = u16;

/// The lane of the sequential part of a client.
pub(crate) const SEQUENTIAL: Lane = 0;

pub(super) fn heap_of(lane: Lane) -> usize {
    FIRST_LANE + 2 * usize::from(lane)
}

pub(super) const fn stack_of(lane: Lane) -> usize {
    FIRST_LANE + 2 * (lane as usize) + 1
}

pub(super) fn is_stack(arena: usize) -> bool {
    arena >= FIRST_LANE && (arena - FIRST_LANE) % 2 == 1
}

#[inline]
pub(super) fn join(arena: usize, slot: usize) -> Address {
    (arena as u64) << ARENA_SHIFT | (slot as u64) << SLOT_SHIFT
}

#[inline]
pub(super) fn arena(address: Address) -> usize {
    (address >> ARENA_SHIFT) as usize
}

#[inline]
pub(super) fn slot(address: Address) -> usize {
    (address >> SLOT_SHIFT & SLOT_MASK) as usize
}

#[inline]
pub(super) fn offset(address: Address) -> u64 {
    address & (SLOT_SIZE - 1)
}

/// The identity of the allocation that `address` points into or near.
#[inline]
pub fn allocation(address: Address) -> u32 {
    (address >> SLOT_SHIFT) as u32
}

/// Bits of an allocation's identity that are its address: the rest counts its lives ([`in_life`]).
const ALLOCATION_BITS: u32 = 27;
const _: () = assert!(stack_of(MAX_LANES) < 1 << (ALLOCATION_BITS + SLOT_SHIFT - ARENA_SHIFT));
const _: () = assert!(super::messages::MOST_LIVES <= 1 << (32 - ALLOCATION_BITS));

/// The identity of an allocation at an address where others ended before, so often.
pub(super) fn in_life(allocation: u32, life: u32) -> u32 {
    allocation | life << ALLOCATION_BITS
}

/// The first address of an allocation.
pub fn base(allocation: u32) -> Address {
    u64::from(allocation & ((1 << ALLOCATION_BITS) - 1)) << SLOT_SHIFT
}

/// Functions have addresses in the otherwise unused arena 0, above the page that stands for null.
pub(crate) fn of_function(id: u32) -> Address {
    SLOT_SIZE + 16 * u64::from(id)
}

/// The function at `address`, if there can be one.
pub(crate) fn function_at(address: Address) -> Option<u32> {
    let distance = address.checked_sub(SLOT_SIZE)?;
    (arena(address) == 0 && distance % 16 == 0)
        .then(|| u32::try_from(distance / 16).ok())
        .flatten()
}
