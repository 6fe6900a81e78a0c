//! Queues, by bad patterns.
//!
//! Henzinger, Sezgin and Vafeiadis, "Aspect-oriented linearizability proofs" (CONCUR 2013): a history of a queue with
//! distinct values is linearizable iff no value is dequeued that was not enqueued before, none is dequeued twice, no two
//! values are enqueued in one order and dequeued in the other, and no dequeue finds nothing while there surely is
//! something. All four are found in O(n log n), the logarithm being the sorting of the returns.

use super::completion::Least;
use super::cover;
use super::intern::NONE;
use super::lifetimes::{Lifetimes, ValueLifetime};
use super::pattern::Pattern;
use crate::history::{History, OpId};
use crate::spec::Queue;

/// Decides the operations `ops` of a history of a queue.
pub(super) fn decide(history: &History, spec: &Queue, ops: &[OpId]) -> Option<Result<(), Pattern>> {
    let lives = match Lifetimes::read(history, ops, spec) {
        Ok(lives) => lives,
        Err(pattern) => return Some(Err(pattern)),
    };
    lives.decide(
        |lives, values| overtaken(lives, values).or_else(|| cover::wrongly_empty(lives, values)),
        due,
    )
}

/// A value must be gone before one leaves that surely came in after it.
fn due(lives: &Lifetimes<'_>, values: &[ValueLifetime], gone: &[u32]) -> Vec<u32> {
    let slots = &lives.slots;
    let mut least = Least::new(slots.count);
    for y in values {
        least.add(slots.first[y.put as usize], gone[y.put as usize]);
    }
    let mut due = vec![NONE; gone.len()];
    for x in values {
        due[x.put as usize] = least.after(slots.last[x.put as usize]);
    }
    due
}

/// Two values of which the first was surely enqueued first and the second surely dequeued first.
fn overtaken(lives: &Lifetimes<'_>, values: &[ValueLifetime]) -> Option<Pattern> {
    let slots = &lives.slots;
    // Per slot: of the values whose enqueue returned by then, the latest call of a dequeue.
    let mut latest = vec![0; slots.count as usize];
    for &x in values {
        let enqueued = slots.last[x.put as usize];
        if enqueued != NONE {
            let entry = &mut latest[enqueued as usize];
            *entry = lives.take_first(x).max(*entry);
        }
    }
    for slot in 1..latest.len() {
        latest[slot] = latest[slot].max(latest[slot - 1]);
    }
    let overtakes = |y: ValueLifetime| {
        let called = slots.first[y.put as usize];
        called > 0 && lives.take_last(y) < latest[called as usize - 1]
    };
    let y = (values.iter().copied())
        .filter(|&y| overtakes(y))
        .min_by_key(|&y| lives.take_last(y))?;
    let x = values.iter().copied().find(|&x| {
        slots.last[x.put as usize] < slots.first[y.put as usize]
            && lives.take_last(y) < lives.take_first(x)
    })?;
    Some(explain(lives, x, y))
}

fn explain(lives: &Lifetimes<'_>, x: ValueLifetime, y: ValueLifetime) -> Pattern {
    let (first, second) = (lives.value(x), lives.value(y));
    let pattern = Pattern::new().because(
        format!(
            "{} returned before {} was called, so {first} was ahead of {second}",
            lives.show(x.put),
            lives.show(y.put)
        ),
        [lives.id(x.put), lives.id(y.put)],
    );
    match x.take {
        NONE => pattern.because(
            format!(
                "{} returned and {first} was never dequeued, so {second} left while {first} was still there",
                lives.show(y.take)
            ),
            [lives.id(y.take)],
        ),
        take => pattern.because(
            format!(
                "{} returned before {} was called, so {second} left first",
                lives.show(y.take),
                lives.show(take)
            ),
            [lives.id(y.take), lives.id(take)],
        ),
    }
    .because(
        String::from("a queue gives values out in the order in which they came in: contradiction"),
        [],
    )
}
