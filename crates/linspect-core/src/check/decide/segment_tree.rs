//! How many things cover each place, for taking out places that nothing covers any more.

/// Counts per place that only go down, with the places at zero at hand.
///
/// A node's `least` is the smallest count below it without what its ancestors' `pending` still take off.
pub(crate) struct SegmentTree {
    least: Vec<i32>,
    pending: Vec<i32>,
    width: usize,
}

/// The count of a place that was taken out, or does not exist: no number of decrements makes it zero.
const OUT: i32 = i32::MAX / 2;

impl SegmentTree {
    /// A tree with these counts.
    pub(crate) fn new(counts: &[i32]) -> Self {
        let width = counts.len().next_power_of_two();
        let mut least = vec![OUT; 2 * width];
        least[width..width + counts.len()].copy_from_slice(counts);
        for node in (1..width).rev() {
            least[node] = least[2 * node].min(least[2 * node + 1]);
        }
        Self {
            least,
            pending: vec![0; width],
            width,
        }
    }

    /// Takes out a place whose count is zero, if there is one.
    pub(crate) fn take_zero(&mut self) -> Option<usize> {
        if self.least[1] != 0 {
            return None;
        }
        let (mut node, mut wanted) = (1, 0);
        while node < self.width {
            wanted -= self.pending[node];
            node *= 2;
            node += usize::from(self.least[node] != wanted);
        }
        self.least[node] = OUT;
        self.refresh_above(node);
        Some(node - self.width)
    }

    /// Takes one off the counts of the places `from` to `to`.
    pub(crate) fn decrement(&mut self, from: usize, to: usize) {
        let (mut left, mut right) = (self.width + from, self.width + to + 1);
        let (first, last) = (left, right - 1);
        while left < right {
            if left % 2 == 1 {
                self.decrement_node(left);
                left += 1;
            }
            if right % 2 == 1 {
                right -= 1;
                self.decrement_node(right);
            }
            left /= 2;
            right /= 2;
        }
        self.refresh_above(first);
        self.refresh_above(last);
    }

    fn decrement_node(&mut self, node: usize) {
        self.least[node] -= 1;
        if node < self.width {
            self.pending[node] -= 1;
        }
    }

    fn refresh_above(&mut self, mut node: usize) {
        while node > 1 {
            node /= 2;
            self.least[node] =
                self.least[2 * node].min(self.least[2 * node + 1]) + self.pending[node];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SegmentTree;
    use crate::random::Random;

    #[test]
    fn it_takes_out_what_a_plain_list_would() {
        let mut random = Random::new(7);
        for _ in 0..300 {
            let places = 1 + random.below(20);
            let mut intervals: Vec<(usize, usize)> = Vec::new();
            let mut counts = vec![0; places];
            for _ in 0..random.below(15) {
                let from = random.below(places);
                let to = from + random.below(places - from);
                intervals.push((from, to));
                counts[from..=to].iter_mut().for_each(|c| *c += 1);
            }
            let mut tree = SegmentTree::new(&counts);
            let mut out = vec![false; places];
            loop {
                while let Some(place) = tree.take_zero() {
                    assert!(counts[place] == 0 && !out[place]);
                    out[place] = true;
                }
                assert!((0..places).all(|p| out[p] == (counts[p] == 0)));
                let Some((from, to)) = intervals.pop() else {
                    break;
                };
                counts[from..=to].iter_mut().for_each(|c| *c -= 1);
                tree.decrement(from, to);
            }
            assert!(out.iter().all(|&out| out));
        }
    }
}
