//! Long random clients: for faults that take many operations to come about, such as a table that grows (the detection phase of CGVT).

use linspect_core::client::{Client, Declared};
use linspect_core::random::Random;
use linspect_explore::clients::random;
use linspect_explore::search::Method;

/// How many there are.
const CLIENTS: u64 = 200;

/// Runs of each.
const RUNS: u64 = 5;

/// D-PCT changes priorities once in so many operations: every stretch of a long run is one more attempt at a fault of depth 2.
const STRETCH: usize = 10;

/// How long they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongClients {
    /// How many threads.
    pub threads: usize,
    /// Operations of each thread.
    pub operations: usize,
}

impl LongClients {
    /// Reads `2x50`.
    pub fn parse(typed: &str) -> Result<Self, String> {
        let parts = typed.split_once(['x', '×']);
        let numbers = parts.and_then(|(t, n)| Some((t.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((threads @ 2..=16, operations @ 1..=2000)) => Ok(Self {
                threads,
                operations,
            }),
            _ => Err("write 2x50 for two threads with 50 operations each; at most 16x2000".into()),
        }
    }

    /// How their schedules are chosen if nothing else is asked for.
    pub fn method(self, seed: u64) -> Method {
        Method::Mixed { runs: RUNS, seed }
    }

    /// The clients that `seed` determines.
    pub(super) fn clients(self, declared: &[Declared], seed: u64) -> Vec<Client> {
        let seeds = (0..CLIENTS).map(|i| seed.wrapping_mul(CLIENTS).wrapping_add(i));
        seeds
            .map(|seed| {
                let random_numbers = &mut Random::new(seed);
                random(declared, self.threads, self.operations, random_numbers)
            })
            .collect()
    }
}

/// The depth of faults that PCT and D-PCT look for in runs of so many operations.
pub fn depth(operations: usize) -> u32 {
    u32::try_from(1 + operations / STRETCH).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        let size = |threads, operations| {
            Ok(LongClients {
                threads,
                operations,
            })
        };
        assert_eq!(LongClients::parse("2x50"), size(2, 50));
        assert_eq!(LongClients::parse("3×500"), size(3, 500));
        for wrong in [
            "", "2", "x", "1x50", "2x0", "17x5", "2x2001", "2x-1", "2x50x2",
        ] {
            assert!(LongClients::parse(wrong).is_err(), "{wrong}");
        }
    }
}
