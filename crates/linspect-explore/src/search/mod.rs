//! The search: clients smallest first, the schedules of each, until something is found or the budget ends.
//!
//! What is found is replayed and judged again before anybody hears of it. What was covered is always said.

mod ahead;
mod client;
mod confirm;
mod coverage;
mod crew;
mod cut_reads;
mod deepening;
mod explored;
mod judge_graph;
mod keep;
mod leads;
mod ledger;
mod livelock;
mod memory_use;
mod prefix;
mod quasi;
mod recall;
mod reorder;
mod sampled;
mod tally;
mod unwritten;
mod walk_record;
mod watcher;

pub use client::explore;
pub use coverage::{Bound, Coverage, Guarantee, Stopped};
pub use explored::Explored;
pub use keep::{Beyond, Keeping, Kept, Note, Purse, Twin, keep};
pub use ledger::{Covered, Ledger, LedgerEntry};
pub use memory_use::MemoryUse;
pub use quasi::{Relaxation, smallest_relaxation};
pub use recall::{Recall, Recalled, RecalledRun, WalkName, told};
pub use walk_record::{PartOfWalk, WalkRecord, WalkStopped, walk_parts};

use crew::WalkMemory;

use crate::promise::Depth;
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::{Execution, Fault};
use linspect_core::machine::{Retries, StartError, Subject};
use linspect_core::property::Property;
use linspect_core::run::Bounds;
use linspect_core::schedule::Schedule;
use linspect_core::spec::Unfit;
use linspect_core::verdict::Limit;
use rayon::prelude::*;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// How the schedules of a client are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All of them, one per class.
    Exhaustive,
    /// As many as it takes to be in every state with every history.
    States,
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
    /// SURW.
    Surw {
        /// How many runs.
        runs: u64,
        /// Which.
        seed: u64,
    },
    /// SURW and uniformly at random, in turn: what the one is blind to the other may see.
    Mixed {
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
    /// How thoroughly it explores a client.
    pub fn depth(self) -> Depth {
        match self {
            Self::Exhaustive => Depth::Exhausted,
            Self::States => Depth::States,
            Self::Bounded { preemptions } => Depth::Preemptions(preemptions),
            Self::Random { .. }
            | Self::Pct { .. }
            | Self::Dpct { .. }
            | Self::Surw { .. }
            | Self::Mixed { .. } => Depth::Sampled,
        }
    }

    /// Where its random numbers start.
    pub fn seed(self) -> u64 {
        match self {
            Self::Exhaustive | Self::States | Self::Bounded { .. } => 0,
            Self::Random { seed, .. }
            | Self::Pct { seed, .. }
            | Self::Dpct { seed, .. }
            | Self::Surw { seed, .. }
            | Self::Mixed { seed, .. } => seed,
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
    /// What part of what is left of the budget one client may take: one of so many.
    pub share: Option<u32>,
    /// Go on after the first error, to the end of the client.
    pub keep_going: bool,
    /// What becomes of threads that try in vain, where every class is explored. Other methods let them go on.
    pub retries: Retries,
}

impl Plan {
    /// Everything, until the first error.
    pub fn exhaustive() -> Self {
        Self {
            method: Method::Exhaustive,
            bounds: Bounds::default(),
            class_limit: 1_000_000,
            executions: None,
            share: None,
            keep_going: false,
            retries: Retries::Park,
        }
    }

    /// The same with another method.
    pub fn with(self, method: Method) -> Self {
        Self { method, ..self }
    }
}

/// Something found, replayed and judged again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefectiveRun {
    /// What.
    pub kind: Defect,
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
    /// Linspect itself went wrong, as these words say.
    #[error("internal error while exploring: {0}")]
    Internal(String),
    /// The machine cannot run what the program does.
    #[error("the program does something that cannot be run here: {}", .0.message)]
    Unsupported(Fault),
    /// Threads hide memory from each other; the related site says where it is allocated. The subject is to be set up anew with it shared.
    #[error("{}: what is allocated there must count as shared from its birth", .0.message)]
    Hidden(Fault),
}

impl SearchError {
    /// Whether it is a fault of Linspect, not of the harness.
    pub fn is_internal(&self) -> bool {
        matches!(self, Self::Internal(_))
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Which client, from 0.
    pub client: usize,
    /// Executions so far, of all clients.
    pub executions: u64,
    /// Roughly which part of this client is done, from 0 to 1.
    pub done: f64,
}

/// What a search over clients came to. The clients are in the order given, up to the first with an error or the first that the budget
/// did not allow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchOutcome {
    /// What each client came to.
    pub explored: Vec<Explored>,
    /// Why there are no more clients, if there would have been.
    pub stopped: Option<Stopped>,
    /// What could not be explored because Linspect itself went wrong, though something was found elsewhere.
    pub internal: Option<SearchError>,
}

impl SearchOutcome {
    /// The first error, and its client.
    pub fn error(&self) -> Option<(&Client, &DefectiveRun)> {
        self.explored
            .iter()
            .find_map(|e| e.error().map(|f| (&e.client, f)))
    }

    /// All executions.
    pub fn executions(&self) -> u64 {
        self.explored.iter().map(|e| e.coverage.executions()).sum()
    }

    /// Why not everything was covered, the last reason of several.
    pub fn reason(&self) -> Option<Stopped> {
        let mut reasons = self.explored.iter().rev().filter_map(|e| match e.coverage {
            Coverage::Unknown { reason, .. } => Some(reason),
            _ => None,
        });
        self.stopped.or_else(|| reasons.next())
    }

    /// Whether it ended because the budget did.
    pub fn is_out_of_budget(&self) -> bool {
        let ends = |e: &Explored| {
            matches!(
                e.coverage,
                Coverage::Unknown {
                    reason: Stopped::Limit(_),
                    ..
                }
            )
        };
        self.stopped.is_some() || self.explored.iter().any(ends)
    }

    /// Whether the first error was found where freed memory is never used again, and only there.
    pub fn is_fresh(&self) -> bool {
        let first = self.explored.iter().find(|e| e.error().is_some());
        first.is_some_and(|e| e.fresh)
    }
}

/// Explores one client in its share of the budget; says, too, if somebody has a `memory`, whether it would come to the same again.
fn with_share<S: Subject, P: Property>(
    subject: &S,
    client: Client,
    property: &(impl Fn(&Client) -> Result<P, Unfit> + Sync),
    plan: &Plan,
    budget: &(dyn Budget + Sync),
    progress: &dyn Fn(u64, f64),
    memory: Option<WalkMemory<'_>>,
) -> Result<(Explored, bool), SearchError> {
    let others = prefix::Others { budget, memory };
    let Some(share) = plan.share.and_then(|of| budget.share(of)) else {
        let explored =
            prefix::explore_all(subject, client, property, plan, budget, others, progress)?;
        let repeatable = memory.is_some() && explored.is_repeatable(budget.exhausted(0).is_some());
        return Ok((explored, repeatable));
    };
    let mut explored =
        prefix::explore_all(subject, client, property, plan, &*share, others, progress)?;
    if let Coverage::Unknown { reason, .. } = &mut explored.coverage
        && *reason == Stopped::Limit(Limit::Time)
        && budget.exhausted(0).is_none()
    {
        *reason = Stopped::Share;
    }
    let repeatable = memory.is_some() && explored.is_repeatable(share.exhausted(0).is_some());
    Ok((explored, repeatable))
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
) -> Result<SearchOutcome, SearchError> {
    search_on(subject, clients, property, plan, budget, progress, None)
}

/// The same, where somebody may remember some of the explorations.
fn search_on<S: Subject, P: Property>(
    subject: &S,
    clients: impl Iterator<Item = Client>,
    property: impl Fn(&Client) -> Result<P, Unfit> + Sync,
    plan: &Plan,
    budget: &(dyn Budget + Sync),
    progress: &(dyn Fn(Progress) + Sync),
    memory: Option<&dyn Recall>,
) -> Result<SearchOutcome, SearchError> {
    let mut clients = clients;
    let executions = AtomicU64::new(0);
    let fresh = subject.fresh();
    let mut outcome = SearchOutcome::default();
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
                let noted = Cell::new(0);
                let note = |so_far: u64, done| {
                    let more = so_far.saturating_sub(noted.get());
                    noted.set(noted.get() + more);
                    progress(Progress {
                        client: before + i,
                        executions: executions.fetch_add(more, Ordering::Relaxed) + more,
                        done,
                    });
                };
                let explore_in = |subject: &S, client: Client, fresh: bool| {
                    let memory = memory.map(|recall| WalkMemory { recall, fresh });
                    with_share(subject, client, &property, plan, budget, &note, memory)
                };
                let explored = caught(|| {
                    let known = memory.and_then(|memory| memory.recall(&client, plan));
                    let known = known.and_then(|k| k.again(subject, fresh.as_ref(), &property));
                    if let Some(known) = known {
                        note(known.coverage.executions(), 1.0);
                        return Ok(known);
                    }
                    let (first, mut repeatable) = explore_in(subject, client.clone(), false)?;
                    let explored = match &fresh {
                        Some(fresh) if first.reused && !first.is_cut_short() => {
                            let (second, too) = explore_in(fresh, first.client.clone(), true)?;
                            repeatable &= too;
                            first.and_fresh(second)
                        }
                        _ => first,
                    };
                    if let Some(memory) = memory.filter(|_| repeatable) {
                        memory.note(&client, plan, &explored);
                    }
                    Ok(explored)
                });
                if explored.as_ref().is_ok_and(Explored::ends_search) {
                    last.fetch_min(i, Ordering::Relaxed);
                }
                Some(explored)
            })
            .collect();
        for explored in results.into_iter().flatten() {
            let explored = match explored {
                // It does not take away what was found beside it.
                Err(error) if error.is_internal() => {
                    outcome.internal.get_or_insert(error);
                    continue;
                }
                explored => explored?,
            };
            let ends = explored.ends_search();
            outcome.explored.push(explored);
            if ends {
                break;
            }
        }
        let found = outcome.error().is_some();
        match outcome.internal.take() {
            Some(error) if !found => return Err(error),
            internal => outcome.internal = internal,
        }
        if outcome.explored.last().is_some_and(Explored::ends_search) {
            return Ok(outcome);
        }
    }
}

/// Explores a client and makes an error of a panic.
fn caught(
    explore: impl FnOnce() -> Result<Explored, SearchError>,
) -> Result<Explored, SearchError> {
    // What a panicked exploration leaves half done is its own machine, which is dropped.
    catch_unwind(AssertUnwindSafe(explore)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let text = text.unwrap_or("a panic without words");
        Err(SearchError::Internal(text.to_owned()))
    })
}
