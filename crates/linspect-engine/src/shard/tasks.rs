//! A search cut into tasks: intervals of its clients, in the order in which one process explores them.

use linspect_core::client::Client;
use linspect_core::execution::{MemoryModel, SiteId};
use linspect_explore::strategies::graph::WalkPart;
use linspect_explore::token::Token;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;

/// What one task explores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ShardTask {
    /// Clients, in the order of one process.
    Clients(Vec<Interval>),
    /// Parts of the walks of clients, which were left when others had walked as much as a task does.
    Parts(Vec<PartTask>),
}

impl ShardTask {
    /// Whether it explores something under C20.
    pub(super) fn is_weak(&self) -> bool {
        match self {
            Self::Clients(intervals) => intervals.iter().any(|interval| interval.weak),
            Self::Parts(_) => true,
        }
    }
}

/// A part of the walk over the graphs of one client, under C20.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartTask {
    /// The client, as a token.
    pub(super) client: String,
    /// Where memory is allocated that counts as shared from its birth.
    #[serde(skip_serializing_if = "BTreeSet::is_empty", default)]
    pub(super) shared: BTreeSet<SiteId>,
    /// Whether freed memory is never used again.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub(super) fresh: bool,
    /// After how many steps a thread is stopped.
    pub(super) steps: u32,
    #[serde(flatten)]
    pub(super) part: WalkPart,
}

impl PartTask {
    /// Its client.
    ///
    /// # Panics
    /// If its word is no token: a plan with such a task is not read.
    pub(super) fn client(&self) -> Client {
        let token: Token = self
            .client
            .parse()
            .expect("plans with other words are not read");
        token.client
    }

    /// Whether its client can be read.
    pub(super) fn is_readable(&self) -> bool {
        self.client.parse::<Token>().is_ok()
    }

    /// Whether it is of the same walk, and comes later.
    pub(super) fn is_behind(&self, other: &Self) -> bool {
        let walk = |task: &Self| {
            (
                task.client.clone(),
                task.shared.clone(),
                task.fresh,
                task.steps,
            )
        };
        walk(self) == walk(other) && self.part.path > other.part.path
    }
}

/// Cuts parts that are left into at most so many tasks of as many parts.
pub(super) fn cut_parts(parts: Vec<PartTask>, tasks: usize) -> Vec<ShardTask> {
    let (all, tasks) = (parts.len(), tasks.clamp(1, parts.len().max(1)));
    let mut parts = parts.into_iter();
    let mut cut = Vec::new();
    for task in 0..tasks {
        let count = all * (task + 1) / tasks - all * task / tasks;
        cut.push(ShardTask::Parts(parts.by_ref().take(count).collect()));
    }
    cut.retain(|task| !matches!(task, ShardTask::Parts(parts) if parts.is_empty()));
    cut
}

/// Clients that follow each other, under one memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Interval {
    /// Under what C20 allows; else under sequential consistency.
    pub(super) weak: bool,
    /// The first, from 0.
    pub(super) first: usize,
    /// The one behind the last.
    pub(super) end: usize,
}

impl Interval {
    pub(super) fn model(self) -> MemoryModel {
        match self.weak {
            true => MemoryModel::C20,
            false => MemoryModel::Sc,
        }
    }

    pub(super) fn clients(self) -> Range<usize> {
        self.first..self.end
    }
}

/// A client as it is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListedClient {
    /// About how long it takes beside others.
    pub(crate) weight: u64,
    /// Whether it is explored before anything that is not promised.
    pub(crate) promised: bool,
    /// Whether it is one of the smallest.
    pub(crate) smallest: bool,
}

/// About how long a client takes beside others: each operation multiplies its schedules, and a thread more does so twice.
pub(crate) fn weight(client: &Client) -> u64 {
    let operations: usize = client.threads.iter().map(Vec::len).sum();
    let threads = client.threads.len().saturating_sub(2);
    let power = u32::try_from(operations + 2 * threads).unwrap_or(u32::MAX);
    4_u64.checked_pow(power.min(24)).unwrap_or(u64::MAX)
}

/// How much longer a client takes under C20 than under sequential consistency.
const WEAK: u64 = 3;

/// The models of a search, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phases {
    /// Sequential consistency alone.
    Strong,
    /// What is promised under sequential consistency, then all under C20.
    Weak,
    /// The same, then the rest under sequential consistency.
    Both,
}

/// Cuts the exploration of `clients` into at most so many tasks that take about the same time. No task is empty.
pub(super) fn cut(clients: &[ListedClient], phases: Phases, tasks: usize) -> Vec<Vec<Interval>> {
    let promised = clients.iter().take_while(|client| client.promised).count();
    let all = clients.len();
    let steps = match phases {
        Phases::Strong => vec![(false, 0..all)],
        Phases::Weak => vec![(false, 0..promised), (true, 0..all)],
        Phases::Both => vec![(false, 0..promised), (true, 0..all), (false, promised..all)],
    };
    let cost = |weak: bool, client: usize| {
        let factor = if weak { WEAK } else { 1 };
        u128::from(clients[client].weight) * u128::from(factor)
    };
    let steps: Vec<(bool, usize)> = steps
        .into_iter()
        .flat_map(|(weak, range)| range.map(move |client| (weak, client)))
        .collect();
    let whole: u128 = steps.iter().map(|&(weak, client)| cost(weak, client)).sum();
    let tasks = tasks.clamp(1, steps.len().max(1));
    let mut out: Vec<Vec<Interval>> = Vec::new();
    let (mut spent, mut left) = (0, steps.len());
    for (weak, client) in steps {
        // A new task begins where the part of the whole says so, or where each of the rest must have one client.
        let due = spent * tasks as u128 >= whole * out.len() as u128;
        let must = tasks - out.len() >= left;
        if out.is_empty() || (out.len() < tasks && (due || must)) {
            out.push(Vec::new());
        }
        let intervals = out.last_mut().expect("one was pushed");
        match intervals.last_mut() {
            Some(last) if last.weak == weak && last.end == client => last.end += 1,
            _ => intervals.push(Interval {
                weak,
                first: client,
                end: client + 1,
            }),
        }
        spent += cost(weak, client);
        left -= 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clients(weights: &[u64], promised: usize) -> Vec<ListedClient> {
        let listed = weights.iter().enumerate();
        let listed = listed.map(|(i, &weight)| ListedClient {
            weight,
            promised: i < promised,
            smallest: false,
        });
        listed.collect()
    }

    /// However it is cut, the tasks one after another are what one process does.
    #[test]
    fn nothing_is_left_out_and_nothing_comes_twice() {
        let weights: Vec<u64> = (0..50).map(|i| 4_u64.pow(i / 10)).collect();
        let clients = clients(&weights, 20);
        type Order = Vec<(bool, Range<usize>)>;
        let orders: [(Phases, Order); 3] = [
            (Phases::Strong, vec![(false, 0..50)]),
            (Phases::Weak, vec![(false, 0..20), (true, 0..50)]),
            (
                Phases::Both,
                vec![(false, 0..20), (true, 0..50), (false, 20..50)],
            ),
        ];
        for (phases, order) in orders {
            let order: Vec<(bool, usize)> = order
                .into_iter()
                .flat_map(|(weak, range)| range.map(move |i| (weak, i)))
                .collect();
            for tasks in [1, 2, 7, 33, 50, 100, 1000] {
                let cut = cut(&clients, phases, tasks);
                assert!(cut.len() <= tasks && cut.iter().all(|task| !task.is_empty()));
                let steps: Vec<(bool, usize)> = cut
                    .iter()
                    .flatten()
                    .flat_map(|i| i.clients().map(move |client| (i.weak, client)))
                    .collect();
                assert_eq!(steps, order, "{phases:?} {tasks}");
            }
            assert_eq!(cut(&clients, phases, order.len()).len(), order.len());
        }
    }

    #[test]
    fn tasks_take_about_the_same_time() {
        let weights: Vec<u64> = (0..1000).map(|i| 1 + i % 7).collect();
        let cut = cut(&clients(&weights, 1000), Phases::Strong, 10);
        assert_eq!(cut.len(), 10);
        let whole: u64 = weights.iter().sum();
        for task in cut {
            let task: u64 = task
                .iter()
                .flat_map(|i| i.clients())
                .map(|i| weights[i])
                .sum();
            assert!(task.abs_diff(whole / 10) <= 7, "{task} of {whole}");
        }
    }

    #[test]
    fn a_thread_more_is_worth_two_operations() {
        let call = linspect_core::client::Invocation {
            operation: 0,
            argument: linspect_core::value::Value::Unit,
        };
        let client = |lengths: &[usize]| Client {
            threads: lengths.iter().map(|&n| vec![call.clone(); n]).collect(),
            ..Client::default()
        };
        assert_eq!(weight(&client(&[1, 1])), 16);
        assert_eq!(weight(&client(&[2, 2])), 256);
        assert_eq!(weight(&client(&[1, 1, 1])), 1024);
        assert!(weight(&client(&[50, 50])) > weight(&client(&[3, 3])));
    }
}
