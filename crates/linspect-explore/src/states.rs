//! The states of a client as a graph, breadth first, and its strongly connected components (Tarjan: "Depth-first search and linear graph algorithms", 1972).
//!
//! States are compared by their fingerprints. Steps in which an operation returns are kept apart: no cycle has one, because a client has so many operations and no more.

use linspect_core::check::Budget;
use linspect_core::machine::{Blocked, Machine, Status};
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A state and the steps from it.
pub(crate) struct State {
    /// The state and the step by which it was reached first; none for the start.
    from: Option<(usize, Choice)>,
    pub(crate) statuses: Vec<Standing>,
    /// Steps in which no operation returns, and where they lead.
    pub(crate) steps: Vec<(Choice, usize)>,
    /// Steps in which one does.
    pub(crate) returns: Vec<(Choice, usize)>,
}

/// Whether a thread can go on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    Ready,
    /// It waits for others.
    Blocked,
    /// It never goes on, and that is no fault of anybody.
    Halted,
    /// It may end the process at any time, though it does so only when nobody else can go on.
    Leaving,
    Done,
}

/// The states of a client.
pub(crate) struct Graph {
    pub(crate) states: Vec<State>,
    /// Whether these are all.
    pub(crate) complete: bool,
}

impl Graph {
    /// The states that can be reached from where `machine` stands, at most so many.
    pub(crate) fn explore<M: Machine>(machine: &mut M, most: usize, budget: &dyn Budget) -> Self {
        let mut graph = Self {
            states: Vec::new(),
            complete: true,
        };
        let mut known = FxHashMap::default();
        known.insert(machine.fingerprint(), 0);
        graph.add(machine, None);
        let mut waiting = VecDeque::from([(0, machine.snapshot())]);
        while let Some((from, here)) = waiting.pop_front() {
            if budget.exhausted(0).is_some() {
                graph.complete = false;
                break;
            }
            for choice in graph.choices(machine, from, &here) {
                machine.restore(&here);
                let step = machine.step(choice);
                if step.fault.is_some() {
                    graph.complete = false;
                    continue;
                }
                let state = machine.fingerprint();
                let next = graph.states.len();
                let to = match known.get(&state) {
                    Some(&to) => to,
                    None if next == most => {
                        graph.complete = false;
                        continue;
                    }
                    None => {
                        known.insert(state, next);
                        graph.add(machine, Some((from, choice)));
                        waiting.push_back((next, machine.snapshot()));
                        next
                    }
                };
                let steps = match step.returned {
                    None => &mut graph.states[from].steps,
                    Some(_) => &mut graph.states[from].returns,
                };
                steps.push((choice, to));
            }
        }
        graph
    }

    fn add<M: Machine>(&mut self, machine: &M, from: Option<(usize, Choice)>) {
        let standing = |thread| match machine.status(thread) {
            Status::Ready => Standing::Ready,
            Status::Blocked(Blocked::Assumption | Blocked::Parked) => Standing::Halted,
            Status::Blocked(Blocked::Exit(_)) => Standing::Leaving,
            Status::Blocked(_) => Standing::Blocked,
            Status::Done => Standing::Done,
        };
        self.states.push(State {
            from,
            statuses: (0..machine.threads() as ThreadId).map(standing).collect(),
            steps: Vec::new(),
            returns: Vec::new(),
        });
    }

    /// Whether a thread stands so in some state.
    pub(crate) fn has(&self, standing: Standing) -> bool {
        let mut all = self.states.iter().flat_map(|state| &state.statuses);
        all.any(|one| *one == standing)
    }

    /// The threads that are not done at the start.
    pub(crate) fn not_done(&self) -> Vec<ThreadId> {
        let standings = self.states[0].statuses.iter().enumerate();
        let not_done = standings.filter(|(_, standing)| **standing != Standing::Done);
        not_done.map(|(thread, _)| thread as ThreadId).collect()
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
    pub(crate) fn inner<'a>(
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

    /// The steps by which `state` was reached first: as few as possible.
    pub(crate) fn way_to(&self, state: usize) -> Vec<Choice> {
        let (mut way, mut at) = (Vec::new(), state);
        while let Some((from, choice)) = self.states[at].from {
            way.push(choice);
            at = from;
        }
        way.reverse();
        way
    }

    /// The members of each component, sorted.
    pub(crate) fn members(&self) -> Vec<Vec<usize>> {
        let components = self.components();
        let count = components.iter().max().map_or(0, |last| last + 1);
        let mut members = vec![Vec::new(); count];
        for (state, &component) in components.iter().enumerate() {
            members[component].push(state);
        }
        members
    }

    /// The steps that lead to the component `members`, and then around in it, with a step of everybody who takes any.
    pub(crate) fn lasso(&self, members: &[usize]) -> Schedule {
        let entry = members[0];
        let mut stem = self.way_to(entry);
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
