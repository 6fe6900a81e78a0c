//! Takes that never returned, made to take the values that must be gone.
//!
//! Of a value that nobody is known to have taken it may be clear that it was gone by some time: it would have been in the way of
//! another that was taken later, or of an operation that found nothing. Then a take that never returned took it. Which one
//! did is settled greedily: the value that must be gone first goes to the take that was called first. This finds an
//! assignment in time if there is one (sort both, compare one by one), and an earlier call never hinders.
//!
//! A history holds if one of its completions does. If this one does not, nobody knows: another may.

use super::intern::NONE;
use super::lifetimes::{Lifetimes, ValueLifetime};

/// So many times is asked what else must be gone, now that some values are.
const ROUNDS: usize = 4;

/// The values of `lives`, each that must be gone with the take that never returned and took it; `None` if there are too few.
///
/// `due` is given values and, per row of a put, the slot by which its value is gone, [`NONE`] if it stays. It says, per row
/// of a put again, by which slot these facts make a value be gone.
pub(crate) fn complete<'h>(
    lives: &Lifetimes<'h>,
    due: impl Fn(&Lifetimes<'h>, &[ValueLifetime], &[u32]) -> Vec<u32>,
) -> Option<Vec<ValueLifetime>> {
    let mut values = lives.values.clone();
    let mut gone = vec![NONE; lives.ops.len()];
    for life in values.iter().filter(|life| life.take != NONE) {
        gone[life.put as usize] = lives.take_last(*life);
    }
    let mut takes = lives.open_takes.iter().copied();
    for _ in 0..ROUNDS {
        let due = due(lives, &values, &gone);
        let empty = found_empty(lives);
        let mut waiting: Vec<(u32, usize)> = Vec::new();
        for (i, life) in values.iter().enumerate() {
            let put = life.put as usize;
            let due = due[put].min(empty.after(lives.slots.last[put]));
            if life.take == NONE && due != NONE {
                waiting.push((due, i));
            }
        }
        if waiting.is_empty() {
            return Some(values);
        }
        waiting.sort_unstable();
        for (due, i) in waiting {
            let take = takes.next()?;
            if lives.slots.first[take as usize] > due {
                return None;
            }
            values[i].take = take;
            gone[values[i].put as usize] = due;
        }
    }
    Some(values)
}

/// Per slot from which on some operation ran that found nothing, when the first of these ended.
fn found_empty(lives: &Lifetimes<'_>) -> Least {
    let mut least = Least::new(lives.slots.count);
    for &row in &lives.empties {
        least.add(
            lives.slots.first[row as usize],
            lives.slots.last[row as usize],
        );
    }
    least
}

/// Numbers at slots, for asking which is the least after some slot: Fenwick, "A new data structure for cumulative frequency
/// tables" (Software: Practice and Experience 24(3), 1994), from the end.
pub(crate) struct Least {
    least: Vec<u32>,
}

impl Least {
    /// None yet, for so many slots.
    pub(crate) fn new(slots: u32) -> Self {
        Self {
            least: vec![NONE; slots as usize + 1],
        }
    }

    /// Adds `number` at `slot`.
    pub(crate) fn add(&mut self, slot: u32, number: u32) {
        let mut at = self.least.len() - 1 - slot as usize;
        while let Some(least) = self.least.get_mut(at) {
            *least = number.min(*least);
            at += at & at.wrapping_neg();
        }
    }

    /// The least number at slots after `slot`; [`NONE`] if there is none.
    pub(crate) fn after(&self, slot: u32) -> u32 {
        let mut at = (self.least.len() - 1).saturating_sub(slot.saturating_add(1) as usize);
        let mut found = NONE;
        while at > 0 {
            found = found.min(self.least[at]);
            at &= at - 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{Least, NONE};
    use crate::random::Random;

    #[test]
    fn the_least_after_a_slot() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let slots = 1 + random.below(20) as u32;
            let mut least = Least::new(slots);
            let mut plain: Vec<(u32, u32)> = Vec::new();
            for _ in 0..random.below(30) {
                let entry = (
                    random.below(slots as usize) as u32,
                    random.below(100) as u32,
                );
                least.add(entry.0, entry.1);
                plain.push(entry);
                for slot in (0..slots + 2).chain([NONE]) {
                    let after = plain.iter().filter(|entry| entry.0 > slot);
                    let expected = after.map(|entry| entry.1).min().unwrap_or(NONE);
                    assert_eq!(least.after(slot), expected, "{slot} of {plain:?}");
                }
            }
        }
    }
}
