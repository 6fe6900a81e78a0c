//! Times during which a container surely holds something.

use super::lifetimes::{Lifetimes, ValueLifetime};
use super::pattern::Pattern;

/// The stays of some values, for asking which of them cover a stretch of time.
pub(crate) struct Cover {
    /// The stays by their first slots: (first slot, the value among these and all before that stays longest, its last slot).
    stays: Vec<(u32, ValueLifetime, u32)>,
}

impl Cover {
    /// The stays of `values`.
    pub(crate) fn new(lives: &Lifetimes<'_>, values: impl Iterator<Item = ValueLifetime>) -> Self {
        let mut stays: Vec<(u32, ValueLifetime, u32)> = values
            .filter_map(|life| lives.stay(life).map(|(from, to)| (from, life, to)))
            .collect();
        stays.sort_unstable_by_key(|&(from, life, to)| (from, to, life.put));
        for i in 1..stays.len() {
            if stays[i - 1].2 >= stays[i].2 {
                (stays[i].1, stays[i].2) = (stays[i - 1].1, stays[i - 1].2);
            }
        }
        Self { stays }
    }

    /// As few values as possible of which one is surely there in each slot from `first` to `last`; `None` if there is a
    /// slot without.
    pub(crate) fn chain(&self, first: u32, last: u32) -> Option<Vec<ValueLifetime>> {
        let mut chain = Vec::new();
        let mut at = first;
        while at <= last {
            let begun = self.stays.partition_point(|&(from, ..)| from <= at);
            let (_, life, to) = *self.stays[..begun].last()?;
            if to < at {
                return None;
            }
            chain.push(life);
            at = to + 1;
        }
        Some(chain)
    }
}

/// An operation that found nothing although the container surely held something all the time, as a pattern.
pub(crate) fn wrongly_empty(lives: &Lifetimes<'_>, values: &[ValueLifetime]) -> Option<Pattern> {
    if lives.empties.is_empty() {
        return None;
    }
    let next = next_possibly_empty(lives, values);
    let slots = &lives.slots;
    let wrong = (lives.empties.iter().copied())
        .filter(|&row| next[slots.first[row as usize] as usize] > slots.last[row as usize])
        .min_by_key(|&row| slots.last[row as usize])?;
    let (first, last) = (slots.first[wrong as usize], slots.last[wrong as usize]);
    let chain = Cover::new(lives, values.iter().copied()).chain(first, last)?;
    let pattern = Pattern::new().because(
        format!("{} found nothing", lives.show(wrong)),
        [lives.id(wrong)],
    );
    Some(surely_in(lives, pattern, &chain).because(
        format!(
            "so there was something at every moment while {} ran: contradiction",
            lives.show(wrong)
        ),
        [lives.id(wrong)],
    ))
}

/// `pattern` with a line for each value of `chain`, saying from when to when it was surely there.
pub(crate) fn surely_in(
    lives: &Lifetimes<'_>,
    pattern: Pattern,
    chain: &[ValueLifetime],
) -> Pattern {
    chain.iter().fold(pattern, |pattern, &life| {
        let (text, ops) = lives.surely_in(life);
        pattern.because(text, ops)
    })
}

/// Per slot, the first slot at or after it in which the container may be empty.
fn next_possibly_empty(lives: &Lifetimes<'_>, values: &[ValueLifetime]) -> Vec<u32> {
    let held = held_per_slot(lives, values);
    let mut empty = u32::MAX;
    let mut next = vec![empty; held.len()];
    for slot in (0..lives.slots.count).rev() {
        if held[slot as usize] == 0 {
            empty = slot;
        }
        next[slot as usize] = empty;
    }
    next
}

/// Per slot, how many of `values` are surely there.
pub(crate) fn held_per_slot(lives: &Lifetimes<'_>, values: &[ValueLifetime]) -> Vec<i32> {
    let mut held = vec![0; lives.slots.count as usize + 1];
    for &life in values {
        if let Some((from, to)) = lives.stay(life) {
            held[from as usize] += 1;
            held[to as usize + 1] -= 1;
        }
    }
    for slot in 1..held.len() {
        held[slot] += held[slot - 1];
    }
    held.pop();
    held
}
