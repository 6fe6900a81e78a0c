//! Progress: whether operations return however threads are scheduled, from the graph of a client's states under sequential consistency.
//!
//! Herlihy and Shavit ("On the nature of progress", 2011) order the promises. *Obstruction-free*: a thread that runs alone from any state on returns. It is broken by
//! a thread that waits for another, and by a cycle of states that one thread goes round alone. *Lock-free*: whoever runs, somebody returns. It is broken by any cycle, for no step in a
//! cycle is a return. *Wait-free*: everybody returns within a number of own steps that does not depend on what others do. A client has so many operations and no more, so no cycle
//! breaks this; it is taken for broken if each further operation of another thread lets one operation take more steps, `ROUNDS` times in a row.

use crate::states::{Graph, Standing};
use linspect_core::check::Budget;
use linspect_core::client::{Client, Invocation};
use linspect_core::machine::{Machine, StartError, Subject};
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use std::fmt;
use std::str::FromStr;

/// How many states of a client are looked at.
const MOST_STATES: usize = 50_000;

/// How many rounds another thread makes at most around one operation.
const ROUNDS: usize = 4;

/// What the operations of an object promise, the strongest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProgressGuarantee {
    /// Whoever runs alone returns.
    ObstructionFree,
    /// Whoever runs, somebody returns.
    LockFree,
    /// Everybody returns, whatever others do.
    WaitFree,
}

impl fmt::Display for ProgressGuarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ObstructionFree => "obstruction-free",
            Self::LockFree => "lock-free",
            Self::WaitFree => "wait-free",
        })
    }
}

impl FromStr for ProgressGuarantee {
    type Err = ();

    /// `lock_free` or `lock-free`.
    fn from_str(text: &str) -> Result<Self, ()> {
        match text.replace('_', "-").as_str() {
            "obstruction-free" => Ok(Self::ObstructionFree),
            "lock-free" => Ok(Self::LockFree),
            "wait-free" => Ok(Self::WaitFree),
            _ => Err(()),
        }
    }
}

/// A run that shows that operations need not return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stall {
    /// The way there and, for a cycle, once around.
    pub schedule: Schedule,
    /// What keeps operations from returning.
    pub kind: StallKind,
}

/// What keeps operations from returning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StallKind {
    /// After the run this thread waits for others, who need not go on.
    Waits(ThreadId),
    /// The last so many steps lead back to where they began, and nobody returns in them.
    Round(usize),
    /// The first operation of the first thread takes so many own steps at most, the more rounds others make.
    Grows(Vec<usize>),
}

/// What is known of one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientProgress {
    /// The guarantee holds in all of its states, of which there are so many.
    Kept(usize),
    /// It does not.
    Stalled(Stall),
    /// There are more states than were looked at.
    Undecided,
}

/// Whether the operations of the client that `machine` stands at the start of return as `guarantee` says. Of wait-freedom only what follows from lock-freedom is decided: the rest
/// takes several clients ([`overtaken`]).
pub fn of_client<M: Machine>(
    machine: &mut M,
    guarantee: ProgressGuarantee,
    budget: &dyn Budget,
) -> ClientProgress {
    let graph = Graph::explore(machine, MOST_STATES, budget);
    match waits(&graph).or_else(|| goes_round(&graph, guarantee)) {
        Some(stall) => ClientProgress::Stalled(stall),
        None if graph.complete => ClientProgress::Kept(graph.states.len()),
        None => ClientProgress::Undecided,
    }
}

/// The shortest way to a state in which a thread waits.
fn waits(graph: &Graph) -> Option<Stall> {
    let waits = |state: usize| {
        let mut statuses = graph.states[state].statuses.iter();
        statuses.position(|standing| *standing == Standing::Blocked)
    };
    let (state, thread) = (0..graph.states.len()).find_map(|s| Some((s, waits(s)?)))?;
    Some(Stall {
        schedule: Schedule(graph.way_to(state)),
        kind: StallKind::Waits(thread as ThreadId),
    })
}

/// A cycle that breaks `guarantee`: of one thread alone, or of any.
fn goes_round(graph: &Graph, guarantee: ProgressGuarantee) -> Option<Stall> {
    if guarantee > ProgressGuarantee::ObstructionFree {
        return cycle(graph, &|_| true);
    }
    let threads = graph.states.iter().map(|s| s.statuses.len()).max();
    (0..threads? as ThreadId).find_map(|thread| cycle(graph, &|choice| choice.thread == thread))
}

/// A cycle of steps that are `allowed`, if there is one: a depth-first walk that comes back to a state on its own path.
fn cycle(graph: &Graph, allowed: &dyn Fn(Choice) -> bool) -> Option<Stall> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        OnPath,
        Left,
    }
    let mut seen = vec![Seen::No; graph.states.len()];
    for root in 0..graph.states.len() {
        if seen[root] != Seen::No {
            continue;
        }
        seen[root] = Seen::OnPath;
        // States with how many of their steps were tried, and the steps between them.
        let (mut path, mut taken) = (vec![(root, 0)], Vec::new());
        while let Some((state, tried)) = path.last_mut() {
            let Some(&(choice, to)) = graph.states[*state].steps.get(*tried) else {
                seen[*state] = Seen::Left;
                path.pop();
                taken.pop();
                continue;
            };
            *tried += 1;
            if !allowed(choice) {
                continue;
            }
            match seen[to] {
                Seen::Left => {}
                Seen::No => {
                    seen[to] = Seen::OnPath;
                    path.push((to, 0));
                    taken.push(choice);
                }
                Seen::OnPath => {
                    taken.push(choice);
                    let from = path.iter().position(|(state, _)| *state == to)?;
                    let around = &taken[from..];
                    let mut way = graph.way_to(to);
                    way.extend(around);
                    return Some(Stall {
                        kind: StallKind::Round(around.len()),
                        schedule: Schedule(way),
                    });
                }
            }
        }
    }
    None
}

/// Whether `operation` takes more and more own steps the more often another thread makes `round` meanwhile, after `before`; the last client that was tried shows it.
pub fn overtaken<S: Subject>(
    subject: &S,
    before: &[Invocation],
    operation: &Invocation,
    round: &[Invocation],
    budget: &dyn Budget,
) -> Result<Overtaking, StartError> {
    let mut most: Vec<usize> = Vec::new();
    let mut last = None;
    for rounds in 1..=ROUNDS {
        let client = Client {
            before: before.to_vec(),
            threads: vec![vec![operation.clone()], repeated(round, rounds)],
            ..Client::default()
        };
        let graph = Graph::explore(&mut subject.start(&client)?, MOST_STATES, budget);
        if !graph.complete {
            return Ok(Overtaking::Undecided(client));
        }
        if cycle(&graph, &|_| true).is_some() {
            return Ok(Overtaking::No);
        }
        let way = longest(&graph);
        let own = way.iter().filter(|choice| choice.thread == 0).count();
        if most.last().is_some_and(|before| own <= *before) {
            return Ok(Overtaking::No);
        }
        most.push(own);
        last = Some((client, way));
    }
    Ok(last.map_or(Overtaking::No, |(client, way)| {
        let (schedule, kind) = (Schedule(way), StallKind::Grows(most));
        Overtaking::Yes(client, Stall { schedule, kind })
    }))
}

/// Whether others can keep an operation from returning by calling something again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overtaking {
    /// It takes no more steps the more often they do.
    No,
    /// It takes more steps each time, as the run of this client shows.
    Yes(Client, Stall),
    /// This client has too many states, or there was no time for it.
    Undecided(Client),
}

fn repeated(round: &[Invocation], rounds: usize) -> Vec<Invocation> {
    let all = std::iter::repeat_n(round, rounds);
    all.flatten().cloned().collect()
}

/// The most steps from a state on, and the first of them with where it leads.
type Longest = (usize, Option<(Choice, usize)>);

/// The way from the start to the return of the first thread's operation on which it takes most steps. There are no cycles.
fn longest(graph: &Graph) -> Vec<Choice> {
    let count = graph.states.len();
    let mut best: Vec<Option<Longest>> = vec![None; count];
    let mut path = vec![0];
    while let Some(&state) = path.last() {
        let at = &graph.states[state];
        // Where the operation returns, the way ends.
        let ends = |choice: Choice| choice.thread == 0;
        let inner = at.steps.iter().map(|&(choice, to)| (choice, to, false));
        let outer = at
            .returns
            .iter()
            .map(|&(choice, to)| (choice, to, ends(choice)));
        let ways: Vec<(Choice, usize, bool)> = inner.chain(outer).collect();
        let open: Vec<usize> = ways
            .iter()
            .filter(|(_, to, end)| !end && best[*to].is_none())
            .map(|(_, to, _)| *to)
            .collect();
        if !open.is_empty() {
            path.extend(open);
            continue;
        }
        path.pop();
        let after = |to: usize, end: bool| match end {
            true => 0,
            false => best[to].map_or(0, |(steps, _)| steps),
        };
        let valued = ways.iter().map(|&(choice, to, end)| {
            let steps = usize::from(choice.thread == 0) + after(to, end);
            (steps, Some((choice, if end { usize::MAX } else { to })))
        });
        best[state] = Some(valued.max_by_key(|(steps, _)| *steps).unwrap_or((0, None)));
    }
    let (mut way, mut at) = (Vec::new(), 0);
    while let Some(Some((_, Some((choice, to))))) = best.get(at) {
        way.push(*choice);
        at = *to;
    }
    way
}
