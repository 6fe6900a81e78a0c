//! Relations over a few numbered things, a row of bits each.

/// A set of numbers below some bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set(Vec<u64>);

impl Set {
    /// The numbers below `size` of which `is_in` holds.
    pub(super) fn of(size: usize, is_in: impl Fn(usize) -> bool) -> Self {
        let mut set = Self(vec![0; size.div_ceil(64)]);
        for i in (0..size).filter(|&i| is_in(i)) {
            set.0[i / 64] |= 1 << (i % 64);
        }
        set
    }

    pub(super) fn has(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }
}

/// Which numbers below some bound are related to which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    size: usize,
    words: usize,
    rows: Vec<u64>,
}

impl Relation {
    pub(super) fn empty(size: usize) -> Self {
        let words = size.div_ceil(64);
        Self {
            size,
            words,
            rows: vec![0; size * words],
        }
    }

    /// Every number of `set` with itself.
    pub(super) fn identity(size: usize, set: &Set) -> Self {
        let mut relation = Self::empty(size);
        for i in (0..size).filter(|&i| set.has(i)) {
            relation.add(i, i);
        }
        relation
    }

    pub(super) fn add(&mut self, from: usize, to: usize) {
        self.rows[from * self.words + to / 64] |= 1 << (to % 64);
    }

    pub(super) fn has(&self, from: usize, to: usize) -> bool {
        self.rows[from * self.words + to / 64] >> (to % 64) & 1 == 1
    }

    fn row(&self, from: usize) -> &[u64] {
        &self.rows[from * self.words..(from + 1) * self.words]
    }

    /// Puts row `other` of `relation` into row `from`.
    fn join_row(&mut self, from: usize, relation: &Self, other: usize) {
        let start = from * self.words;
        for (i, word) in relation.row(other).iter().enumerate() {
            self.rows[start + i] |= word;
        }
    }

    /// This and `other`.
    #[must_use]
    pub(super) fn or(mut self, other: &Self) -> Self {
        for (mine, theirs) in self.rows.iter_mut().zip(&other.rows) {
            *mine |= theirs;
        }
        self
    }

    /// This, and everything with itself.
    #[must_use]
    pub(super) fn or_same(mut self) -> Self {
        (0..self.size).for_each(|i| self.add(i, i));
        self
    }

    /// First this, then `other`.
    pub(super) fn then(&self, other: &Self) -> Self {
        let mut result = Self::empty(self.size);
        for from in 0..self.size {
            for word in 0..self.words {
                let mut left = self.row(from)[word];
                while left != 0 {
                    result.join_row(from, other, word * 64 + left.trailing_zeros() as usize);
                    left &= left - 1;
                }
            }
        }
        result
    }

    /// From `left` to `right` only.
    #[must_use]
    pub(super) fn between(mut self, left: &Set, right: &Set) -> Self {
        for from in 0..self.size {
            let row = &mut self.rows[from * self.words..(from + 1) * self.words];
            for (word, allowed) in row.iter_mut().zip(&right.0) {
                *word = if left.has(from) { *word & allowed } else { 0 };
            }
        }
        self
    }

    /// One or more times this (Warshall 1962).
    #[must_use]
    pub(super) fn closure(mut self) -> Self {
        for middle in 0..self.size {
            let through = self.row(middle).to_vec();
            for from in 0..self.size {
                if self.has(from, middle) {
                    let start = from * self.words;
                    for (i, word) in through.iter().enumerate() {
                        self.rows[start + i] |= word;
                    }
                }
            }
        }
        self
    }

    /// This, which must be closed, and a way from `from` to `to`; closed again.
    #[must_use]
    pub(super) fn closed_with(mut self, from: usize, to: usize) -> Self {
        let mut through = self.row(to).to_vec();
        through[to / 64] |= 1 << (to % 64);
        for start in 0..self.size {
            if start == from || self.has(start, from) {
                let row = &mut self.rows[start * self.words..(start + 1) * self.words];
                for (mine, more) in row.iter_mut().zip(&through) {
                    *mine |= more;
                }
            }
        }
        self
    }

    /// The other way round.
    pub(super) fn reversed(&self) -> Self {
        let mut result = Self::empty(self.size);
        for from in 0..self.size {
            for to in (0..self.size).filter(|&to| self.has(from, to)) {
                result.add(to, from);
            }
        }
        result
    }

    /// Whether something is related both ways.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let mut words = self.rows.iter().zip(&other.rows);
        words.any(|(mine, theirs)| mine & theirs != 0)
    }

    /// Whether nothing is related to itself.
    pub(super) fn is_irreflexive(&self) -> bool {
        (0..self.size).all(|i| !self.has(i, i))
    }

    /// Whether no way leads back to where it started.
    pub(super) fn is_acyclic(&self) -> bool {
        self.clone().closure().is_irreflexive()
    }
}
