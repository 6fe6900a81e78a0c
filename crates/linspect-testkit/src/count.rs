//! How many runs there are: classes of equivalent ones, and interleavings one by one.

use crate::client::Client;
use crate::code::Code;
use crate::judge::Judge;
use crate::machine::{Access, Location, Rules, Run, State, Stepped};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What happened before a step: how many steps of each thread.
type Clock = Vec<u8>;

/// A run up to here: its state, and what happened before each step of each thread.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Prefix {
    state: State,
    steps: Vec<Vec<Clock>>,
    /// Per location, what was done there so far.
    seen: BTreeMap<Location, Seen>,
}

/// Accesses to a location, each with everything before it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Seen {
    /// The last write.
    write: Clock,
    /// The reads since.
    reads: Clock,
    /// The additions since, if they may change places.
    additions: Clock,
}

/// Whether the order of additions to one location makes runs different.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Additions {
    Ordered,
    Unordered,
}

fn join(clock: &mut Clock, other: &Clock) {
    for (a, b) in clock.iter_mut().zip(other) {
        *a = (*a).max(*b);
    }
}

impl Prefix {
    fn add(&mut self, thread: usize, accesses: &[Access], additions: Additions) {
        let width = self.steps.len();
        let mut clock = self.steps[thread]
            .last()
            .cloned()
            .unwrap_or_else(|| vec![0; width]);
        let changes_places = |access: &Access| access.adds && additions == Additions::Unordered;
        for access in accesses {
            if let Some(seen) = self.seen.get(&access.location) {
                join(&mut clock, &seen.write);
                if access.writes {
                    join(&mut clock, &seen.reads);
                }
                if !changes_places(access) {
                    join(&mut clock, &seen.additions);
                }
            }
        }
        clock[thread] += 1;
        for access in accesses {
            let nothing = || Seen {
                write: vec![0; width],
                reads: vec![0; width],
                additions: vec![0; width],
            };
            let seen = self.seen.entry(access.location).or_insert_with(nothing);
            if changes_places(access) {
                join(&mut seen.additions, &clock);
            } else if access.writes {
                seen.write.clone_from(&clock);
            } else {
                join(&mut seen.reads, &clock);
            }
        }
        self.steps[thread].push(clock);
    }
}

/// How many classes of runs a client has: runs are equivalent if they differ only in the order of accesses of which neither is a write to what both access.
/// Nothing if there are more than `most` beginnings of runs.
pub fn classes(code: &Code<'_>, client: &Client, rules: &Rules, most: usize) -> Option<usize> {
    count(code, client, rules, most, Additions::Ordered)
}

/// The same where additions to one location may change places, whoever uses what they read: there are no fewer classes than these.
pub fn classes_at_least(
    code: &Code<'_>,
    client: &Client,
    rules: &Rules,
    most: usize,
) -> Option<usize> {
    count(code, client, rules, most, Additions::Unordered)
}

fn count(
    code: &Code<'_>,
    client: &Client,
    rules: &Rules,
    most: usize,
    additions: Additions,
) -> Option<usize> {
    let run = Run::new(code, client, rules);
    let first = Prefix {
        state: run.start()?,
        steps: vec![Vec::new(); client.threads.len() + 1],
        seen: BTreeMap::new(),
    };
    let mut known = HashSet::from([first.clone()]);
    let mut open = vec![first];
    let mut classes = HashSet::new();
    while let Some(prefix) = open.pop() {
        let mut is_last = true;
        for thread in run.threads(&prefix.state) {
            let mut next = prefix.clone();
            let mut accesses = Vec::new();
            match run.step(&mut next.state, thread, &mut accesses) {
                Stepped::Blocked => continue,
                Stepped::Wrong(_) => {
                    next.add(thread, &accesses, additions);
                    classes.insert(next.steps);
                }
                Stepped::Done => {
                    next.add(thread, &accesses, additions);
                    if known.len() == most {
                        return None;
                    }
                    if known.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
            is_last = false;
        }
        if is_last {
            classes.insert(prefix.steps);
        }
    }
    Some(classes.len())
}

/// How many ways there are to go on after the steps of these threads, and how many of them end well and badly. Nothing if the steps cannot be made.
pub fn continuations(
    code: &Code<'_>,
    client: &Client,
    rules: &Rules,
    judge: &mut Judge<'_>,
    schedule: &[usize],
) -> Option<(u64, u64)> {
    let run = Run::new(code, client, rules);
    let mut state = run.start()?;
    for &thread in schedule {
        if !run.threads(&state).contains(&thread) {
            return None;
        }
        match run.step(&mut state, thread, &mut Vec::new()) {
            Stepped::Done => {}
            Stepped::Blocked => return None,
            Stepped::Wrong(_) => return Some((0, 1)),
        }
    }
    let mut known = HashMap::new();
    Some(ends(&run, client, judge, &state, &mut known))
}

/// The same, with every run made by itself and nothing remembered. Nothing if there are more than `most` runs.
pub fn every_continuation(
    code: &Code<'_>,
    client: &Client,
    rules: &Rules,
    judge: &mut Judge<'_>,
    schedule: &[usize],
    most: u64,
) -> Option<(u64, u64)> {
    let run = Run::new(code, client, rules);
    let (mut good, mut bad) = (0, 0);
    // Runs that are not over, each with how many of the given steps it still has to make.
    let mut open = vec![(run.start()?, schedule)];
    while let Some((state, given)) = open.pop() {
        if good + bad > most {
            return None;
        }
        if run.is_over(&state) {
            match judge.is_linearizable(client, &state.operations) {
                true => good += 1,
                false => bad += 1,
            }
            continue;
        }
        let (threads, rest) = match given {
            [thread, rest @ ..] => (vec![*thread], rest),
            [] => (run.threads(&state), given),
        };
        let mut moved = false;
        for thread in threads {
            let mut next = state.clone();
            match run.step(&mut next, thread, &mut Vec::new()) {
                Stepped::Blocked => continue,
                Stepped::Wrong(_) => bad += 1,
                Stepped::Done => open.push((next, rest)),
            }
            moved = true;
        }
        bad += u64::from(!moved);
    }
    Some((good, bad))
}

fn ends(
    run: &Run<'_>,
    client: &Client,
    judge: &mut Judge<'_>,
    state: &State,
    known: &mut HashMap<State, (u64, u64)>,
) -> (u64, u64) {
    if let Some(counts) = known.get(state) {
        return *counts;
    }
    if run.is_over(state) {
        return match judge.is_linearizable(client, &state.operations) {
            true => (1, 0),
            false => (0, 1),
        };
    }
    let (mut good, mut bad) = (0_u64, 0_u64);
    let mut moved = false;
    for thread in run.threads(state) {
        let mut next = state.clone();
        match run.step(&mut next, thread, &mut Vec::new()) {
            Stepped::Blocked => continue,
            Stepped::Wrong(_) => bad += 1,
            Stepped::Done => {
                let (g, b) = ends(run, client, judge, &next, known);
                good = good.saturating_add(g);
                bad = bad.saturating_add(b);
            }
        }
        moved = true;
    }
    if !moved {
        bad = 1;
    }
    known.insert(state.clone(), (good, bad));
    (good, bad)
}
