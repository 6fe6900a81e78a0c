//! Beyond what the budget allows to exhaust: the clients that are left are sampled.
//!
//! The last part of the budget goes there. Every client that was not covered is run a few times, in random order, so that all sizes have their
//! share, then all of them more often, until the time is up: a fault that needs a larger client is then often found, though nothing is proved of it.

use super::exploration::Exploration;
use super::investigate::Investigation;
use crate::limits::Limits;
use linspect_core::client::Client;
use linspect_core::property::Property;
use linspect_core::random::Random;
use linspect_core::spec::Unfit;
use linspect_core::verdict::Limit;
use linspect_explore::search::{
    Coverage, Method, Outcome, Plan, Progress, SearchError, Stopped, search,
};
use linspect_report::terminal::grouped;
use std::time::Duration;

/// Depth of the faults that are looked for.
const DEPTH: u32 = 3;

/// Runs of each client in the first round; each round has four times as many as the last.
const RUNS: u64 = 2;

/// How many rounds there are at most.
const ROUNDS: u32 = 8;

/// What was sampled beyond what was covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Beyond {
    pub(super) clients: usize,
    pub(super) executions: u64,
}

/// The part of a budget in which clients are exhausted.
pub(super) fn exhausting(budget: Option<Duration>, method: Method) -> Option<Duration> {
    match method {
        Method::Exhaustive => budget.map(|budget| budget * 4 / 5),
        _ => budget,
    }
}

/// The first clients of a search that were covered as its method covers them.
pub(super) fn covered(outcome: &Outcome) -> usize {
    let whole = |coverage: &Coverage| !matches!(coverage, Coverage::Unknown { .. });
    let explored = outcome.explored.iter();
    explored.take_while(|e| whole(&e.coverage)).count()
}

/// Whether a search ended because its time was up.
pub(super) fn is_out_of_time(outcome: &Outcome) -> bool {
    let last = outcome.explored.last().and_then(|e| match e.coverage {
        Coverage::Unknown { reason, .. } => Some(reason),
        _ => None,
    });
    outcome.stopped.or(last) == Some(Stopped::Limit(Limit::Time))
}

impl Investigation<'_> {
    /// Samples `clients`, which are those from number `first` on, in the part of the budget that is left for it. Gives the round that found an error,
    /// if one did.
    pub(super) fn sample<P: Property>(
        &self,
        clients: &[Client],
        first: usize,
        property: &(impl Fn(&Client) -> Result<P, Unfit> + Sync),
        exploration: &Exploration,
    ) -> Result<(Beyond, Option<Outcome>), SearchError> {
        let left = self.effort.budget.map(|budget| budget / 5);
        let limits = Limits::start(left, self.effort.memory);
        let mut beyond = Beyond::default();
        let mut clients = clients.to_vec();
        Random::new(first as u64).shuffle(&mut clients);
        for round in 0..ROUNDS {
            let method = Method::Pct {
                depth: DEPTH,
                runs: RUNS << (2 * round),
                seed: u64::from(round),
            };
            let plan = Plan::exhaustive().with(method);
            let rest = clients.iter().cloned();
            let outcome = search(self.code, rest, property, &plan, &limits, &|progress| {
                exploration.hear(Progress {
                    client: first + progress.client,
                    ..progress
                });
            })?;
            beyond.clients = beyond.clients.max(outcome.explored.len());
            let explored = outcome.explored.iter();
            beyond.executions += explored.map(|e| e.coverage.executions()).sum::<u64>();
            if outcome.error().is_some() {
                return Ok((beyond, Some(outcome)));
            }
            if is_out_of_time(&outcome) || outcome.stopped.is_some() {
                break;
            }
        }
        Ok((beyond, None))
    }
}

impl std::fmt::Display for Beyond {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            clients,
            executions,
        } = self;
        let executions = grouped(*executions);
        write!(
            f,
            "{executions} random executions of {clients} more {}",
            if *clients == 1 { "client" } else { "clients" }
        )
    }
}
