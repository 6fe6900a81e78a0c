//! Stacks, by critical intervals.
//!
//! Lee and Mathur, "Efficient Decrease-and-Conquer Linearizability Monitoring" (2025); a quadratic variant is in Abdulla
//! and others, "Efficient Linearizability Monitoring for Stacks" (PLDI 2025). A value can be the outermost one if it can
//! be pushed and popped at moments at which no other is surely there. Then it constrains nobody any more: take it away and
//! look for the next. When no value can be the outermost of those that are left, there is no order of effects.
//!
//! Slots that no remaining value covers come from a segment tree; the operations that overlap such a slot come from an
//! interval tree whose nodes are the inner nodes of a binary trie over the slots.

use super::completion::Least;
use super::cover::{self, Cover, held_per_slot};
use super::intern::NONE;
use super::lifetimes::{Lifetimes, ValueLifetime};
use super::pattern::Pattern;
use super::segment_tree::SegmentTree;
use crate::history::{History, OpId};
use crate::spec::Stack;

/// Decides the operations `ops` of a history of a stack.
pub(super) fn decide(history: &History, spec: &Stack, ops: &[OpId]) -> Option<Result<(), Pattern>> {
    let lives = match Lifetimes::read(history, ops, spec) {
        Ok(lives) => lives,
        Err(pattern) => return Some(Err(pattern)),
    };
    let find = |lives: &Lifetimes<'_>, values: &[ValueLifetime]| {
        cover::wrongly_empty(lives, values).or_else(|| {
            // A push and a pop that overlap may happen at once, on top of whatever is there.
            let apart = |life: &ValueLifetime| {
                lives.slots.last[life.put as usize] < lives.take_first(*life)
            };
            let values: Vec<ValueLifetime> = values.iter().copied().filter(apart).collect();
            let stuck = take_away(lives, &values);
            (!stuck.is_empty()).then(|| explain(lives, &stuck))
        })
    };
    lives.decide(find, due)
}

/// A value must be gone before one is popped that surely lies under it.
fn due(lives: &Lifetimes<'_>, values: &[ValueLifetime], gone: &[u32]) -> Vec<u32> {
    let slots = &lives.slots;
    let mut due = vec![NONE; gone.len()];
    let mut pushed: Vec<ValueLifetime> = values.to_vec();
    pushed.sort_unstable_by_key(|y| slots.last[y.put as usize]);
    let mut pushed = pushed.into_iter().peekable();
    // Values are in the order of the calls of their pushes.
    let mut under = Least::new(slots.count + 1);
    for x in values {
        let (first, last) = (slots.first[x.put as usize], slots.last[x.put as usize]);
        while let Some(y) = pushed.next_if(|y| slots.last[y.put as usize] < first) {
            under.add(lives.take_first(y), gone[y.put as usize]);
        }
        due[x.put as usize] = under.after(last);
    }
    due
}

/// Takes away values that can be the outermost as long as there are some; gives the rest.
fn take_away(lives: &Lifetimes<'_>, values: &[ValueLifetime]) -> Vec<ValueLifetime> {
    let held = held_per_slot(lives, values);
    let mut tree = SegmentTree::new(&held);
    drop(held);
    let mut waiting = Waiting::new(lives, values);
    // Operations of each value that still wait for a slot without cover. One that nobody popped is popped at the end of
    // time, where nothing is in the way.
    let mut waits: Vec<u8> = (values.iter())
        .map(|life| 1 + u8::from(life.take != NONE))
        .collect();
    let mut left = values.len();
    let mut gone = Vec::new();
    while let Some(slot) = tree.take_zero() {
        waiting.release(slot as u32, &mut |value| {
            waits[value as usize] -= 1;
            if waits[value as usize] == 0 {
                gone.push(value);
            }
        });
        for value in gone.drain(..) {
            left -= 1;
            if let Some((from, to)) = lives.stay(values[value as usize]) {
                tree.decrement(from as usize, to as usize);
            }
        }
    }
    if left == 0 {
        return Vec::new();
    }
    (values.iter().zip(waits))
        .filter(|&(_, waits)| waits > 0)
        .map(|(&life, _)| life)
        .collect()
}

/// Operations that wait for one of their slots to be without cover.
///
/// An operation from slot `a` to `b` is kept at the inner node of the binary trie over the slots at which the ways to `a` and
/// `b` part. A slot `t` below that node is in the operation iff `a <= t` (if `t` is on the side of `a`) or `t <= b`, so
/// those to release are a prefix of the node's operations by first slot, or by last slot descending.
struct Waiting {
    /// Where the operations of each node begin in the two lists below.
    begin: Vec<u32>,
    /// (first slot, operation), per node ascending.
    by_first: Vec<(u32, u32)>,
    /// (last slot, operation), per node descending.
    by_last: Vec<(u32, u32)>,
    /// How far each node's lists have been released.
    released_first: Vec<u32>,
    released_last: Vec<u32>,
    /// Which operations were released: two for each value, put and take.
    released: Vec<bool>,
    /// Number of leaves of the trie.
    width: u32,
}

impl Waiting {
    fn new(lives: &Lifetimes<'_>, values: &[ValueLifetime]) -> Self {
        let slots = &lives.slots;
        let width = slots.count.next_power_of_two();
        let mut operation_of = vec![NONE; lives.ops.len()];
        for (value, life) in (0..).zip(values) {
            operation_of[life.put as usize] = 2 * value;
            if life.take != NONE {
                operation_of[life.take as usize] = 2 * value + 1;
            }
        }
        let last = |row: u32| slots.last[row as usize].min(slots.count - 1);
        let node = |row: u32| parting(slots.first[row as usize], last(row), width);
        let rows = || (0..lives.ops.len() as u32).filter(|&row| operation_of[row as usize] != NONE);
        let mut begin = vec![0u32; 2 * width as usize + 1];
        for row in rows() {
            begin[node(row) as usize + 1] += 1;
        }
        for i in 1..begin.len() {
            begin[i] += begin[i - 1];
        }
        let total = begin[begin.len() - 1] as usize;
        let mut by_first = vec![(0, 0); total];
        let mut next = begin.clone();
        // Rows are in order of calls, so each node gets its operations by first slot.
        for row in rows() {
            let at = &mut next[node(row) as usize];
            by_first[*at as usize] = (slots.first[row as usize], operation_of[row as usize]);
            *at += 1;
        }
        let mut by_last = vec![(0, 0); total];
        next.copy_from_slice(&begin);
        let never = rows().filter(|&row| slots.last[row as usize] == NONE);
        let returned = slots.by_return.iter().rev().copied();
        for row in never.chain(returned.filter(|&row| operation_of[row as usize] != NONE)) {
            let at = &mut next[node(row) as usize];
            by_last[*at as usize] = (last(row), operation_of[row as usize]);
            *at += 1;
        }
        Self {
            released_first: begin.clone(),
            released_last: begin.clone(),
            begin,
            by_first,
            by_last,
            released: vec![false; 2 * values.len()],
            width,
        }
    }

    /// Releases the operations that overlap `slot`; tells the value of each to `each`.
    fn release(&mut self, slot: u32, each: &mut impl FnMut(u32)) {
        let mut node = self.width + slot;
        let mut from_left = true;
        loop {
            let end = self.begin[node as usize + 1];
            let (list, at) = if from_left {
                (&self.by_first, &mut self.released_first[node as usize])
            } else {
                (&self.by_last, &mut self.released_last[node as usize])
            };
            while *at < end {
                let (bound, operation) = list[*at as usize];
                if (from_left && bound > slot) || (!from_left && bound < slot) {
                    break;
                }
                *at += 1;
                if !std::mem::replace(&mut self.released[operation as usize], true) {
                    each(operation / 2);
                }
            }
            if node <= 1 {
                break;
            }
            from_left = node.is_multiple_of(2);
            node /= 2;
        }
    }
}

/// The lowest node above both leaves; a leaf if they are one.
fn parting(first: u32, last: u32, width: u32) -> u32 {
    let (a, b) = (width + first, width + last);
    a >> (u32::BITS - (a ^ b).leading_zeros())
}

/// Says why none of `stuck` can be the outermost value, with as few of them as can be found quickly.
fn explain(lives: &Lifetimes<'_>, stuck: &[ValueLifetime]) -> Pattern {
    let cover = Cover::new(lives, stuck.iter().copied());
    let mut smallest: Option<Vec<ValueLifetime>> = None;
    for &start in stuck.iter().take(STARTS) {
        let closed = close(
            lives,
            &cover,
            start,
            smallest.as_ref().map_or(usize::MAX, Vec::len),
        );
        smallest = closed.or(smallest);
    }
    let mut core = smallest.unwrap_or_else(|| stuck.to_vec());
    shrink(lives, &mut core);
    let cover = Cover::new(lives, core.iter().copied());
    let mut pattern = Pattern::new();
    for &life in &core {
        let Some((row, chain)) = obstacle(lives, &cover, life) else {
            continue;
        };
        let others: Vec<String> = chain.iter().map(|&o| lives.value(o).to_string()).collect();
        let ops = [row]
            .into_iter()
            .chain(chain.iter().flat_map(|o| [o.put, o.take]));
        pattern = pattern.because(
            format!(
                "all the time while {} ran, {} surely in the stack",
                lives.show(row),
                match others.as_slice() {
                    [one] => format!("{one} was"),
                    several => format!("{} was, one or another,", several.join(" or ")),
                }
            ),
            ops.chain([life.put, life.take])
                .filter(|&row| row != NONE)
                .map(|row| lives.id(row)),
        );
    }
    let names: Vec<String> = core.iter().map(|&v| lives.value(v).to_string()).collect();
    pattern.because(
        format!(
            "of the values {} the one that lies lowest is alone when it is pushed and when it is popped; none of them \
             can be that one: contradiction",
            names.join(", ")
        ),
        [],
    )
}

/// From how many values a small core is looked for.
const STARTS: usize = 32;

/// The operation of a value that runs entirely while others are surely there, and as few such others as possible.
fn obstacle(
    lives: &Lifetimes<'_>,
    cover: &Cover,
    life: ValueLifetime,
) -> Option<(u32, Vec<ValueLifetime>)> {
    let slots = &lives.slots;
    let blocked = |row: u32| {
        let last = slots.last[row as usize].min(slots.count - 1);
        let chain = cover.chain(slots.first[row as usize], last)?;
        Some((row, chain))
    };
    let take = (life.take != NONE).then(|| blocked(life.take)).flatten();
    let put = blocked(life.put);
    match (put, take) {
        (Some(put), Some(take)) => Some(if take.1.len() < put.1.len() {
            take
        } else {
            put
        }),
        (put, take) => put.or(take),
    }
}

/// The values that hinder `start`, those that hinder these, and so on; `None` if there are `limit` or more.
fn close(
    lives: &Lifetimes<'_>,
    cover: &Cover,
    start: ValueLifetime,
    limit: usize,
) -> Option<Vec<ValueLifetime>> {
    let mut closed = vec![start];
    let mut at = 0;
    while at < closed.len() {
        let (_, chain) = obstacle(lives, cover, closed[at])?;
        for life in chain {
            if !closed.iter().any(|other| other.put == life.put) {
                closed.push(life);
            }
        }
        if closed.len() >= limit {
            return None;
        }
        at += 1;
    }
    Some(closed)
}

/// Leaves out values without which the others are still stuck. Cubic, so only for small cores.
fn shrink(lives: &Lifetimes<'_>, core: &mut Vec<ValueLifetime>) {
    if core.len() > 64 {
        return;
    }
    let mut at = 0;
    while at < core.len() {
        let mut rest: Vec<ValueLifetime> = core.clone();
        rest.remove(at);
        loop {
            let cover = Cover::new(lives, rest.iter().copied());
            let before = rest.len();
            rest.retain(|&life| obstacle(lives, &cover, life).is_some());
            if rest.len() == before {
                break;
            }
        }
        if rest.is_empty() {
            at += 1;
        } else {
            *core = rest;
            at = 0;
        }
    }
}
