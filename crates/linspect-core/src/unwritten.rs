//! Memory that is read and that nobody writes, as far as is known.

use crate::execution::Location;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Parts of memory that are read while threads run beside each other and that nobody writes meanwhile, as far as is known. Whoever reads there learns nothing that it could not
/// have learned earlier or later.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unwritten {
    /// Per allocation, in order, with gaps between them.
    parts: FxHashMap<u32, Vec<Range<u32>>>,
}

fn range(place: &Location) -> Range<u32> {
    place.offset..place.offset.saturating_add(place.size)
}

impl Unwritten {
    /// What is in `read` and has no byte in common with anything in `written`.
    pub fn new<'a>(
        read: impl IntoIterator<Item = &'a Location>,
        written: impl IntoIterator<Item = &'a Location>,
    ) -> Self {
        let mut changed: FxHashMap<u32, Vec<&Location>> = FxHashMap::default();
        for place in written {
            changed.entry(place.allocation).or_default().push(place);
        }
        let mut parts: FxHashMap<u32, Vec<Range<u32>>> = FxHashMap::default();
        for place in read {
            let changed = changed.get(&place.allocation);
            if !changed.is_some_and(|all| all.iter().any(|w| w.overlaps(place))) {
                parts
                    .entry(place.allocation)
                    .or_default()
                    .push(range(place));
            }
        }
        for ranges in parts.values_mut() {
            ranges.sort_unstable_by_key(|r| (r.start, r.end));
            ranges.dedup_by(|next, known| {
                let touches = next.start <= known.end;
                if touches {
                    known.end = known.end.max(next.end);
                }
                touches
            });
        }
        Self { parts }
    }

    /// Whether there is nothing of the kind.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether all of `place` is such memory.
    pub fn contains(&self, place: &Location) -> bool {
        let (Some(ranges), wanted) = (self.parts.get(&place.allocation), range(place)) else {
            return false;
        };
        let after = ranges.partition_point(|r| r.start <= wanted.start);
        after > 0 && wanted.end <= ranges[after - 1].end
    }

    /// Whether some byte of `place` is.
    pub fn overlaps(&self, place: &Location) -> bool {
        let (Some(ranges), wanted) = (self.parts.get(&place.allocation), range(place)) else {
            return false;
        };
        ranges
            .iter()
            .any(|r| r.start < wanted.end && wanted.start < r.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(allocation: u32, offset: u32, size: u32) -> Location {
        Location {
            allocation,
            offset,
            size,
        }
    }

    #[test]
    fn what_is_written_is_left_out_and_neighbours_are_one() {
        let read = [
            at(1, 8, 8),
            at(1, 0, 8),
            at(1, 20, 4),
            at(2, 0, 8),
            at(3, 0, 1),
        ];
        let written = [at(2, 4, 1), at(3, 1, 4)];
        let unwritten = Unwritten::new(&read, &written);
        for inside in [at(1, 0, 16), at(1, 4, 8), at(1, 20, 4), at(3, 0, 1)] {
            assert!(unwritten.contains(&inside), "{inside:?}");
        }
        for outside in [
            at(1, 12, 8),
            at(1, 16, 4),
            at(2, 0, 1),
            at(3, 0, 2),
            at(4, 0, 1),
        ] {
            assert!(!unwritten.contains(&outside), "{outside:?}");
        }
        assert!(unwritten.overlaps(&at(1, 12, 20)) && unwritten.overlaps(&at(3, 0, 9)));
        assert!(!unwritten.overlaps(&at(1, 16, 4)) && !unwritten.overlaps(&at(2, 0, 8)));
        assert!(!unwritten.is_empty() && Unwritten::new(&read, &read).is_empty());
    }
}
