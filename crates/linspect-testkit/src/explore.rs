//! All interleavings, one state at a time: states that were reached before are not entered again.

use crate::client::Client;
use crate::code::Code;
use crate::machine::{Fault, Operation, Rules, Run, State, Stepped};
use std::collections::{BTreeSet, HashMap};

/// What the clients saw of one run: per operation, in the order of the client, what had returned before it, and its result.
pub type History = Vec<Operation>;

/// What all interleavings came to.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// The histories of runs that ended.
    pub histories: BTreeSet<History>,
    /// What went wrong by itself.
    pub faults: BTreeSet<Fault>,
    /// Where runs come to wait for ever: what was seen until then, and the operations that wait.
    pub stuck: BTreeSet<(History, Vec<usize>)>,
    /// How many states there are.
    pub states: usize,
}

/// Walks all interleavings. Nothing if there are more than `most` states, or if what comes before the threads does not end.
pub fn explore(code: &Code<'_>, client: &Client, rules: &Rules, most: usize) -> Option<Explored> {
    let run = Run::new(code, client, rules);
    let start = run.start()?;
    let mut explored = Explored::default();
    let mut known: HashMap<State, usize> = HashMap::from([(start.clone(), 0)]);
    // What has been seen in each state, who leads to it, and where runs end well or badly.
    let mut seen: Vec<(History, Vec<usize>)> =
        vec![(start.operations.clone(), run.pending(&start))];
    let mut from: Vec<Vec<usize>> = vec![Vec::new()];
    let mut ends: Vec<usize> = Vec::new();
    let mut open = vec![(start, 0)];
    while let Some((state, number)) = open.pop() {
        if run.is_over(&state) {
            ends.push(number);
            explored.histories.insert(state.operations);
            continue;
        }
        if run.races(&state) {
            explored.faults.insert(Fault::Race);
        }
        for thread in run.threads(&state) {
            let mut next = state.clone();
            match run.step(&mut next, thread, &mut Vec::new()) {
                Stepped::Blocked => {}
                Stepped::Wrong(fault) => {
                    explored.faults.insert(fault);
                    ends.push(number);
                }
                Stepped::Done => {
                    let fresh = known.len();
                    let at = *known.entry(next.clone()).or_insert(fresh);
                    if at == fresh {
                        if fresh == most {
                            return None;
                        }
                        from.push(Vec::new());
                        seen.push((next.operations.clone(), run.pending(&next)));
                        open.push((next, fresh));
                    }
                    from[at].push(number);
                }
            }
        }
    }
    explored.states = known.len();
    let ending = reaching(&from, ends);
    // Where more will be seen, waiting has not begun.
    let more = |(at, before): (usize, &Vec<usize>)| {
        let changes = |&&b: &&usize| seen[b] != seen[at];
        before.iter().filter(changes).copied().collect::<Vec<_>>()
    };
    let changing = from.iter().enumerate().flat_map(more).collect();
    let changing = reaching(&from, changing);
    for (state, what) in seen.into_iter().enumerate() {
        if !ending[state] && !changing[state] {
            explored.stuck.insert(what);
        }
    }
    Some(explored)
}

/// Which states lead to one of `ends`.
fn reaching(from: &[Vec<usize>], ends: Vec<usize>) -> Vec<bool> {
    let mut reaching = vec![false; from.len()];
    let mut open = ends;
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut reaching[state], true) {
            open.extend(&from[state]);
        }
    }
    reaching
}
