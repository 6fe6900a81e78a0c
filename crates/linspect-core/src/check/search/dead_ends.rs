//! Places on a row from which everything was tried in vain.

use super::footprint;
use super::mask::Mask;
use super::row::Row;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Places from which there is no way.
pub(super) struct DeadEnds<M> {
    /// By hash.
    pub(super) places: HashTable<DeadEnd<M>>,
    /// The rows there, one after the other.
    pub(super) rows: Vec<u32>,
}

pub(super) struct DeadEnd<M> {
    hash: u64,
    at: u32,
    placed: M,
    /// Where its row begins, and how long it is.
    row: (usize, usize),
}

impl<M> Default for DeadEnds<M> {
    fn default() -> Self {
        Self {
            places: HashTable::new(),
            rows: Vec::new(),
        }
    }
}

impl<M: Mask> DeadEnds<M> {
    fn hash(at: u32, placed: &M, row: &Row) -> u64 {
        FxBuildHasher.hash_one((at, placed, row.digest()))
    }

    /// Whether there is no way from here.
    pub(super) fn has(&self, at: u32, placed: &M, row: &Row) -> bool {
        if self.places.is_empty() {
            return false;
        }
        let hash = Self::hash(at, placed, row);
        let is_it = |known: &DeadEnd<M>| {
            let (from, length) = known.row;
            known.hash == hash
                && known.at == at
                && known.placed == *placed
                && row
                    .iter()
                    .eq(self.rows[from..from + length].iter().copied())
        };
        self.places.find(hash, is_it).is_some()
    }

    /// There is no way from here.
    pub(super) fn insert(&mut self, at: u32, placed: M, row: &Row) {
        let hash = Self::hash(at, &placed, row);
        let from = self.rows.len();
        self.rows.extend(row.iter());
        let place = DeadEnd {
            hash,
            at,
            placed,
            row: (from, self.rows.len() - from),
        };
        self.places.insert_unique(hash, place, |known| known.hash);
    }

    /// About how many bytes they hold, where a set of slots holds `heap` elsewhere.
    pub(super) fn memory(&self, heap: usize) -> usize {
        footprint::table::<DeadEnd<M>>(self.places.len(), self.places.capacity())
            + self.places.len() * heap
            + footprint::list::<u32>(self.rows.len(), self.rows.capacity())
    }
}
