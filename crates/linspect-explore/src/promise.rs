//! What a test promises to cover: a ladder of levels, each of which says which clients are explored, and how thoroughly. A verdict that something holds
//! stands on every level of its promise; what was covered beyond is said, but promised to nobody.
//!
//! The promise is known before the first run. It depends on what was asked for and on how many clients there are, never on how far a search happened to come.

use crate::clients::{PREFIX, Sizes};
use crate::search::Method;
use linspect_core::client::Client;

/// The most clients that are promised where no size was asked for.
const MOST_CLIENTS: usize = 4_000;

/// Preemptions that are promised for clients that may be too large to be exhausted.
pub(crate) const PREEMPTIONS: u32 = 2;

/// How thoroughly a client is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Every schedule.
    Exhausted,
    /// Every state with every history; of data races only those of the runs that show them.
    States,
    /// Every schedule with at most so many preemptions.
    Preemptions(u32),
    /// As many random schedules as were asked for.
    Sampled,
}

/// Some clients, and how thoroughly each of them is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromisedLevel {
    /// The most operations, those of a prefix included.
    pub operations: usize,
    /// The most threads.
    pub threads: usize,
    /// How thoroughly.
    pub depth: Depth,
    /// Whether it is enough that threads which have warmed up are explored so, where others take too long.
    pub warm: bool,
}

impl PromisedLevel {
    /// Whether `client` is one of them.
    pub fn asks(&self, client: &Client) -> bool {
        client.size() <= self.operations && client.threads.len() <= self.threads
    }
}

/// What a test promises to cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// Smallest clients first.
    pub levels: Vec<PromisedLevel>,
    /// Whether nobody asked for a size, so that the promise is the usual one.
    pub usual: bool,
    /// What threads call to warm up, where that is enough for some levels.
    pub warm_up: Option<String>,
}

impl Promise {
    /// All clients of these sizes by `method`: what somebody asked for.
    pub fn sizes(sizes: Sizes, method: Method) -> Self {
        Self {
            levels: vec![PromisedLevel {
                operations: sizes.operations + PREFIX,
                threads: sizes.threads,
                depth: method.depth(),
                warm: false,
            }],
            usual: false,
            warm_up: None,
        }
    }

    /// Clients that were named, by `method`.
    pub fn named(method: Method) -> Self {
        Self {
            levels: vec![PromisedLevel {
                operations: usize::MAX,
                threads: usize::MAX,
                depth: method.depth(),
                warm: false,
            }],
            usual: false,
            warm_up: None,
        }
    }

    /// What is promised where nothing was asked for, of clients within `sizes`: two operations in two threads; four in two, and three in three; four in three
    /// with few preemptions. Where there are too many clients of four operations, as many operations as can be: `count` counts those with at most so many.
    pub fn usual(sizes: Sizes, count: impl Fn(usize) -> usize) -> Self {
        let operations = (3..=sizes.operations)
            .rev()
            .find(|&operations| count(operations) <= MOST_CLIENTS)
            .unwrap_or(2);
        let exhausted = |operations, threads| PromisedLevel {
            operations,
            threads,
            depth: Depth::Exhausted,
            warm: false,
        };
        let mut levels = vec![exhausted(2, 2)];
        if operations > 2 {
            levels.push(exhausted(operations, 2));
            levels.push(exhausted(3, 3.min(sizes.threads)));
            levels.push(PromisedLevel {
                operations,
                threads: sizes.threads,
                depth: Depth::Preemptions(PREEMPTIONS),
                warm: false,
            });
        }
        Self {
            levels,
            usual: true,
            warm_up: None,
        }
    }

    /// The same of an object whose threads do more at first than later: all but the smallest clients may be covered with threads that have warmed up by this call.
    #[must_use]
    pub fn or_warm(mut self, call: String) -> Self {
        self.warm_up = Some(call);
        for level in self.levels.iter_mut().skip(1) {
            level.warm = true;
        }
        self
    }

    /// Only what is exhausted in it: under C20 few preemptions mean nothing.
    #[must_use]
    pub fn exhausted(mut self) -> Self {
        self.levels.retain(|level| level.depth == Depth::Exhausted);
        self
    }

    /// The most operations of a client that is promised.
    pub fn operations(&self) -> usize {
        let operations = self.levels.iter().map(|level| level.operations);
        operations.max().unwrap_or(0)
    }

    /// How many clients [`Promise::usual`] counts at most.
    pub fn enough_clients() -> usize {
        MOST_CLIENTS + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_clients_make_a_smaller_promise() {
        let promised = |counts: [usize; 2]| {
            let promise = Promise::usual(Sizes::default(), |n| counts[n - 3]);
            let levels = promise.levels.iter();
            let levels: Vec<_> = levels.map(|l| (l.operations, l.threads, l.depth)).collect();
            levels
        };
        let few = Depth::Preemptions(2);
        assert_eq!(
            promised([100, 4_000]),
            [
                (2, 2, Depth::Exhausted),
                (4, 2, Depth::Exhausted),
                (3, 3, Depth::Exhausted),
                (4, 3, few)
            ]
        );
        assert_eq!(
            promised([100, 4_001]),
            [
                (2, 2, Depth::Exhausted),
                (3, 2, Depth::Exhausted),
                (3, 3, Depth::Exhausted),
                (3, 3, few)
            ]
        );
        assert_eq!(promised([5_000, 90_000]), [(2, 2, Depth::Exhausted)]);
    }
}
