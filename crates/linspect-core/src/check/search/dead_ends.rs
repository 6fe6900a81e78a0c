//! Places on a row from which everything was tried in vain.

use super::mask::Mask;
use super::row::Row;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::mem::size_of;

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
        let place = size_of::<DeadEnd<M>>() + heap;
        // Of eight places of a table seven are used at most.
        let places = self.places.capacity() / 7 * 8 * place;
        let rows = self.rows.capacity() * size_of::<u32>();
        places * times(self.places.len(), self.places.capacity())
            + rows * times(self.rows.len(), self.rows.capacity())
    }
}

/// How many times what is held now will be held at one time: what grows soon is there once more then, twice as large.
fn times(len: usize, capacity: usize) -> usize {
    match len >= capacity - capacity / 8 {
        true => 3,
        false => 1,
    }
}
