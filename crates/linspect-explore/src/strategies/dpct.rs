//! D-PCT of CGVT (coarse-grained violation traces): PCT that does not need to know the number of steps.
//!
//! The paper expects each operation to take as many visible steps as its control flow graph says with one round per loop. Here it
//! is expected to take as many as it takes in this very client when nobody interrupts it: what the graph estimates, measured. When an
//! operation goes on beyond that (another round) or ends before (another branch), the number of remaining steps is
//! computed again and the remaining change points are drawn again among them.
//!
//! Instead of reading control flow graphs, expectations come from runs: from one in which no thread is interrupted, or, where that would cost as much as the
//! run itself, from the last call of the same operation.

use super::expected::Lengths;
use super::priorities::Priorities;
use super::{Scene, Strategy};
use linspect_core::schedule::Choice;

/// Per thread, which operation each of its calls is of. Calls of one operation are expected to be about as long as one another.
pub type Kinds = Vec<Vec<u16>>;

/// One run of D-PCT.
#[derive(Clone, Debug)]
pub struct Dpct {
    priorities: Priorities,
    threads: Vec<Progress>,
    /// What is learnt from one call for later ones; empty: nothing.
    kinds: Kinds,
    /// How many change points are left.
    left: u32,
    /// The steps at which priorities change, latest first.
    changes: Vec<u64>,
}

/// How far a thread is with what is expected of it.
#[derive(Clone, Debug)]
struct Progress {
    expected: Vec<u32>,
    operation: usize,
    taken: u32,
}

impl Progress {
    /// Steps still to come.
    fn remaining(&self) -> u64 {
        let coming = self.expected.iter().skip(self.operation);
        let total: u64 = coming.map(|&n| u64::from(n)).sum();
        total.saturating_sub(u64::from(self.taken))
    }

    /// Notes a step; true if it was not as expected.
    fn step(&mut self, returned: bool) -> bool {
        self.taken += 1;
        let Some(expected) = self.expected.get_mut(self.operation) else {
            return false;
        };
        if returned {
            let surprise = self.taken != *expected;
            *expected = self.taken;
            self.operation += 1;
            self.taken = 0;
            return surprise;
        }
        let surprise = self.taken >= *expected;
        if surprise {
            // Another round of what it did so far.
            *expected += self.taken.max(1);
        }
        surprise
    }
}

impl Dpct {
    /// The run that `seed` determines, for faults of depth `depth`.
    pub fn new(seed: u64, depth: u32, expected: Lengths) -> Self {
        let left = depth.saturating_sub(1);
        let threads = expected
            .into_iter()
            .map(|expected| Progress {
                expected,
                operation: 0,
                taken: 0,
            })
            .collect();
        let mut dpct = Self {
            priorities: Priorities::new(seed, left),
            threads,
            kinds: Kinds::new(),
            left,
            changes: Vec::new(),
        };
        dpct.draw(0);
        dpct
    }

    /// As [`Dpct::new`] where nothing is known of the operations before: a call is expected to be as long as the last one of the same operation was.
    pub fn learning(seed: u64, depth: u32, kinds: Kinds) -> Self {
        let unknown = kinds.iter().map(|calls| vec![1; calls.len()]).collect();
        Self {
            kinds,
            ..Self::new(seed, depth, unknown)
        }
    }

    /// Expects calls to be as long as the one that `thread` has just ended.
    fn learn(&mut self, thread: usize) {
        let Some(kinds) = self.kinds.get(thread) else {
            return;
        };
        let ended = self.threads[thread].operation - 1;
        let (kind, length) = (kinds[ended], self.threads[thread].expected[ended]);
        for (progress, kinds) in self.threads.iter_mut().zip(&self.kinds) {
            // Calls that have begun are judged by what they do themselves.
            let coming = progress.operation + usize::from(progress.taken > 0);
            for (expected, of) in progress.expected.iter_mut().zip(kinds).skip(coming) {
                if *of == kind {
                    *expected = length;
                }
            }
        }
    }

    /// Draws the remaining change points among the remaining steps: different ones, as in PCT, and not the first of all, where a change would only be
    /// another choice of priorities.
    fn draw(&mut self, now: u64) {
        let remaining: u64 = self.threads.iter().map(Progress::remaining).sum();
        let first = now.max(1);
        let places = (now + remaining).saturating_sub(first).max(1);
        self.changes.clear();
        while (self.changes.len() as u64) < u64::from(self.left).min(places) {
            let at = first + self.priorities.random().below(places as usize) as u64;
            if !self.changes.contains(&at) {
                self.changes.push(at);
            }
        }
        self.changes.sort_unstable_by(|a, b| b.cmp(a));
    }
}

impl Strategy for Dpct {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        let now = scene.taken as u64;
        if let Some(last) = scene.last
            && let Some(progress) = self.threads.get_mut(usize::from(last.choice.thread))
            && progress.step(last.returned.is_some())
        {
            if last.returned.is_some() {
                self.learn(usize::from(last.choice.thread));
            }
            self.draw(now);
        }
        while self.changes.last().is_some_and(|&at| at <= now) {
            self.changes.pop();
            self.left -= 1;
            let running = self.priorities.first(scene);
            self.priorities.lower(running);
        }
        Some(self.priorities.choose(scene))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_that_have_not_begun_learn_from_one_that_has_ended() {
        let mut dpct = Dpct::learning(1, 1, vec![vec![7, 7], vec![7, 8, 7], vec![7]]);
        // The first thread ends a call of three steps; the second has taken one step of its first call.
        for returned in [false, false, true] {
            dpct.threads[0].step(returned);
        }
        dpct.threads[1].step(false);
        dpct.learn(0);
        let expected = dpct.threads.iter().map(|t| t.expected.clone());
        // The call that has begun is expected to take one step more than it has, and nothing is known of operation 8.
        let known = [vec![3, 3], vec![2, 1, 3], vec![3]];
        assert_eq!(expected.collect::<Vec<_>>(), known);
    }
}
