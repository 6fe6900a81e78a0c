//! Looking ahead in a line: elements leave a queue in the order in which they stand in it.
//!
//! Whoever put two elements into a queue in the wrong order finds out when they leave, many steps later, and a search that
//! goes back step by step tries everything in between. But the results of the operations that will take elements out are
//! recorded: if no order of them that agrees with time gives what stands in line, there is no way on from here.
//!
//! Which operation takes the first element? Of those that may be next and returned it, the one that returned first: exchange
//! it with another one in any order that fits, and the order still fits. So one pass over the line decides.

use super::Op;
use super::row::{Deed, Deeds, Seen};
use crate::history::Time;
use crate::spec::Spec;

/// So many elements are looked at.
const FAR: usize = 64;

/// What the operations that take elements out returned.
pub(super) struct Outlook {
    /// Those of which that is known, sorted by call.
    takes: Vec<Take>,
    /// Per operation, by position, its index in `takes`.
    of_op: Vec<Option<u32>>,
    /// How many others there are: each may take any element.
    others: usize,
    /// Those that may be next; working memory.
    next: Vec<Take>,
}

#[derive(Clone, Copy)]
struct Take {
    position: u32,
    from: Time,
    to: Time,
    element: u32,
}

impl Outlook {
    /// What there is to know of `ops`, sorted by `from`, which take elements out at the front.
    pub(super) fn new<S: Spec>(deeds: &Deeds, ops: &[Op<'_, S>]) -> Self {
        let mut outlook = Self {
            takes: Vec::new(),
            of_op: vec![None; ops.len()],
            others: 0,
            next: Vec::new(),
        };
        for (i, (&deed, op)) in deeds.of.iter().zip(ops).enumerate() {
            let element = match deed {
                Deed::Take(_, Seen::This(element)) if !op.is_optional() => element,
                Deed::Take(_, Seen::This(_) | Seen::Anything) => {
                    outlook.others += 1;
                    continue;
                }
                _ => continue,
            };
            outlook.of_op[i] = u32::try_from(outlook.takes.len()).ok();
            outlook.takes.push(Take {
                position: u32::try_from(i).expect("fewer than 2^32 operations"),
                from: op.from,
                to: op.to,
                element,
            });
        }
        outlook
    }

    /// Whether elements may leave as they stand in `line`, when of the operations called so far (`called` many) those at
    /// positions `open` did not take effect yet.
    pub(super) fn fits(
        &mut self,
        line: impl Iterator<Item = u32>,
        open: impl Iterator<Item = u32>,
        called: u32,
    ) -> bool {
        let Self {
            takes, of_op, next, ..
        } = self;
        next.clear();
        next.extend(open.filter_map(|i| of_op[i as usize].map(|take| takes[take as usize])));
        let mut later = takes[takes.partition_point(|take| take.position < called)..].iter();
        let mut others = self.others;
        for element in line.take(FAR) {
            let mut end = next.iter().map(|take| take.to).min();
            while let Some(take) = later.as_slice().first()
                && end.is_none_or(|end| take.from <= end)
            {
                end = Some(end.map_or(take.to, |end| end.min(take.to)));
                next.push(*take);
                later.next();
            }
            if next.is_empty() {
                // Whoever is left in line may stay.
                return true;
            }
            let takers = (0..next.len()).filter(|&i| next[i].element == element);
            match takers.min_by_key(|&i| next[i].to) {
                Some(taker) => drop(next.swap_remove(taker)),
                None if others > 0 => others -= 1,
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::question::Question;
    use crate::history::History;
    use crate::spec::{Builtin, Visitor};
    use crate::verdict::Criterion;

    /// Whether 1 and 2, and 2 and 1, may leave as they stand when both are there.
    struct Fits<'h>(&'h History);

    impl Visitor for Fits<'_> {
        type Output = [bool; 2];

        fn visit<S: Spec>(self, spec: &S) -> Self::Output {
            let question =
                Question::new(self.0, spec, Criterion::Linearizable).expect("known calls");
            let ops = question.ops(0);
            let deeds = Deeds::new(spec, &ops).expect("a queue is a row");
            let mut outlook = Outlook::new(&deeds, &ops);
            // 1 and 2 are met in this order.
            [[0, 1], [1, 0]].map(|line| outlook.fits(line.into_iter(), [].into_iter(), 2))
        }
    }

    #[test]
    fn elements_leave_a_queue_as_they_stand() {
        for ([first, second], expected) in [
            ([(4, 5), (6, 7)], [true, false]),
            ([(4, 7), (5, 6)], [true, true]),
        ] {
            let mut history = History::new();
            history.push(0, "enqueue", 1, (), 0, 1);
            history.push(0, "enqueue", 2, (), 0, 1);
            history.push(1, "dequeue", (), 1, first.0, first.1);
            history.push(2, "dequeue", (), 2, second.0, second.1);
            let queue = Builtin::named("queue").expect("a built-in specification");
            assert_eq!(queue.visit(Fits(&history)), expected);
        }
    }
}
