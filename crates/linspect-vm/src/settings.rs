//! What a run may do and how much of it.

use crate::memory::Reuse;
use crate::program::SiteId;
use linspect_core::execution::MemoryModel;
use linspect_core::orderings::Orderings;
use std::collections::BTreeSet;

/// Everything besides program, client and schedule that decides how a run goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What happens to freed memory.
    pub reuse: Reuse,
    /// Bytes that the program may have allocated at one time.
    pub memory: u64,
    /// Instructions between two visible accesses of a thread, and of each sequential operation.
    pub instructions: u64,
    /// Calls in calls.
    pub depth: u32,
    /// Where the program's randomness starts.
    pub seed: u64,
    /// From how many numbers the generators of the C library choose, all of which are tried; they are pseudo-random if nobody says.
    pub random: Option<u8>,
    /// How many processors the program is told that there are: with one, code that would spin waits at once.
    pub cpus: u8,
    /// Whether memory that is still allocated and unreachable at the end is a fault.
    pub leaks: bool,
    /// Whether each thread may wake once at a condition though nobody wakes it; under sequential consistency only.
    pub spurious: bool,
    /// Whether Rust's standard library is looked into like any other code.
    pub std_visible: bool,
    /// What atomics weaker than `seq_cst` may do.
    pub memory_model: MemoryModel,
    /// Under C20, atomics that are ordered otherwise than the source says.
    pub orderings: Orderings,
    /// Where memory is allocated that counts as shared from its birth, because threads were seen to hand it on in a way that hides it.
    pub shared: BTreeSet<SiteId>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            reuse: Reuse::Lifo,
            memory: 1 << 28,
            instructions: 20_000_000,
            depth: 4_000,
            seed: 0,
            random: None,
            cpus: 2,
            leaks: false,
            spurious: false,
            std_visible: false,
            memory_model: MemoryModel::Sc,
            orderings: Orderings::new(),
            shared: BTreeSet::new(),
        }
    }
}
