//! Runs that go on for ever although every thread takes part: livelocks.
//!
//! Operations that give way to each other may do so for ever. Such a run comes back to a state that it was in. So the states of a client are divided into
//! strongly connected components ([`crate::states`]), without the steps in which an operation returns. A component is a livelock if every thread either takes a step in it or is unable to everywhere in it: threads can
//! stay in it for ever, and whoever can go on time and again does so (strong fairness). Where there are too many, those that were seen are looked at: what is
//! found is a livelock, but nothing follows if none is.

use crate::states::{Graph, Standing};
use linspect_core::check::Budget;
use linspect_core::machine::Machine;
use linspect_core::schedule::{Schedule, ThreadId};

/// How many states are looked at.
const MOST_STATES: usize = 20_000;

/// The steps into a livelock of the client that `machine` stands at the start of, and once around, if one is found within the budget.
pub(super) fn find<M: Machine>(machine: &mut M, budget: &dyn Budget) -> Option<Schedule> {
    let graph = Graph::explore(machine, MOST_STATES, budget);
    let members = graph.members();
    let mut fair: Vec<&Vec<usize>> = members.iter().filter(|m| is_fair(&graph, m)).collect();
    fair.sort_by_key(|members| members[0]);
    fair.first().map(|members| graph.lasso(members))
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
