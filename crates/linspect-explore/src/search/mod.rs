//! The search: clients smallest first, the schedules of each, until something is found or the budget ends.
//!
//! What is found is replayed and judged again before anybody hears of it. What was covered is always said.

mod client;
mod confirm;
mod coverage;
mod deepening;
mod quasi;
mod stuck;

pub use client::{Explored, explore};
pub use confirm::{Confirmed, confirm};
pub use coverage::{Bound, Coverage, Guarantee, Stopped};
pub use quasi::{Relaxation, smallest_relaxation};

use crate::course::Bounds;
use crate::races::Race;
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::execution::{Execution, Fault, FaultKind};
use linspect_core::machine::{StartError, Subject};
use linspect_core::property::Property;
use linspect_core::schedule::{Schedule, ThreadId};
use linspect_core::spec::Unfit;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How the schedules of a client are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All of them, one per class.
    Exhaustive,
    /// Those with at most this many preemptions, fewest first.
    Bounded {
        /// The most preemptions.
        preemptions: u32,
    },
    /// Uniformly at random.
    Random {
        /// How many.
        runs: u64,
        /// Which.
        seed: u64,
    },
    /// PCT.
    Pct {
        /// The depth of the faults looked for.
        depth: u32,
        /// How many runs.
        runs: u64,
        /// Which.
        seed: u64,
    },
    /// D-PCT.
    Dpct {
        /// The depth of the faults looked for.
        depth: u32,
        /// How many runs.
        runs: u64,
        /// Which.
        seed: u64,
    },
}

impl Method {
    /// Where its random numbers start.
    pub fn seed(self) -> u64 {
        match self {
            Self::Exhaustive | Self::Bounded { .. } => 0,
            Self::Random { seed, .. } | Self::Pct { seed, .. } | Self::Dpct { seed, .. } => seed,
        }
    }
}

/// What to do with each client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How schedules are chosen.
    pub method: Method,
    /// Bounds on each run.
    pub bounds: Bounds,
    /// How many points of a class are looked at when its real time is decided.
    pub class_limit: usize,
    /// How many executions of one client at most.
    pub executions: Option<u64>,
    /// Go on after the first error, to the end of the client.
    pub keep_going: bool,
}

impl Plan {
    /// Everything, until the first error.
    pub fn exhaustive() -> Self {
        Self {
            method: Method::Exhaustive,
            bounds: Bounds::default(),
            class_limit: 1_000_000,
            executions: None,
            keep_going: false,
        }
    }

    /// The same with another method.
    pub fn with(self, method: Method) -> Self {
        Self { method, ..self }
    }
}

/// What can be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The property does not hold.
    Violation,
    /// A step or the suffix went wrong.
    Fault(Fault),
    /// An operation ended by an exception or panic, with this message.
    Panic(String),
    /// These threads wait, and would not if operations ran one after the other.
    Deadlock(Vec<ThreadId>),
    /// These threads go round in loops that nobody will end, and would not if operations ran one after the other.
    Livelock(Vec<ThreadId>),
    /// Two accesses that are not ordered and not atomic.
    DataRace(Race),
}

impl Kind {
    /// Whether it ends the search. A data race may be meant, and a bound of the machine says nothing about the program.
    pub fn is_error(&self) -> bool {
        match self {
            Self::DataRace(_) => false,
            Self::Fault(fault) => fault.kind != FaultKind::Limit,
            _ => true,
        }
    }
}

/// Something found, replayed and judged again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What.
    pub kind: Kind,
    /// The schedule that shows it.
    pub schedule: Schedule,
    /// What happens then.
    pub execution: Execution,
}

/// Why a search cannot go on at all: something is wrong with the harness, not with the object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The client cannot be started.
    #[error("the client could not be started: {0}")]
    Start(#[from] StartError),
    /// The specification does not have an operation of the client.
    #[error("the specification does not fit the harness: {0}")]
    Unfit(#[from] Unfit),
    /// The same schedule did something else the second time.
    #[error(
        "the program is not deterministic: replaying a schedule went another way at step {step}; \
         look for time, addresses or random numbers that decide what it does"
    )]
    Nondeterministic {
        /// The first step that differs, from 0.
        step: usize,
    },
    /// The machine cannot run what the program does.
    #[error("the program does something that cannot be run here: {}", .0.message)]
    Unsupported(Fault),
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Which client, from 0.
    pub client: usize,
    /// Executions of it so far.
    pub executions: u64,
    /// Roughly which part of it is done, from 0 to 1.
    pub done: f64,
}

/// What a search over clients came to. The clients are in the order given, up to the first with an error or the first that the budget
/// did not allow.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What each client came to.
    pub explored: Vec<Explored>,
    /// Why there are no more clients, if there would have been.
    pub stopped: Option<Stopped>,
}

impl Outcome {
    /// The first error, and its client.
    pub fn error(&self) -> Option<(&Client, &Found)> {
        self.explored
            .iter()
            .find_map(|e| e.error().map(|f| (&e.client, f)))
    }
}

/// How many clients are given to the cores at a time.
const CHUNK: usize = 64;

/// Explores `clients` in order by `plan`, several at a time, until the first with an error.
///
/// `property` makes the property that judges a client's runs. With a budget that counts, the outcome does not depend on the number of cores.
pub fn search<S: Subject, P: Property>(
    subject: &S,
    clients: impl Iterator<Item = Client>,
    property: impl Fn(&Client) -> Result<P, Unfit> + Sync,
    plan: &Plan,
    budget: &(dyn Budget + Sync),
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Outcome, SearchError> {
    let mut clients = clients;
    let mut outcome = Outcome {
        explored: Vec::new(),
        stopped: None,
    };
    loop {
        let chunk: Vec<Client> = clients.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            return Ok(outcome);
        }
        if let Some(limit) = budget.exhausted(0) {
            outcome.stopped = Some(Stopped::Limit(limit));
            return Ok(outcome);
        }
        let before = outcome.explored.len();
        // Clients after one with an error would not be reported, so they need not be run.
        let last = AtomicUsize::new(usize::MAX);
        let results: Vec<_> = chunk
            .into_par_iter()
            .enumerate()
            .map(|(i, client)| {
                if i > last.load(Ordering::Relaxed) {
                    return None;
                }
                let note = |executions, done| {
                    progress(Progress {
                        client: before + i,
                        executions,
                        done,
                    });
                };
                let explored = property(&client)
                    .map_err(SearchError::from)
                    .and_then(|p| explore(subject, client, p, plan, budget, &note));
                if explored.as_ref().is_ok_and(Explored::ends_search) {
                    last.fetch_min(i, Ordering::Relaxed);
                }
                Some(explored)
            })
            .collect();
        for explored in results.into_iter().flatten() {
            let explored = explored?;
            let ends = explored.ends_search();
            outcome.explored.push(explored);
            if ends {
                return Ok(outcome);
            }
        }
    }
}
