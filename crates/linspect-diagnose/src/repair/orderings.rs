//! Repairs that strengthen memory orderings.
//!
//! A stronger ordering only takes executions away, so nothing new can go wrong. From the strongest orderings everywhere one place after the other is weakened as far as it
//! goes; different orders of the places give different smallest sets. Whoever says whether a set is enough explores the program with it.

use linspect_core::execution::{Execution, Ordering};
use linspect_core::orderings::{Orderings, Place};
use std::collections::BTreeSet;

/// The atomic accesses of these executions, as they are ordered.
pub fn places<'e>(executions: impl IntoIterator<Item = &'e Execution>) -> Orderings {
    let steps = executions.into_iter().flat_map(|e| &e.steps);
    let accesses = steps.flat_map(|s| &s.accesses);
    accesses
        .filter_map(|access| Some((Place::of(access)?, access.ordering)))
        .collect()
}

/// These places, ordered as strongly as can be.
pub fn strongest(written: &Orderings) -> Orderings {
    written.keys().map(|p| (*p, Ordering::SeqCst)).collect()
}

/// The smallest sets of stronger orderings of what is `written` that are enough, the fewest and the cheapest changes first, if the strongest are enough. `is_enough` knows
/// that, or does not know any more: then what was found so far is all.
pub fn strengthen(
    written: &Orderings,
    is_enough: &mut dyn FnMut(&Orderings) -> Option<bool>,
) -> Vec<Orderings> {
    let places: Vec<Place> = written.keys().copied().collect();
    let mut enough: Vec<Orderings> = Vec::new();
    let mut lacking: Vec<Orderings> = Vec::new();
    let mut ask = |orderings: &Orderings| {
        if enough.iter().any(|known| covers(orderings, known)) {
            return Some(true);
        }
        if lacking.iter().any(|known| covers(known, orderings)) {
            return Some(false);
        }
        let answer = is_enough(orderings)?;
        let known = if answer { &mut enough } else { &mut lacking };
        known.push(orderings.clone());
        Some(answer)
    };
    let mut found = BTreeSet::new();
    for first in 0..places.len() {
        let order = places.iter().cycle().skip(first).take(places.len());
        match weaken(written, order, &mut ask) {
            Some(orderings) => _ = found.insert(orderings),
            None => break,
        }
    }
    let mut found: Vec<Orderings> = found.into_iter().collect();
    let dear = |orderings: &Orderings| {
        orderings
            .values()
            .filter(|o| **o == Ordering::SeqCst)
            .count()
    };
    found.sort_by_key(|orderings| (orderings.len(), dear(orderings)));
    found
}

/// Whether `stronger`, of the same places, orders all that `weaker` does.
fn covers(stronger: &Orderings, weaker: &Orderings) -> bool {
    let mut pairs = stronger.values().zip(weaker.values());
    pairs.all(|(stronger, weaker)| stronger.covers(*weaker))
}

/// Weakens one place after the other as far as it goes; nothing if nobody knows any more.
fn weaken<'p>(
    written: &Orderings,
    order: impl Iterator<Item = &'p Place>,
    ask: &mut dyn FnMut(&Orderings) -> Option<bool>,
) -> Option<Orderings> {
    let mut orderings = strongest(written);
    for place in order {
        let least = written[place];
        for &weaker in place.orderings().iter().filter(|o| o.covers(least)) {
            let before = orderings.insert(*place, weaker);
            if ask(&orderings)? {
                break;
            }
            orderings.extend(before.map(|before| (*place, before)));
        }
    }
    orderings.retain(|place, ordering| *ordering != written[place]);
    Some(orderings)
}
