//! Guesses when each operation took effect, for a search that begins anew when a guess leads nowhere.
//!
//! A depth-first search of a right history is short or endless, by chance: after one wrong choice it tries everything that can follow. So a search that
//! begins anew from time to time, with other choices first, finds an order sooner than one that goes on: Gomes, Selman, Crato and Kautz,
//! *Heavy-tailed phenomena in satisfiability and constraint satisfaction problems*, Journal of Automated Reasoning 24, 2000. How long a guess is followed
//! is the sequence of Luby, Sinclair and Zuckerman, *Optimal speedup of Las Vegas algorithms*, Information Processing Letters 47, 1993.
//!
//! The first guess is that operations take effect in the order of their calls; later ones draw a moment between call and return. The same operations
//! are always guessed in the same way.

use super::Op;
use crate::history::{NEVER, Time};
use crate::random::Random;
use crate::spec::Spec;

/// When operations took effect, as far as anybody guesses.
pub(crate) struct Guess {
    /// Per operation, by position, when it is called and for how long it may be running.
    spans: Vec<(Time, Time)>,
    /// Per operation, by position, the moment.
    moments: Vec<Time>,
    random: Random,
    /// Which guess this is, from 1 on.
    number: u64,
}

/// The first guess is the best and is followed so many times as long as the next.
const FIRST: u64 = 4;

/// One that never returns takes effect within so many times what others take, or not at all.
const LATE: Time = 4;

impl Guess {
    /// The first guess.
    pub(crate) fn new<S: Spec>(ops: &[Op<'_, S>]) -> Self {
        let returned = ops.iter().filter(|op| op.to != NEVER);
        let mut took: Vec<Time> = returned.map(|op| op.to - op.from).collect();
        took.sort_unstable();
        let usual = took.get(took.len() / 2).copied().unwrap_or(1);
        let span = |op: &Op<'_, S>| match op.to {
            NEVER => (op.from, usual.saturating_mul(LATE)),
            to => (op.from, to - op.from),
        };
        Self {
            spans: ops.iter().map(span).collect(),
            moments: ops.iter().map(|op| op.from).collect(),
            random: Random::new(ops.len() as u64),
            number: 1,
        }
    }

    /// When the operation at `position` took effect.
    pub(crate) fn moment(&self, position: u32) -> Time {
        self.moments[position as usize]
    }

    /// For how many steps this guess is worth following.
    pub(crate) fn worth(&self) -> u64 {
        let times = match self.number {
            1 => FIRST,
            n => luby(n - 1),
        };
        times.saturating_mul(16 * self.spans.len() as u64 + 512)
    }

    /// Another guess.
    pub(crate) fn again(&mut self) {
        self.number += 1;
        for (moment, &(from, span)) in self.moments.iter_mut().zip(&self.spans) {
            let span = usize::try_from(span).unwrap_or(usize::MAX - 1);
            *moment = from.saturating_add(self.random.below(span + 1) as Time);
        }
    }

    /// About how many bytes it holds.
    pub(crate) fn memory(&self) -> usize {
        self.spans.len() * 3 * size_of::<Time>()
    }
}

/// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …: `n` counts from 1.
fn luby(mut n: u64) -> u64 {
    loop {
        let length = u64::BITS - n.leading_zeros();
        if n == (1 << length) - 1 {
            return 1 << (length - 1);
        }
        n -= (1 << (length - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::question::Question;
    use crate::history::History;
    use crate::spec::Builtin;
    use crate::verdict::Criterion;

    #[test]
    fn most_guesses_are_followed_for_a_short_time() {
        let first: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn guesses_lie_between_call_and_return() {
        let Ok(Builtin::Register(register)) = Builtin::named("register") else {
            panic!("there is a register")
        };
        let mut history = History::new();
        history.push(0, "write", 1, (), 0, 10);
        history.push(1, "write", 2, (), 5, 6);
        history.push(2, "write", 3, (), 7, 7);
        let question =
            Question::new(&history, &register, Criterion::Linearizable).expect("known calls");
        let ops = question.ops(0);
        let mut guess = Guess::new(&ops);
        assert_eq!([0, 1, 2].map(|i| guess.moment(i)), [0, 5, 7]);
        let mut is_drawn = false;
        for _ in 0..100 {
            guess.again();
            let [first, second, third] = [0, 1, 2].map(|i| guess.moment(i));
            assert!(first <= 10 && (5..=6).contains(&second) && third == 7);
            is_drawn |= first > second;
        }
        assert!(is_drawn);
    }
}
