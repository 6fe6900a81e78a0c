//! Runs that go on for ever although every thread takes part: livelocks.
//!
//! Operations that give way to each other may do so for ever. Such a run comes back to a state that it was in. So the states of a client are walked
//! through, breadth first, and divided into strongly connected components (Tarjan: "Depth-first search and linear graph algorithms", 1972), without the
//! steps in which an operation returns. A component is a livelock if every thread either takes a step in it or is unable to everywhere in it: threads can
//! stay in it for ever, and whoever can go on time and again does so (strong fairness). States are compared by their fingerprints. Where there are too many, those that were seen are looked at: what is
//! found is a livelock, but nothing follows if none is.

use linspect_core::check::Budget;
use linspect_core::machine::{Machine, Status};
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How many states are looked at.
const MOST_STATES: usize = 20_000;

/// The steps into a livelock of the client that `machine` stands at the start of, and once around, if one is found within the budget.
pub(super) fn find<M: Machine>(machine: &mut M, budget: &dyn Budget) -> Option<Schedule> {
    let graph = Graph::explore(machine, budget);
    let components = graph.components();
    let count = components.iter().max().map_or(0, |last| last + 1);
    let mut members = vec![Vec::new(); count];
    for (state, &component) in components.iter().enumerate() {
        members[component].push(state);
    }
    let mut fair: Vec<&Vec<usize>> = members.iter().filter(|m| graph.is_fair(m)).collect();
    fair.sort_by_key(|members| members[0]);
    fair.first().map(|members| graph.lasso(members))
}

/// A state and the steps from it.
struct State {
    /// The state and the step by which it was reached first; none for the start.
    from: Option<(usize, Choice)>,
    statuses: Vec<Standing>,
    /// Steps in which no operation returns, and where they lead.
    steps: Vec<(Choice, usize)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Ready,
    Blocked,
    Done,
}

struct Graph {
    states: Vec<State>,
}

impl Graph {
    fn explore<M: Machine>(machine: &mut M, budget: &dyn Budget) -> Self {
        let mut graph = Self { states: Vec::new() };
        let mut known = FxHashMap::default();
        known.insert(machine.fingerprint(), 0);
        graph.add(machine, None);
        let mut waiting = VecDeque::from([(0, machine.snapshot())]);
        while let Some((from, here)) = waiting.pop_front() {
            if budget.exhausted(0).is_some() {
                break;
            }
            for choice in graph.choices(machine, from, &here) {
                machine.restore(&here);
                let step = machine.step(choice);
                if step.fault.is_some() {
                    continue;
                }
                let state = machine.fingerprint();
                let next = graph.states.len();
                let to = match known.get(&state) {
                    Some(&to) => to,
                    None if next == MOST_STATES => continue,
                    None => {
                        known.insert(state, next);
                        graph.add(machine, Some((from, choice)));
                        waiting.push_back((next, machine.snapshot()));
                        next
                    }
                };
                if step.returned.is_none() {
                    graph.states[from].steps.push((choice, to));
                }
            }
        }
        graph
    }

    fn add<M: Machine>(&mut self, machine: &M, from: Option<(usize, Choice)>) {
        let standing = |thread| match machine.status(thread) {
            Status::Ready => Standing::Ready,
            Status::Blocked(_) => Standing::Blocked,
            Status::Done => Standing::Done,
        };
        self.states.push(State {
            from,
            statuses: (0..machine.threads() as ThreadId).map(standing).collect(),
            steps: Vec::new(),
        });
    }

    /// The ways on from `state`.
    fn choices<M: Machine>(
        &self,
        machine: &mut M,
        state: usize,
        here: &M::Snapshot,
    ) -> Vec<Choice> {
        machine.restore(here);
        let statuses = self.states[state].statuses.iter().enumerate();
        let ready = statuses.filter(|(_, standing)| **standing == Standing::Ready);
        ready
            .map(|(thread, _)| thread as ThreadId)
            .flat_map(|thread| {
                let count = machine.alternatives(thread);
                (0..count).map(move |branch| Choice { thread, branch })
            })
            .collect()
    }

    /// Per state, the number of its component.
    fn components(&self) -> Vec<usize> {
        const NONE: usize = usize::MAX;
        let count = self.states.len();
        let (mut index, mut low) = (vec![NONE; count], vec![0; count]);
        let mut component = vec![NONE; count];
        let (mut open, mut next, mut found) = (Vec::new(), 0, 0);
        for root in 0..count {
            if index[root] != NONE {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some((state, at)) = path.last_mut() {
                let state = *state;
                if *at == 0 {
                    (index[state], low[state]) = (next, next);
                    next += 1;
                    open.push(state);
                }
                if let Some(&(_, to)) = self.states[state].steps.get(*at) {
                    *at += 1;
                    if index[to] == NONE {
                        path.push((to, 0));
                    } else if component[to] == NONE {
                        low[state] = low[state].min(index[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent] = low[parent].min(low[state]);
                }
                if low[state] == index[state] {
                    while let Some(member) = open.pop() {
                        component[member] = found;
                        if member == state {
                            break;
                        }
                    }
                    found += 1;
                }
            }
        }
        component
    }

    /// The steps of the component `members` that stay in it.
    fn inner<'a>(
        &'a self,
        members: &'a [usize],
    ) -> impl Iterator<Item = (usize, Choice, usize)> + 'a {
        members.iter().flat_map(move |&state| {
            let steps = self.states[state].steps.iter();
            steps
                .filter(move |(_, to)| members.binary_search(to).is_ok())
                .map(move |&(choice, to)| (state, choice, to))
        })
    }

    /// Whether threads can stay in the component `members` for ever, each as often as it could go on.
    fn is_fair(&self, members: &[usize]) -> bool {
        let moves = |thread: ThreadId| {
            let mut inner = self.inner(members);
            inner.any(|(_, choice, _)| choice.thread == thread)
        };
        let rests = |thread: usize| {
            let standing = |state: &usize| self.states[*state].statuses.get(thread).copied();
            members
                .iter()
                .all(|state| standing(state) != Some(Standing::Ready))
        };
        let threads = self.states[members[0]].statuses.len();
        self.inner(members).next().is_some()
            && (0..threads).all(|thread| moves(thread as ThreadId) || rests(thread))
    }

    /// The steps that lead to the component `members`, and then around in it, with a step of everybody who takes any.
    fn lasso(&self, members: &[usize]) -> Schedule {
        let entry = members[0];
        let mut stem = Vec::new();
        let mut at = entry;
        while let Some((from, choice)) = self.states[at].from {
            stem.push(choice);
            at = from;
        }
        stem.reverse();
        let statuses = self.states[entry].statuses.iter().enumerate();
        let threads: Vec<ThreadId> = statuses
            .filter(|(_, standing)| **standing != Standing::Done)
            .map(|(thread, _)| thread as ThreadId)
            .collect();
        let mut around = Vec::new();
        let mut at = entry;
        for &thread in &threads {
            let taken = |choice: &Choice| choice.thread == thread;
            let moves = self.inner(members).any(|(_, choice, _)| taken(&choice));
            if moves && !around.iter().any(taken) {
                at = self.walk(members, at, &|choice, _| taken(&choice), &mut around);
            }
        }
        if at != entry || around.is_empty() {
            self.walk(members, at, &|_, to| to == entry, &mut around);
        }
        stem.extend(around);
        Schedule(stem)
    }

    /// Goes the shortest way from `from`, within `members`, that ends with a step that is `wanted`; adds it to `path` and says where it ends.
    fn walk(
        &self,
        members: &[usize],
        from: usize,
        wanted: &dyn Fn(Choice, usize) -> bool,
        path: &mut Vec<Choice>,
    ) -> usize {
        let mut reached: FxHashMap<usize, (usize, Choice)> = FxHashMap::default();
        let mut waiting = VecDeque::from([from]);
        while let Some(state) = waiting.pop_front() {
            for &(choice, to) in &self.states[state].steps {
                if members.binary_search(&to).is_err() {
                    continue;
                }
                if wanted(choice, to) {
                    let mut way = vec![choice];
                    let mut at = state;
                    while at != from {
                        let (before, choice) = reached[&at];
                        way.push(choice);
                        at = before;
                    }
                    path.extend(way.into_iter().rev());
                    return to;
                }
                if to != from && !reached.contains_key(&to) {
                    reached.insert(to, (state, choice));
                    waiting.push_back(to);
                }
            }
        }
        unreachable!("every state of a component leads to every step of it")
    }
}
