//! Looking ahead in a row: elements leave a deque at its two ends and a stack at one, and others may come there first.
//!
//! As in [`super::outlook`], the results of the operations that will take elements out are recorded. An element leaves at the front only after all
//! that stand before it, and these leave at the front, too. So a beginning of the row leaves at the front, one after the other, an end of it at
//! the back, and what stands between them stays. As much as can leave is found by one pass from each end: there must be an operation for each element,
//! and time must allow their order. How much has to leave is counted: whoever takes a value that nobody puts in any more takes one that stands there.
//!
//! Where values repeat, nobody knows which operation takes which element. But the third element of a value leaves no sooner than the third of those who
//! take it was called, and some one of them must not have returned by then. That is less than what is true, so no way is passed over.

use super::Op;
use super::row::{Deed, Deeds, Seen};
use crate::history::Time;
use crate::spec::{Spec, Tip};
use smallvec::SmallVec;

/// Rows of so many elements are looked at.
const FAR: usize = 64;

/// What an operation does to a value that matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Nothing,
    Puts(u32),
    Takes(Tip, u32),
}

/// Who puts in and takes out one value, by position.
#[derive(Default)]
struct Users {
    puts: Vec<u32>,
    takes: [Vec<u32>; 2],
    /// Per place in `takes`, the last return from there on.
    latest: [Vec<Time>; 2],
}

/// What the operations do to a row.
pub(super) struct TwoEnds {
    users: Vec<Users>,
    /// Per operation, by position.
    deeds: Vec<(Use, Time, Time)>,
    /// How many may take any element: nobody knows what they returned.
    others: usize,
    /// Per value of the row, what is known of it now; working memory.
    now: Vec<Now>,
    /// The values that are in `now`.
    touched: Vec<u32>,
}

/// What is known of a value at one moment.
#[derive(Clone, Default)]
struct Now {
    is_there: bool,
    /// How many will still be put in, and how many taken out.
    puts: usize,
    takes: usize,
    /// How many elements of the row can leave, per end.
    leave: [usize; 2],
    /// Per end, who is open and takes it out, and the place in `Users::takes` from which on others will be called.
    open: [SmallVec<[u32; 4]>; 2],
    later: [usize; 2],
}

impl TwoEnds {
    /// What there is to know of `ops`, sorted by `from`.
    pub(super) fn new<S: Spec>(deeds: &Deeds, ops: &[Op<'_, S>]) -> Self {
        let mut ends = Self {
            users: Vec::new(),
            deeds: Vec::with_capacity(ops.len()),
            others: 0,
            now: Vec::new(),
            touched: Vec::new(),
        };
        for (&deed, op) in deeds.of.iter().zip(ops) {
            let use_ = match deed {
                Deed::Put(_, value, None | Some(true)) => Use::Puts(value),
                Deed::Take(end, Seen::This(value)) if !op.is_optional() => Use::Takes(end, value),
                Deed::Take(_, Seen::This(_) | Seen::Anything) => {
                    ends.others += 1;
                    Use::Nothing
                }
                _ => Use::Nothing,
            };
            ends.deeds.push((use_, op.from, op.to));
        }
        ends.users.resize_with(deeds.elements, Users::default);
        ends.now.resize_with(deeds.elements, Now::default);
        for (i, &(deed, ..)) in (0..).zip(&ends.deeds) {
            match deed {
                Use::Nothing => {}
                Use::Puts(value) => ends.users[value as usize].puts.push(i),
                Use::Takes(end, value) => ends.users[value as usize].takes[end as usize].push(i),
            }
        }
        for users in &mut ends.users {
            for (takes, latest) in users.takes.iter().zip(&mut users.latest) {
                let mut last = 0;
                let returns = takes.iter().rev().map(|&i| {
                    last = last.max(ends.deeds[i as usize].2);
                    last
                });
                *latest = returns.collect();
                latest.reverse();
            }
        }
        ends
    }

    /// Whether what has to leave may leave as it stands in `row`, when of the operations called so far (`called` many) those
    /// at positions `open` did not take effect yet.
    pub(super) fn fits(
        &mut self,
        row: impl ExactSizeIterator<Item = u32>,
        open: impl Iterator<Item = u32>,
        called: u32,
    ) -> bool {
        if row.len() > FAR {
            return true;
        }
        let row: SmallVec<[u32; FAR]> = row.collect();
        self.look(&row, open, called);
        let front = self.leaving(row.iter(), Tip::Front);
        let rest = &row[front..];
        let back = self.leaving(rest.iter().rev(), Tip::Back);
        let stays = &rest[..rest.len() - back];
        let may_stay = stays.iter().all(|&value| {
            let now = &self.now[value as usize];
            now.takes <= now.puts + now.leave[0] + now.leave[1]
        });
        for &value in &self.touched {
            self.now[value as usize] = Now::default();
        }
        self.touched.clear();
        may_stay
    }

    /// Learns what is known of the values in `row`.
    fn look(&mut self, row: &[u32], open: impl Iterator<Item = u32>, called: u32) {
        for &value in row {
            let now = &mut self.now[value as usize];
            if now.is_there {
                continue;
            }
            self.touched.push(value);
            now.is_there = true;
            let users = &self.users[value as usize];
            let after = |list: &[u32]| list.partition_point(|&position| position < called);
            now.puts = users.puts.len() - after(&users.puts);
            for (list, later) in users.takes.iter().zip(&mut now.later) {
                *later = after(list);
                now.takes += list.len() - *later;
            }
        }
        for position in open {
            match self.deeds[position as usize].0 {
                Use::Nothing => {}
                Use::Puts(value) | Use::Takes(_, value) if !self.now[value as usize].is_there => {}
                Use::Puts(value) => self.now[value as usize].puts += 1,
                Use::Takes(end, value) => {
                    let now = &mut self.now[value as usize];
                    now.takes += 1;
                    now.open[end as usize].push(position);
                }
            }
        }
        for &value in &self.touched {
            for open in &mut self.now[value as usize].open {
                open.sort_unstable();
            }
        }
    }

    /// How many elements can leave at `end`, one after the other.
    fn leaving<'r>(&mut self, row: impl Iterator<Item = &'r u32>, end: Tip) -> usize {
        let mut time = 0;
        let mut others = self.others;
        let mut count = 0;
        for &value in row {
            match self.leaves(value, end, time) {
                Some(then) => time = then,
                None if others > 0 => others -= 1,
                None => break,
            }
            self.now[value as usize].leave[end as usize] += 1;
            count += 1;
        }
        count
    }

    /// When one more element of `value` leaves at `end`, not before `time`, at the soonest.
    fn leaves(&self, value: u32, end: Tip, time: Time) -> Option<Time> {
        let (now, users, end) = (
            &self.now[value as usize],
            &self.users[value as usize],
            end as usize,
        );
        // Each of the others may have taken one that left before.
        let nth = now.leave[end].saturating_sub(self.others);
        let (open, later) = (&now.open[end], now.later[end]);
        let taker = match open.get(nth) {
            Some(&position) => position,
            None => *users.takes[end].get(later + nth - open.len())?,
        };
        let time = time.max(self.deeds[taker as usize].1);
        let mut returns = open.iter().map(|&i| self.deeds[i as usize].2);
        let in_time = |last: Time| last >= time;
        (returns.any(in_time) || users.latest[end].get(later).copied().is_some_and(in_time))
            .then_some(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::question::Question;
    use crate::history::History;
    use crate::spec::{Builtin, Visitor};
    use crate::value::Value;
    use crate::verdict::Criterion;

    /// Whether there is a way on when `row`, whose elements differ, stands there and the operations that put it there took effect.
    struct Fits<'h>(&'h History, &'h [i64]);

    impl Visitor for Fits<'_> {
        type Output = bool;

        fn visit<S: Spec>(self, spec: &S) -> Self::Output {
            let question =
                Question::new(self.0, spec, Criterion::Linearizable).expect("known calls");
            let ops = question.ops(0);
            let deeds = Deeds::new(spec, &ops).expect("deques and stacks are rows");
            let mut ends = TwoEnds::new(&deeds, &ops);
            // They are met in this order.
            let row = || (0..self.1.len()).map(|number| u32::try_from(number).expect("few"));
            let called = u32::try_from(self.1.len()).expect("few");
            let fits = ends.fits(row(), [].into_iter(), called);
            // What was learnt for one row is forgotten for the next.
            assert_eq!(ends.fits(row(), [].into_iter(), called), fits);
            fits
        }
    }

    /// What is said of `row`, each element of which was put in, before `rest` is called: method, argument or -1, result or -1, call, return.
    fn fits(spec: &str, put: &str, row: &[i64], rest: &[(&str, i64, i64, u64, u64)]) -> bool {
        let mut history = History::new();
        for &value in row {
            history.push(0, put, value, (), 0, 1);
        }
        for (client, &(method, argument, result, call, ret)) in (1..).zip(rest) {
            let value = |n: i64| if n < 0 { Value::Unit } else { Value::Int(n) };
            history.push(client, method, value(argument), value(result), call, ret);
        }
        let spec = Builtin::named(spec).expect("a built-in specification");
        spec.visit(Fits(&history, row))
    }

    #[test]
    fn a_beginning_leaves_at_the_front_and_an_end_at_the_back() {
        let said = |row: &[i64], rest: &[_]| fits("deque", "push_back", row, rest);
        let front = |value, call, ret| ("pop_front", -1, value, call, ret);
        let back = |value, call, ret| ("pop_back", -1, value, call, ret);
        assert!(said(&[1, 2, 3], &[front(1, 2, 3), back(3, 4, 5)]));
        // 2 stands between them, so neither gets out at the wrong end.
        assert!(!said(&[1, 2, 3], &[front(3, 2, 3), back(1, 4, 5)]));
        assert!(!said(&[1, 2, 3], &[front(3, 2, 3)]));
        // Time: 1 has to leave first.
        assert!(!said(&[1, 2], &[front(2, 2, 3), front(1, 4, 5)]));
        assert!(said(&[1, 2], &[front(2, 2, 5), front(1, 4, 6)]));
        // Another 3 comes in time.
        let another = ("push_front", 3, -1, 2, 3);
        assert!(said(&[1, 2, 3], &[another, front(3, 4, 5)]));
        // Nobody knows what was taken out.
        assert!(said(&[1, 2], &[front(-1, 2, 3), front(2, 4, 5)]));
    }

    #[test]
    fn what_stands_on_top_leaves_a_stack_first() {
        let said = |row: &[i64], rest: &[_]| fits("stack", "push", row, rest);
        let pop = |value, call, ret| ("pop", -1, value, call, ret);
        assert!(said(&[1, 2], &[pop(2, 2, 3), pop(1, 4, 5)]));
        assert!(!said(&[1, 2], &[pop(1, 2, 3), pop(2, 4, 5)]));
        assert!(said(&[1, 2], &[pop(1, 2, 5), pop(2, 4, 6)]));
    }
}
