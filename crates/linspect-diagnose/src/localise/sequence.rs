//! Critical data race sequences: the decisive nodes along a bad run.
//!
//! Along a run that ends badly they match `(WG|BG|WBG)* (BG|G|WBG)` (Theorem 3 of the paper, for any number of threads): races each of which could still
//! save the run, the last one dooming it.

use super::dag::{Dag, NodeId, Path, Wrong};
use super::label::{Fate, Label};
use linspect_core::execution::Step;
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A race on a bad run that decides something: who goes first, and what follows.
#[derive(Clone, Debug)]
pub struct Decisive {
    /// Which step of the run it is.
    pub step: usize,
    /// What it decides.
    pub label: Label,
    /// The competitors.
    pub sides: Vec<Side>,
    /// Which of them goes first in this run, an index into `sides`.
    pub taken: usize,
}

/// One competitor of a race, and what follows if it goes first.
#[derive(Clone, Debug)]
pub struct Side {
    /// What it does.
    pub step: Step,
    /// Where in the source.
    pub path: Path,
    /// How it can end then.
    pub fate: Fate,
    /// Runs that end well then.
    pub good: u128,
    /// Runs that end badly then.
    pub bad: u128,
    /// Whether these are all.
    pub whole: bool,
}

/// The decisive races along `schedule`.
///
/// # Panics
/// If the schedule is not one of the graph's runs.
pub fn decisive(dag: &Dag, schedule: &Schedule) -> Vec<Decisive> {
    let mut node = dag.root();
    let mut found = Vec::new();
    for (step, choice) in schedule.0.iter().enumerate() {
        let branches = &dag.nodes[node].branches;
        let taken = branches
            .iter()
            .position(|b| b.step.choice == *choice)
            .expect("the schedule is a run of the graph");
        let label = dag.label(node);
        if label.is_decisive() {
            let side = |b: &super::Branch| Side {
                step: b.step.clone(),
                path: b.path.clone(),
                fate: dag.nodes[b.to].fate(),
                good: dag.nodes[b.to].good,
                bad: dag.nodes[b.to].bad,
                whole: dag.nodes[b.to].whole,
            };
            found.push(Decisive {
                step,
                label,
                sides: branches.iter().map(side).collect(),
                taken,
            });
        }
        node = branches[taken].to;
    }
    found
}

/// A run that `shows` what is wrong, with as few switches between threads as possible; of those the first in depth-first order. `None` if there is none.
pub fn fewest_switches(dag: &Dag, shows: &dyn Fn(Wrong) -> bool) -> Option<Schedule> {
    // Dijkstra over (node, thread that ran last); choices break ties, so that the result does not depend on heap order.
    type At = (NodeId, Option<ThreadId>);
    let mut best: FxHashMap<At, (u32, Vec<Choice>)> = FxHashMap::default();
    let mut open = BinaryHeap::new();
    open.push(Reverse((
        0u32,
        Vec::<Choice>::new(),
        dag.root(),
        None::<ThreadId>,
    )));
    while let Some(Reverse((switches, path, node, last))) = open.pop() {
        let current = &dag.nodes[node];
        if current.bad == 0 {
            continue;
        }
        if current.end.is_some() {
            match shows(current.wrong) {
                true => return Some(Schedule(path)),
                false => continue,
            }
        }
        if best.contains_key(&(node, last)) {
            continue;
        }
        best.insert((node, last), (switches, path.clone()));
        for branch in &current.branches {
            let thread = branch.step.choice.thread;
            let switch = u32::from(last.is_some_and(|l| l != thread));
            let mut longer = path.clone();
            longer.push(branch.step.choice);
            open.push(Reverse((
                switches + switch,
                longer,
                branch.to,
                Some(thread),
            )));
        }
    }
    None
}

/// Bad runs whose decisive races are the same source positions with the same labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The races in order: what each decides, and the positions of its competitors.
    pub races: Vec<(Label, Vec<Path>)>,
    /// How many bad runs have exactly these races.
    pub runs: u128,
}

/// How many different sequences are kept per node while counting.
const KEPT: usize = 128;

/// How many races all sequences of a node may have together: where runs are long, fewer sequences are kept.
const RACES_KEPT: usize = 2_048;

/// Sequences of races, by number, reversed; and how many bad runs have each.
type Sequences = Vec<(Vec<usize>, u128)>;

/// Those that cover most bad runs, as many as there is room for, and whether some were dropped.
fn most_common(mut sequences: Sequences) -> (Sequences, bool) {
    let longest = sequences.iter().map(|(races, _)| races.len()).max();
    let room = (RACES_KEPT / longest.unwrap_or(0).max(1)).clamp(1, KEPT);
    sequences.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let dropped = sequences.len() > room;
    sequences.truncate(room);
    (sequences, dropped)
}

/// Per node, the last one that leads to it; nobody asks for its sequences after that.
fn last_parents(dag: &Dag) -> Vec<NodeId> {
    let mut last: Vec<NodeId> = (0..dag.nodes.len()).collect();
    for (id, node) in dag.nodes.iter().enumerate() {
        for branch in &node.branches {
            last[branch.to] = id;
        }
    }
    last
}

/// All sequences of decisive races, grouped by source position: shortest first, then those that cover most bad runs. The flag says whether some were dropped.
pub fn groups(dag: &Dag) -> (Vec<Group>, bool) {
    // Sequences are built from the end of the run, so they stand reversed until the last line.
    let last_parent = last_parents(dag);
    let mut races: Vec<(Label, Vec<Path>)> = Vec::new();
    let mut number: FxHashMap<(Label, Vec<Path>), usize> = FxHashMap::default();
    let mut below: Vec<Sequences> = Vec::with_capacity(dag.nodes.len());
    let mut dropped = false;
    for (id, node) in dag.nodes.iter().enumerate() {
        if node.branches.is_empty() {
            let runs = if node.bad > 0 {
                vec![(Vec::new(), 1)]
            } else {
                Vec::new()
            };
            below.push(runs);
            continue;
        }
        let label = dag.label(id);
        let race = label.is_decisive().then(|| {
            let mut paths: Vec<Path> = node.branches.iter().map(|b| b.path.clone()).collect();
            paths.sort_unstable();
            paths.dedup();
            *number.entry((label, paths)).or_insert_with_key(|race| {
                races.push(race.clone());
                races.len() - 1
            })
        });
        let mut sum: FxHashMap<Vec<usize>, u128> = FxHashMap::default();
        for branch in &node.branches {
            for (sequence, runs) in &below[branch.to] {
                let mut sequence = sequence.clone();
                sequence.extend(race);
                let total = sum.entry(sequence).or_default();
                *total = total.saturating_add(*runs);
            }
        }
        let (sequences, some_dropped) = most_common(sum.into_iter().collect());
        dropped |= some_dropped;
        below.push(sequences);
        for branch in node.branches.iter().filter(|b| last_parent[b.to] == id) {
            below[branch.to] = Sequences::new();
        }
    }
    let mut found: Vec<Group> = below
        .pop()
        .unwrap_or_default()
        .into_iter()
        .map(|(sequence, runs)| Group {
            races: sequence
                .into_iter()
                .rev()
                .map(|r| races[r].clone())
                .collect(),
            runs,
        })
        .collect();
    found.sort_by(|a, b| {
        let key = |g: &Group| (g.races.len(), Reverse(g.runs));
        key(a).cmp(&key(b)).then_with(|| a.races.cmp(&b.races))
    });
    (found, dropped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sequences_are_kept_in_smaller_numbers() {
        let of_length = |length: usize| -> Sequences {
            let one = |n: usize| (vec![n; length], n as u128);
            (1..=200).map(one).collect()
        };
        for (length, kept) in [(0, 128), (16, 128), (32, 64), (1_000, 2), (5_000, 1)] {
            let (sequences, dropped) = most_common(of_length(length));
            let runs: Vec<u128> = sequences.iter().map(|(_, runs)| *runs).collect();
            let most: Vec<u128> = (1..=200).rev().take(kept).collect();
            assert_eq!((runs, dropped), (most, true), "{length}");
        }
        let few = vec![(vec![1, 2], 3)];
        assert_eq!(most_common(few.clone()), (few, false));
    }
}
