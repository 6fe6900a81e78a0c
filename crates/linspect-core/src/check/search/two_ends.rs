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
use crate::history::{Outcome, Time};
use crate::spec::{Leaves, Spec};
use crate::value::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Rows of so many elements are looked at.
const FAR: usize = 64;

/// An end of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tip {
    Front,
    Back,
}

/// What an operation does to a row, with the number of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
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
pub(crate) struct TwoEnds<'a> {
    numbers: FxHashMap<&'a Value, u32>,
    users: Vec<Users>,
    /// Per operation, by position.
    deeds: Vec<(Deed, Time, Time)>,
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

impl<'a> TwoEnds<'a> {
    /// What there is to know of `ops`, sorted by `from`; nothing if elements of `spec` do not leave at the ends.
    pub(crate) fn new<S: Spec>(spec: &S, ops: &[Op<'a, S>]) -> Option<Self> {
        spec.line(&spec.initial())?;
        let mut ends = Self {
            numbers: FxHashMap::default(),
            users: Vec::new(),
            deeds: Vec::with_capacity(ops.len()),
            others: 0,
            now: Vec::new(),
            touched: Vec::new(),
        };
        // Values that are put in are known by what is taken out: whoever is never taken out never matters.
        for op in ops {
            let end = match spec.leaves(op.call, op.outcome) {
                Leaves::This => return None,
                Leaves::Nothing => None,
                Leaves::Any => {
                    ends.others += 1;
                    None
                }
                Leaves::First => Some(Tip::Front),
                Leaves::Last => Some(Tip::Back),
            };
            let deed = match (end, op.outcome) {
                (Some(end), Outcome::Returned(value)) if !op.is_optional() => {
                    Deed::Takes(end, ends.number(value))
                }
                (Some(_), _) => {
                    ends.others += 1;
                    Deed::Nothing
                }
                (None, _) => Deed::Nothing,
            };
            ends.deeds.push((deed, op.from, op.to));
        }
        for (i, op) in ops.iter().enumerate() {
            if ends.deeds[i].0 == Deed::Nothing
                && let Some(value) = spec.meets(op.call, op.outcome).leaves
                && let Some(&number) = ends.numbers.get(&value)
            {
                ends.deeds[i].0 = Deed::Puts(number);
            }
        }
        ends.users.resize_with(ends.numbers.len(), Users::default);
        ends.now.resize_with(ends.numbers.len(), Now::default);
        for (i, &(deed, ..)) in (0..).zip(&ends.deeds) {
            match deed {
                Deed::Nothing => {}
                Deed::Puts(value) => ends.users[value as usize].puts.push(i),
                Deed::Takes(end, value) => ends.users[value as usize].takes[end as usize].push(i),
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
        Some(ends)
    }

    fn number(&mut self, value: &'a Value) -> u32 {
        let next = u32::try_from(self.numbers.len()).expect("fewer than 2^32 values");
        *self.numbers.entry(value).or_insert(next)
    }

    /// Whether what has to leave may leave as it stands in `row`, when of the operations called so far (`called` many) those
    /// at positions `open` did not take effect yet.
    pub(crate) fn fits<'l>(
        &mut self,
        row: impl ExactSizeIterator<Item = &'l Value>,
        open: impl Iterator<Item = u32>,
        called: u32,
    ) -> bool {
        if row.len() > FAR {
            return true;
        }
        let row: SmallVec<[Option<u32>; FAR]> =
            row.map(|value| self.numbers.get(value).copied()).collect();
        self.look(&row, open, called);
        let front = self.leaving(row.iter(), Tip::Front);
        let rest = &row[front..];
        let back = self.leaving(rest.iter().rev(), Tip::Back);
        let stays = &rest[..rest.len() - back];
        let may_stay = stays.iter().flatten().all(|&value| {
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
    fn look(&mut self, row: &[Option<u32>], open: impl Iterator<Item = u32>, called: u32) {
        for &value in row.iter().flatten() {
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
                Deed::Nothing => {}
                Deed::Puts(value) | Deed::Takes(_, value) if !self.now[value as usize].is_there => {
                }
                Deed::Puts(value) => self.now[value as usize].puts += 1,
                Deed::Takes(end, value) => {
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
    fn leaving<'r>(&mut self, row: impl Iterator<Item = &'r Option<u32>>, end: Tip) -> usize {
        let mut time = 0;
        let mut others = self.others;
        let mut count = 0;
        for value in row {
            match value.and_then(|value| self.leaves(value, end, time)) {
                Some(then) => time = then,
                None if others > 0 => others -= 1,
                None => break,
            }
            if let Some(value) = value {
                self.now[*value as usize].leave[end as usize] += 1;
            }
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
    use crate::verdict::Criterion;

    /// Whether there is a way on when `row` stands there and the first operations of a history took effect; nothing if nobody looks.
    struct Fits<'h>(&'h History, &'h [i64]);

    impl Visitor for Fits<'_> {
        type Output = Option<bool>;

        fn visit<S: Spec>(self, spec: &S) -> Self::Output {
            let question =
                Question::new(self.0, spec, Criterion::Linearizable).expect("known calls");
            let ops = question.ops(0);
            let mut ends = TwoEnds::new(spec, &ops)?;
            let row: Vec<Value> = self.1.iter().copied().map(Value::Int).collect();
            let called = u32::try_from(self.1.len()).expect("few");
            let fits = ends.fits(row.iter(), [].into_iter(), called);
            // What was learnt for one row is forgotten for the next.
            assert_eq!(ends.fits(row.iter(), [].into_iter(), called), fits);
            Some(fits)
        }
    }

    /// What is said of `row`, each element of which was put in, before `rest` is called: method, argument or -1, result or -1, call, return.
    fn fits(
        spec: &str,
        put: &str,
        row: &[i64],
        rest: &[(&str, i64, i64, u64, u64)],
    ) -> Option<bool> {
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
        assert_eq!(
            said(&[1, 2, 3], &[front(1, 2, 3), back(3, 4, 5)]),
            Some(true)
        );
        // 2 stands between them, so neither gets out at the wrong end.
        assert_eq!(
            said(&[1, 2, 3], &[front(3, 2, 3), back(1, 4, 5)]),
            Some(false)
        );
        assert_eq!(said(&[1, 2, 3], &[front(3, 2, 3)]), Some(false));
        // Time: 1 has to leave first.
        assert_eq!(
            said(&[1, 2], &[front(2, 2, 3), front(1, 4, 5)]),
            Some(false)
        );
        assert_eq!(said(&[1, 2], &[front(2, 2, 5), front(1, 4, 6)]), Some(true));
        // Another 3 comes in time.
        let another = ("push_front", 3, -1, 2, 3);
        assert_eq!(said(&[1, 2, 3], &[another, front(3, 4, 5)]), Some(true));
        // Nobody knows what was taken out.
        assert_eq!(
            said(&[1, 2], &[front(-1, 2, 3), front(2, 4, 5)]),
            Some(true)
        );
    }

    #[test]
    fn what_stands_on_top_leaves_a_stack_first() {
        let said = |row: &[i64], rest: &[_]| fits("stack", "push", row, rest);
        let pop = |value, call, ret| ("pop", -1, value, call, ret);
        assert_eq!(said(&[1, 2], &[pop(2, 2, 3), pop(1, 4, 5)]), Some(true));
        assert_eq!(said(&[1, 2], &[pop(1, 2, 3), pop(2, 4, 5)]), Some(false));
        assert_eq!(said(&[1, 2], &[pop(1, 2, 5), pop(2, 4, 6)]), Some(true));
        assert_eq!(
            fits("queue", "enqueue", &[1], &[("dequeue", -1, 1, 2, 3)]),
            None
        );
    }
}
