//! A set that only grows and is read as a whole, as many database tests have it.
//!
//! Each read saw exactly what was added before it. So a read cannot miss an element whose addition returned before the
//! read, or before the addition of an element that it saw, was called; it cannot see one whose addition was called after
//! it returned; of two reads the one saw all that the other saw; and a read that saw more does not return before the other
//! is called. Conversely, if nothing of this is violated, let each read take effect when it and all that it saw, and all
//! smaller reads, have been called: none of the returns that must come later is earlier than that. Linear in the total length
//! of what was read, after sorting.

use super::intern::{Interner, NONE};
use super::pattern::Pattern;
use crate::history::{History, OpId, Operation, Outcome, Time};
use crate::spec::{Set, SetCall, Spec};
use crate::value::Value;

/// Decides the operations `ops` of a history of a set, if they are additions and reads of the whole.
pub(super) fn decide(history: &History, spec: &Set, ops: &[OpId]) -> Option<Result<(), Pattern>> {
    let (elements, added) = additions(history, spec, ops)?;
    let mut reads = match reads(history, spec, ops, &elements)? {
        Ok(reads) if reads.is_empty() => return None,
        Ok(reads) => reads,
        Err(pattern) => return Some(Err(pattern)),
    };
    reads.sort_by_key(|read| read.saw.len());
    let judge = Judge { history, added };
    Some(judge.wrong(&reads).map_or(Ok(()), Err))
}

/// The additions of one element.
struct Added {
    /// The one that was called first.
    called: OpId,
    /// The one that returned first.
    returned: OpId,
}

/// A read and the numbers of the elements that it saw.
struct Read {
    id: OpId,
    saw: Vec<u32>,
}

/// The elements, numbered, and their additions; `None` if anything but additions and reads happened, or if results of
/// additions tell more than that they were done.
fn additions<'h>(
    history: &'h History,
    spec: &Set,
    ops: &[OpId],
) -> Option<(Interner<'h>, Vec<Added>)> {
    let op = |id: OpId| &history.operations[id as usize];
    let mut adds: Vec<(OpId, bool)> = Vec::new();
    for &id in ops {
        let call = spec.call(history.name(op(id)), &op(id).argument).ok()?;
        match (&call, spec.outcome(&call, &op(id).outcome).ok()?) {
            (SetCall::Read, _) => {}
            (SetCall::Add(_), Outcome::Returned(Value::Bool(false))) => return None,
            (SetCall::Add(_), outcome) => adds.push((id, outcome.value().is_some())),
            _ => return None,
        }
    }
    let mut elements = Interner::for_values(adds.iter().map(|&(id, _)| &op(id).argument));
    let mut added: Vec<Added> = Vec::new();
    let mut new = Vec::new();
    for &(id, said_new) in &adds {
        let number = elements.number(&op(id).argument) as usize;
        if number == added.len() {
            added.push(Added {
                called: id,
                returned: id,
            });
            new.push(said_new);
            continue;
        }
        // Of several additions only one finds the element new.
        if said_new || new[number] {
            return None;
        }
        let first = &mut added[number];
        if op(id).ret < op(first.returned).ret {
            first.returned = id;
        }
    }
    Some((elements, added))
}

/// The reads, or one that saw an element that nobody added or saw one twice.
fn reads(
    history: &History,
    spec: &Set,
    ops: &[OpId],
    elements: &Interner<'_>,
) -> Option<Result<Vec<Read>, Pattern>> {
    let mut reads = Vec::new();
    for &id in ops {
        let op = &history.operations[id as usize];
        let call = spec.call(history.name(op), &op.argument).ok()?;
        let SetCall::Read = call else { continue };
        let Outcome::Returned(Value::List(items)) = spec.outcome(&call, &op.outcome).ok()? else {
            continue;
        };
        let wrong = |what: &str, value: &Value| {
            let text = format!("{} saw {value}{what}", history.show(id));
            Some(Err(Pattern::new().because(text, [id])))
        };
        if let Some(twice) = items.windows(2).find(|pair| pair[0] == pair[1]) {
            return wrong(" twice", &twice[0]);
        }
        let saw: Vec<u32> = items.iter().map(|item| elements.known(item)).collect();
        if let Some(at) = saw.iter().position(|&number| number == NONE) {
            return wrong(", which nobody added", &items[at]);
        }
        reads.push(Read { id, saw });
    }
    Some(Ok(reads))
}

struct Judge<'h> {
    history: &'h History,
    added: Vec<Added>,
}

impl Judge<'_> {
    /// Operations that contradict each other. The reads must be sorted by how much they saw.
    fn wrong(&self, reads: &[Read]) -> Option<Pattern> {
        let mut by_return: Vec<u32> = (0..).take(self.added.len()).collect();
        by_return.sort_by_key(|&e| self.op(self.added[e as usize].returned).ret);
        // Which read was the last to see each element.
        let mut seen_by = vec![usize::MAX; self.added.len()];
        // Of the reads that saw strictly less, and of those that saw as much so far, the one that was called last.
        let (mut less, mut as_much): (Option<&Read>, Option<&Read>) = (None, None);
        for (i, read) in reads.iter().enumerate() {
            for &e in &read.saw {
                seen_by[e as usize] = i;
            }
            let missed = by_return
                .iter()
                .copied()
                .find(|&e| seen_by[e as usize] != i);
            if let Some(pattern) = self.wrong_alone(read, missed) {
                return Some(pattern);
            }
            if let Some(before) = i.checked_sub(1).map(|i| &reads[i]) {
                if let Some(&only) = before.saw.iter().find(|&&e| seen_by[e as usize] != i) {
                    return self.incomparable(before, read, only);
                }
                if before.saw.len() < read.saw.len() {
                    less = self.later_called(less, as_much.take());
                }
            }
            if let Some(less) = less.filter(|less| self.op(read.id).ret < self.op(less.id).call) {
                return self.shrank(read, less);
            }
            as_much = self.later_called(as_much, Some(read));
        }
        None
    }

    fn op(&self, id: OpId) -> &Operation {
        &self.history.operations[id as usize]
    }

    fn call(&self, id: OpId) -> Time {
        self.op(id).call
    }

    fn later_called<'r>(&self, a: Option<&'r Read>, b: Option<&'r Read>) -> Option<&'r Read> {
        [a, b]
            .into_iter()
            .flatten()
            .max_by_key(|read| self.call(read.id))
    }

    fn show(&self, id: OpId) -> String {
        self.history.show(id).to_string()
    }

    /// What is wrong with a read by itself; `missed` is the element that it did not see whose addition returned first.
    fn wrong_alone(&self, read: &Read, missed: Option<u32>) -> Option<Pattern> {
        let latest = (read.saw.iter())
            .map(|&e| self.added[e as usize].called)
            .max_by_key(|&id| self.call(id));
        let read_returns = self.op(read.id).ret;
        if let Some(add) = latest.filter(|&add| read_returns < self.call(add)) {
            return Some(Pattern::new().because(
                format!(
                    "{} returned before {} was called, and saw it all the same",
                    self.show(read.id),
                    self.show(add)
                ),
                [read.id, add],
            ));
        }
        let missed = self.added[missed? as usize].returned;
        let missed_returned = self.op(missed).ret;
        let not_seen = |pattern: Pattern| {
            pattern.because(
                format!(
                    "{} did not see {}",
                    self.show(read.id),
                    self.op(missed).argument
                ),
                [read.id, missed],
            )
        };
        if missed_returned < self.call(read.id) {
            return Some(not_seen(Pattern::new().because(
                format!(
                    "{} returned before {} was called, and nobody removes elements",
                    self.show(missed),
                    self.show(read.id)
                ),
                [missed, read.id],
            )));
        }
        let seen = latest.filter(|&add| missed_returned < self.call(add))?;
        let pattern = Pattern::new().because(
            format!(
                "{} returned before {} was called",
                self.show(missed),
                self.show(seen)
            ),
            [missed, seen],
        );
        Some(not_seen(pattern.because(
            format!("{} saw {}", self.show(read.id), self.op(seen).argument),
            [read.id, seen],
        )))
    }

    /// Two reads of which each saw something that the other did not; `only` is what `a` saw alone.
    fn incomparable(&self, a: &Read, b: &Read, only: u32) -> Option<Pattern> {
        let other = *b.saw.iter().find(|e| !a.saw.contains(e))?;
        let (only, other) = (
            self.added[only as usize].called,
            self.added[other as usize].called,
        );
        let (x, y) = (&self.op(only).argument, &self.op(other).argument);
        Some(
            Pattern::new()
                .because(
                    format!(
                        "{} saw {x} and not {y}, so {x} was added first",
                        self.show(a.id)
                    ),
                    [a.id, only, other],
                )
                .because(
                    format!(
                        "{} saw {y} and not {x}, so {y} was added first: contradiction",
                        self.show(b.id)
                    ),
                    [b.id, only, other],
                ),
        )
    }

    /// A read that saw more than one that was called later.
    fn shrank(&self, more: &Read, less: &Read) -> Option<Pattern> {
        let gone = *more.saw.iter().find(|e| !less.saw.contains(e))?;
        let add = self.added[gone as usize].called;
        Some(Pattern::new().because(
            format!(
                "{} returned before {} was called, and saw {}, which the later one did not; nobody removes elements",
                self.show(more.id),
                self.show(less.id),
                self.op(add).argument
            ),
            [more.id, less.id, add],
        ))
    }
}
