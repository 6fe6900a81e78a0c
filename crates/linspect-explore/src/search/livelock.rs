//! Runs that go on for ever although every thread takes part: livelocks.
//!
//! Operations that give way to each other may do so for ever. Such a run comes back to a state that it was in. So the states of a client are divided into
//! strongly connected components ([`crate::states`]), without the steps in which an operation returns. A component is a livelock if every thread either takes a step in it or is unable to everywhere in it: threads can
//! stay in it for ever, and whoever can go on time and again does so (strong fairness). Where there are too many, those that were seen are looked at: what is
//! found is a livelock, but nothing follows if none is.
//!
//! Of a program that is asked for less: its threads may give way to each other as its author meant it, as those do that take several locks at once. A livelock of it is a component that no step leads out of.

use crate::states::{Graph, Standing};
use linspect_core::check::Budget;
use linspect_core::machine::Machine;
use linspect_core::schedule::{Schedule, ThreadId};

/// How many states are looked at.
const MOST_STATES: usize = 20_000;

/// The steps into a livelock of the client that `machine` stands at the start of, or of the program if it `is_program`, and once around, if one is found within the budget.
pub(super) fn find<M: Machine>(
    machine: &mut M,
    is_program: bool,
    budget: &dyn Budget,
) -> Option<Schedule> {
    let graph = Graph::explore(machine, MOST_STATES, budget);
    let is_livelock = |members: &[usize]| match is_program {
        true => graph.complete && has_no_way_out(&graph, members),
        false => is_fair(&graph, members),
    };
    let mut all = graph.members();
    all.retain(|members| is_livelock(members) && !is_excused(&graph, members));
    all.sort_by_key(|members| members[0]);
    all.first().map(|members| graph.lasso(members))
}

/// Whether somebody may end the process while others are in `members`, or waits for an assumption.
fn is_excused(graph: &Graph, members: &[usize]) -> bool {
    let excused = |standing: &Standing| matches!(standing, Standing::Halted | Standing::Leaving);
    let states = members.iter().map(|state| &graph.states[*state]);
    states.flat_map(|state| &state.statuses).any(excused)
}

/// Whether threads stay in the component `members` for ever whoever goes on.
fn has_no_way_out(graph: &Graph, members: &[usize]) -> bool {
    let steps = members.iter().map(|state| graph.states[*state].steps.len());
    let returns = |state: &usize| !graph.states[*state].returns.is_empty();
    let inner = graph.inner(members).count();
    inner > 0 && inner == steps.sum::<usize>() && !members.iter().any(returns)
}

/// Whether threads can stay in the component `members` for ever, each as often as it could go on.
fn is_fair(graph: &Graph, members: &[usize]) -> bool {
    let moves = |thread: ThreadId| {
        let mut inner = graph.inner(members);
        inner.any(|(_, choice, _)| choice.thread == thread)
    };
    let rests = |thread: usize| {
        let standing = |state: &usize| graph.states[*state].statuses.get(thread).copied();
        members
            .iter()
            .all(|state| standing(state) != Some(Standing::Ready))
    };
    let threads = graph.states[members[0]].statuses.len();
    graph.inner(members).next().is_some()
        && (0..threads).all(|thread| moves(thread as ThreadId) || rests(thread))
}
