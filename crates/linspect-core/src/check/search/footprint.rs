//! How many bytes lists and tables hold, and how many at one time when they grow next.
//!
//! A search asks seldom whether it may go on, and in between a table may grow: it is there twice for a moment then, once of them twice as large. So what is nearly full
//! counts as what it needs to grow. Places that were never used count as well: most of them are used soon.

use std::mem::size_of;

/// Nearly full: it may grow before the next question. Between two questions searches do little beside what is an eighth of a large table.
fn grows_soon(len: usize, capacity: usize) -> bool {
    len >= capacity - capacity / 8
}

/// A list of `len` entries of type `T` with places for `capacity`. When it grows, its entries are copied, and nobody touches the other half yet.
pub(crate) fn list<T>(len: usize, capacity: usize) -> usize {
    let now = capacity * size_of::<T>();
    match grows_soon(len, capacity) {
        true => 2 * now,
        false => now,
    }
}

/// A hash table of `len` entries of type `T` with places for `capacity`. When it grows, its entries go everywhere in one twice as large.
pub(crate) fn table<T>(len: usize, capacity: usize) -> usize {
    // Of eight places seven are used at most, and each has a byte that says by whom.
    let places = (capacity / 7 * 8).next_power_of_two();
    let now = places * (size_of::<T>() + 1);
    match grows_soon(len, capacity) {
        true => 3 * now,
        false => now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashSet;

    /// Whenever one grows, what it was said to hold covers the old one and the new one.
    #[test]
    fn what_grows_was_foreseen() {
        let mut numbers: Vec<u64> = Vec::new();
        let mut set: FxHashSet<u64> = FxHashSet::default();
        let mut grown = 0;
        for n in 0..100_000 {
            let said = [
                list::<u64>(numbers.len(), numbers.capacity()),
                table::<u64>(set.len(), set.capacity()),
            ];
            let before = [numbers.capacity(), set.capacity()];
            numbers.push(n);
            set.insert(n);
            if before[0] > 8 && numbers.capacity() > before[0] {
                assert!(said[0] >= 2 * before[0] * size_of::<u64>());
                grown += 1;
            }
            if before[1] > 8 && set.capacity() > before[1] {
                assert!(said[1] >= (before[1] + set.capacity()) * (size_of::<u64>() + 1));
                grown += 1;
            }
        }
        assert!(grown > 20, "{grown}");
    }
}
