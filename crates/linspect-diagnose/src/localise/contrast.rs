//! The good run nearest to a bad one: what would have had to go differently.

use super::dag::Dag;
use linspect_core::schedule::{Choice, Schedule};

/// A good run that goes with a bad one as long as it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// The good run.
    pub schedule: Schedule,
    /// The step at which it first differs from the bad one.
    pub differs_at: usize,
}

/// The good run that leaves the bad run `schedule` as late as possible, and then keeps its order of threads as far as it can; `None` if no run is good.
///
/// # Panics
/// If the schedule is not one of the graph's runs.
pub fn contrast(dag: &Dag, schedule: &Schedule) -> Option<Contrast> {
    let mut node = dag.root();
    let mut leave = None;
    for (step, choice) in schedule.0.iter().enumerate() {
        let branches = &dag.nodes[node].branches;
        let better = branches
            .iter()
            .find(|b| b.step.choice != *choice && dag.nodes[b.to].good > 0);
        if let Some(better) = better {
            leave = Some((step, better));
        }
        let taken = branches.iter().find(|b| b.step.choice == *choice);
        node = taken.expect("the schedule is a run of the graph").to;
    }
    let (differs_at, branch) = leave?;
    let mut good: Vec<Choice> = schedule.0[..differs_at].to_vec();
    let mut rest: Vec<Choice> = schedule.0[differs_at..].to_vec();
    let mut branch = branch;
    loop {
        good.push(branch.step.choice);
        if let Some(at) = rest.iter().position(|c| *c == branch.step.choice) {
            rest.remove(at);
        }
        let node = &dag.nodes[branch.to];
        if node.end.is_some() {
            break;
        }
        let saving = || node.branches.iter().filter(|b| dag.nodes[b.to].good > 0);
        let in_order = |c: &Choice| saving().find(|b| b.step.choice == *c);
        branch = rest.iter().find_map(in_order).or_else(|| saving().next())?;
    }
    Some(Contrast {
        schedule: Schedule(good),
        differs_at,
    })
}
