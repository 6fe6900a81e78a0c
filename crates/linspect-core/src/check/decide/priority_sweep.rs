//! Priority queues, best value first.
//!
//! Lee and Mathur, "Efficient Decrease-and-Conquer Linearizability Monitoring" (2025), in another order of computation: a
//! poll of `v` needs a moment at which no strictly better value is surely present, and such moments suffice. Values are
//! taken from best to worst; each closes the slots in which it is surely present, and a poll asks for an open slot before
//! values as good as its own close theirs. Open slots are found by union-find, so all is linear once the values are sorted.

use super::completion::Least;
use super::cover::{self, Cover};
use super::intern::NONE;
use super::lifetimes::{Lifetimes, ValueLifetime};
use super::pattern::Pattern;
use crate::history::{History, OpId};
use crate::spec::PriorityQueue;
use crate::value::Value;

/// Decides the operations `ops` of a history of a priority queue.
pub(super) fn decide(
    history: &History,
    spec: &PriorityQueue,
    ops: &[OpId],
) -> Option<Result<(), Pattern>> {
    let lives = match Lifetimes::read(history, ops, spec) {
        Ok(lives) => lives,
        Err(pattern) => return Some(Err(pattern)),
    };
    lives.decide(
        |lives, values| {
            wrongly_preferred(lives, spec, values).or_else(|| cover::wrongly_empty(lives, values))
        },
        |lives, values, gone| due(lives, spec, values, gone),
    )
}

/// A value must be gone before a worse one is polled that was surely there with it.
fn due(
    lives: &Lifetimes<'_>,
    spec: &PriorityQueue,
    values: &[ValueLifetime],
    gone: &[u32],
) -> Vec<u32> {
    let mut due = vec![NONE; gone.len()];
    let mut worse = Least::new(lives.slots.count + 1);
    let sorted = best_first(lives, spec, values);
    for equal in sorted.chunk_by(|&a, &b| as_good(lives, spec, a, b)).rev() {
        for x in equal {
            due[x.put as usize] = worse.after(lives.slots.last[x.put as usize]);
        }
        for &y in equal {
            worse.add(lives.take_first(y), gone[y.put as usize]);
        }
    }
    due
}

fn as_good(
    lives: &Lifetimes<'_>,
    spec: &PriorityQueue,
    a: ValueLifetime,
    b: ValueLifetime,
) -> bool {
    spec.compare(lives.value(a), lives.value(b)).is_eq()
}

/// A poll that took a value while a better one was surely there, all the time.
fn wrongly_preferred(
    lives: &Lifetimes<'_>,
    spec: &PriorityQueue,
    values: &[ValueLifetime],
) -> Option<Pattern> {
    let sorted = best_first(lives, spec, values);
    let mut open = OpenSlots::new(lives.slots.count);
    for equal in sorted.chunk_by(|&a, &b| as_good(lives, spec, a, b)) {
        for &life in equal.iter().filter(|life| life.take != NONE) {
            let (first, last) = moments(lives, life);
            if open.next(first) > last {
                return Some(explain(lives, spec, values, life));
            }
        }
        for &life in equal {
            if let Some((from, to)) = lives.stay(life) {
                open.close(from, to);
            }
        }
    }
    None
}

/// The slots in which the poll of a value may take effect.
fn moments(lives: &Lifetimes<'_>, life: ValueLifetime) -> (u32, u32) {
    let first = lives.slots.first[life.put as usize].max(lives.take_first(life));
    (first, lives.take_last(life))
}

fn best_first(
    lives: &Lifetimes<'_>,
    spec: &PriorityQueue,
    values: &[ValueLifetime],
) -> Vec<ValueLifetime> {
    let numbers: Option<Vec<(i64, ValueLifetime)>> = (values.iter())
        .map(|&life| match lives.value(life) {
            Value::Int(n) => Some((*n, life)),
            _ => None,
        })
        .collect();
    let mut sorted = match numbers {
        // Whole numbers, the common case, are sorted without following references.
        Some(mut numbers) => {
            numbers.sort_unstable_by_key(|&(n, _)| n);
            let sorted = numbers.into_iter().map(|(_, life)| life);
            if spec.largest_first {
                sorted.rev().collect()
            } else {
                sorted.collect()
            }
        }
        None => values.to_vec(),
    };
    // Linear if they are sorted already.
    sorted.sort_by(|&a, &b| spec.compare(lives.value(a), lives.value(b)));
    sorted
}

/// Slots that close one by one: union-find with path halving.
struct OpenSlots {
    /// Leads towards the first open slot at or after it.
    next: Vec<u32>,
}

impl OpenSlots {
    fn new(count: u32) -> Self {
        Self {
            next: (0..=count).collect(),
        }
    }

    /// The first open slot at or after `slot`; the number of slots if there is none.
    fn next(&mut self, mut slot: u32) -> u32 {
        while self.next[slot as usize] != slot {
            let after = self.next[slot as usize];
            self.next[slot as usize] = self.next[after as usize];
            slot = self.next[slot as usize];
        }
        slot
    }

    fn close(&mut self, from: u32, to: u32) {
        let mut slot = self.next(from);
        while slot <= to {
            self.next[slot as usize] = slot + 1;
            slot = self.next(slot + 1);
        }
    }
}

fn explain(
    lives: &Lifetimes<'_>,
    spec: &PriorityQueue,
    values: &[ValueLifetime],
    life: ValueLifetime,
) -> Pattern {
    let value = lives.value(life);
    let better =
        (values.iter().copied()).filter(|&other| spec.compare(lives.value(other), value).is_lt());
    let (first, last) = moments(lives, life);
    let chain = Cover::new(lives, better).chain(first, last);
    let pattern = Pattern::new().because(
        format!("{} took out {value}", lives.show(life.take)),
        [lives.id(life.put), lives.id(life.take)],
    );
    cover::surely_in(lives, pattern, &chain.unwrap_or_default()).because(
        format!(
            "so there was a better value than {value} at every moment while {} ran: contradiction",
            lives.show(life.take)
        ),
        [lives.id(life.take)],
    )
}
